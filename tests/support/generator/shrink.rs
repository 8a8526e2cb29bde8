//! Makes a program that fails a test smaller.
//!
//! Every tree is a valid program, so whatever is taken away from one, the rest can be tried. What is
//! left in the end fails the test and cannot do without any of its statements.

use super::render;
use super::shape::{Control, Shape};
use super::tree::{Function, Node, Program};

/// The number of programs that are tried at most.
const MAX_ATTEMPTS: usize = 3000;

/// Finds a small program whose text `fails`, as that of `program` does.
pub(crate) fn minimize(program: Program, fails: impl FnMut(&str) -> bool) -> Program {
    let mut shrinker = Shrinker {
        text: render(&program),
        best: program,
        fails,
        attempts: 0,
    };
    loop {
        let before = shrinker.best.clone();
        shrinker.functions();
        shrinker.statements();
        shrinker.shape();
        if shrinker.best == before || shrinker.attempts >= MAX_ATTEMPTS {
            return shrinker.best;
        }
    }
}

struct Shrinker<F> {
    /// The smallest program so far that fails, and its text.
    best: Program,
    text: String,
    fails: F,
    attempts: usize,
}

/// Leads to a statement list: the position of a function, then the statements on the way, each with
/// the number of its part.
#[derive(Clone)]
struct Path {
    function: usize,
    steps: Vec<(usize, usize)>,
}

impl Path {
    fn list<'p>(&self, program: &'p mut Program) -> &'p mut Vec<Node> {
        let body = &mut program.functions[self.function].body;
        self.steps
            .iter()
            .fold(body, |list, &(node, part)| &mut list[node].parts[part])
    }

    fn step(&self, node: usize, part: usize) -> Self {
        let mut path = self.clone();
        path.steps.push((node, part));
        path
    }
}

impl<F: FnMut(&str) -> bool> Shrinker<F> {
    /// Tries what `change` makes of the best program and keeps it if it still fails.
    fn attempt(&mut self, change: impl FnOnce(&mut Program)) -> bool {
        let mut candidate = self.best.clone();
        change(&mut candidate);
        if candidate == self.best {
            return false;
        }
        let text = render(&candidate);
        if text != self.text {
            if self.attempts >= MAX_ATTEMPTS {
                return false;
            }
            self.attempts += 1;
            if !(self.fails)(&text) {
                return false;
            }
        }
        self.best = candidate;
        self.text = text;
        true
    }

    /// Drops functions, and what their signatures can do without.
    fn functions(&mut self) {
        for position in (1..self.best.functions.len()).rev() {
            self.attempt(|program| drop(program.functions.remove(position)));
        }
        for position in 0..self.best.functions.len() {
            let Function {
                parameters,
                results,
                ..
            } = &self.best.functions[position];
            let (n_parameters, n_results) = (parameters.len(), results.len());
            let mut edit = |change: &dyn Fn(&mut Function)| {
                self.attempt(|program| change(&mut program.functions[position]));
            };
            for number in (0..n_parameters).rev() {
                edit(&|function| function.parameters[number].written = false);
                edit(&|function| drop(function.parameters.remove(number)));
            }
            for number in (0..n_results).rev() {
                edit(&|function| drop(function.results.remove(number)));
            }
            edit(&|function| function.recursive = false);
        }
    }

    /// Drops statements, or puts their parts in their place.
    fn statements(&mut self) {
        for function in 0..self.best.functions.len() {
            self.list(&Path {
                function,
                steps: Vec::new(),
            });
        }
    }

    fn list(&mut self, path: &Path) {
        let mut chunk = path.list(&mut self.best).len();
        while chunk > 0 {
            let mut start = 0;
            while start < path.list(&mut self.best).len() {
                let dropped = self.attempt(|program| {
                    let list = path.list(program);
                    let end = list.len().min(start + chunk);
                    list.drain(start..end);
                });
                if !dropped {
                    start += chunk;
                }
            }
            chunk /= 2;
        }
        let mut number = 0;
        while number < path.list(&mut self.best).len() {
            let n_parts = path.list(&mut self.best)[number].parts.len();
            let unwrapped = n_parts > 0
                && self.attempt(|program| {
                    let list = path.list(program);
                    let node = list.remove(number);
                    list.splice(number..number, node.parts.into_iter().flatten());
                });
            if !unwrapped {
                for part in 0..n_parts {
                    self.list(&path.step(number, part));
                }
                number += 1;
            }
        }
    }

    /// Drops globals, types, and features.
    fn shape(&mut self) {
        for number in (0..self.best.globals.len()).rev() {
            self.attempt(|program| drop(program.globals.remove(number)));
        }
        for number in (0..self.best.palette.len()).rev() {
            self.attempt(|program| {
                // The first type has no layout.
                let next = program.palette.get(1);
                if number > 0 || next.is_some_and(|ty| ty.is_identity()) {
                    program.palette.remove(number);
                }
            });
        }
        self.attempt(|program| program.shape.control = Control::Structured);
        let features: [fn(&mut Shape) -> &mut bool; 20] = [
            |shape| &mut shape.dynamic,
            |shape| &mut shape.empty,
            |shape| &mut shape.views,
            |shape| &mut shape.byte_views,
            |shape| &mut shape.unranked,
            |shape| &mut shape.clones,
            |shape| &mut shape.allocas,
            |shape| &mut shape.globals,
            |shape| &mut shape.recursion,
            |shape| &mut shape.indirect_calls,
            |shape| &mut shape.parallel,
            |shape| &mut shape.scopes,
            |shape| &mut shape.multiple_returns,
            |shape| &mut shape.block_loops,
            |shape| &mut shape.switches,
            |shape| &mut shape.execute_regions,
            |shape| &mut shape.atomics,
            |shape| &mut shape.unreachable,
            |shape| &mut shape.deallocs,
            |shape| &mut shape.reallocs,
        ];
        for feature in features {
            self.attempt(|program| *feature(&mut program.shape) = false);
        }
    }
}
