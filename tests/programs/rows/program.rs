//! Whole programs: statements by weight, and what they return.

use super::alone;
use super::build::Gen;
use super::files;
use super::table::Table;
use super::types::{Elem, Ty};
use crate::support::generator::rng::Rng;

/// A program, and what is known of it.
pub(super) struct Program {
    pub(super) text: String,
    /// Whether buffers go through branches, loops or calls: copies of them would show.
    pub(super) buffers_flow: bool,
    /// What `main` returns, if that is known.
    pub(super) results: Option<Vec<Ty>>,
    /// The operations in it.
    pub(super) operations: Vec<String>,
    /// Whether it is of a file test, so that nobody knows whether it is defined.
    pub(super) is_of_file: bool,
    /// Pipelines that it is for: those of RUN lines, or of its shape.
    pub(super) pipelines: Vec<String>,
    /// Passes that it is for.
    pub(super) passes: Vec<&'static str>,
    /// Pairs of pipelines: after the second one it needs no more memory, and no more allocations, than after the first.
    pub(super) promised: Vec<[String; 2]>,
    /// Options of `run` that it is for: one of these is among the ways in which it is compiled.
    pub(super) words: Vec<&'static str>,
    /// Whether it frees its buffers itself, so that after passes no more of them stay.
    pub(super) frees_itself: bool,
}

/// Of this many programs, one is of a file test.
pub(super) const FILES: u64 = 3;

/// Of a hundred others, so many are of one shape alone.
const ALONE: usize = 35;

/// How many results a program has at most.
const MOST_RESULTS: usize = 14;

impl Program {
    /// The program of this seed.
    pub(super) fn new(seed: u64, table: &Table) -> Self {
        // All seeds of one remainder are of files.
        if alone::is_wanted()
            || seed % FILES != FILES - 1 && Rng::new(seed ^ 0x006f_6e65).chance(ALONE)
        {
            return alone::program(seed);
        }
        if seed % FILES == FILES - 1
            && let Some((text, pipelines)) = files::program(seed)
        {
            return Self {
                is_of_file: true,
                pipelines,
                ..Self::known(text)
            };
        }
        let mut gen_ = Gen::new(seed, table);
        let budget = gen_.rng.range(3, 14);
        // Something to begin with.
        for _ in 0..gen_.rng.range(1, 3) {
            let mem = gen_.some_mem();
            gen_.allocated(mem);
        }
        if gen_.rng.chance(60) {
            gen_.tensor_statement();
        }
        if gen_.rng.chance(50) {
            let n = gen_.rng.range(1, 9) as i64;
            gen_.opaque(n);
        }
        if gen_.rng.chance(25) {
            gen_.long_loops();
        }
        if gen_.rng.chance(15) {
            gen_.integer_functions();
        }
        if gen_.rng.chance(12) {
            gen_.truths();
        }
        if gen_.rng.chance(12) {
            gen_.short_rows();
        }
        if gen_.rng.chance(15) {
            gen_.stepped_loops();
        }
        if gen_.rng.chance(12) {
            gen_.masked_loops();
        }
        if gen_.rng.chance(15) {
            gen_.read_between();
        }
        if gen_.rng.chance(15) {
            gen_.carried_tensors();
        }
        if gen_.rng.chance(20) {
            gen_.flowing_buffers();
        }
        if gen_.rng.chance(15) {
            gen_.meeting_buffers();
        }
        if gen_.rng.chance(30) {
            gen_.float_loops();
        }
        if gen_.rng.chance(50) {
            gen_.edge_statement();
        }
        for _ in 0..gen_.rng.below(3) {
            gen_.small_edge();
        }
        gen_.statements(budget);
        gen_.finish()
    }

    /// A program that was written down.
    pub(super) fn known(text: String) -> Self {
        Self {
            text,
            buffers_flow: true,
            results: None,
            operations: Vec::new(),
            is_of_file: false,
            pipelines: Vec::new(),
            passes: Vec::new(),
            promised: Vec::new(),
            words: Vec::new(),
            frees_itself: false,
        }
    }
}

impl Gen<'_> {
    /// Some statements.
    pub(super) fn statements(&mut self, budget: usize) {
        let mut left = budget.max(1);
        let n = self.rng.range(1, 4);
        for _ in 0..n.max(left.min(5)) {
            if self.out.len() > 24_000 {
                return;
            }
            let spent = self.statement(left);
            left = left.saturating_sub(spent);
        }
    }

    /// One statement; what it takes of the budget.
    fn statement(&mut self, budget: usize) -> usize {
        match self.rng.below(100) {
            0..24 if budget > 1 && self.depth < 5 => {
                let inner = budget / 2;
                self.control(inner);
                return inner;
            }
            0..38 => self.store_statement(),
            38..42 if self.depth < 4 && budget > 1 => {
                self.same_place();
                return 2;
            }
            38..42 => self.store_statement(),
            42..50 => self.view_statement(),
            50..55 => self.copy_statement(),
            55..65 => self.structured(),
            65..72 => self.tensor_statement(),
            72 | 73 => self.long_loops(),
            74 | 75 => self.edge_statement(),
            76..81 => self.vector_statement(),
            81..84 if self.parallel.is_none() => {
                let mem = self.some_mem();
                self.allocated(mem);
            }
            84 | 85 if self.parallel.is_none() => self.realloc_statement(),
            86 => self.free_statement(),
            87 if self.rng.chance(65) => self.fact(),
            87 => {
                if let Some(buffer) = self.readable(0) {
                    self.load(&buffer);
                }
            }
            _ => {
                for _ in 0..self.rng.range(1, 4) {
                    self.row_operation();
                }
            }
        }
        1
    }

    /// Writes `main`, which returns what there is.
    fn finish(mut self) -> Program {
        let mut returned = Vec::new();
        let mut results: Vec<(String, String)> = Vec::new();
        let mut seen_roots: Vec<usize> = Vec::new();
        let values = self.values.clone();
        for value in values.iter().rev() {
            let is_returned = match &value.ty {
                Ty::MemRef(mem) => {
                    let root = self.roots[value.root];
                    let is_new = !seen_roots.contains(&value.root);
                    let wanted = value.root != 0
                        && root.is_heap
                        && !root.is_freed
                        && is_new
                        && mem.layout.is_none();
                    if wanted {
                        seen_roots.push(value.root);
                    }
                    wanted
                }
                Ty::Scalar(Elem::Index) if value.name.starts_with("%c") => false,
                _ => self.rng.chance(70),
            };
            if is_returned {
                results.push((value.name.clone(), value.ty.text()));
                returned.push(value.ty.clone());
            }
        }
        // What stays is most often a buffer or a tensor: many operations wrote it.
        while results.len() > MOST_RESULTS {
            let numbers: Vec<usize> = (0..results.len())
                .filter(|&at| !matches!(returned[at], Ty::MemRef(_) | Ty::Tensor(..)))
                .collect();
            let out = match numbers.is_empty() || self.rng.chance(20) {
                true => self.rng.below(results.len()),
                false => *self.rng.pick(&numbers),
            };
            results.remove(out);
            returned.remove(out);
        }
        let names: Vec<&str> = results.iter().map(|(name, _)| name.as_str()).collect();
        let types: Vec<&str> = results.iter().map(|(_, ty)| ty.as_str()).collect();
        let tail = match results.is_empty() {
            true => "return".to_owned(),
            false => format!("return {} : {}", names.join(", "), types.join(", ")),
        };
        let text = format!(
            "{}{}func.func @main() -> ({}) {{\n{}  {tail}\n}}\n",
            self.globals_text(),
            self.functions,
            types.join(", "),
            self.out
        );
        Program {
            text,
            buffers_flow: self.buffers_flow,
            results: Some(returned),
            operations: self.written.into_iter().collect(),
            is_of_file: false,
            pipelines: Vec::new(),
            passes: self.passes.into_iter().collect(),
            promised: Vec::new(),
            words: Vec::new(),
            frees_itself: false,
        }
    }
}
