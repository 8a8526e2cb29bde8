//! Random operations of the linalg dialect that read diagonals: the same numbers without optimization and with it.
//!
//! Maps have a loop once, several times or not at all, in any order, and operands are what another operation or a
//! transpose made, so that fusion, folded transposes, contractions that become library calls, dropped unit extents and
//! loops in vectors all meet them. All numbers are small integers, so that sums are exact in any order.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use crate::support::batch::{self, End, Job};
use crate::support::generator::rng::Rng;
use crate::support::{first_seed, n_programs};

/// How many functions are tried.
const FUNCTIONS: u64 = 40;

/// How many functions a module has.
const BATCH: u64 = 20;

/// How modules run, the first time as they are written.
const COMMANDS: &[&str] = &[
    "run - -O0",
    "run - -O1",
    "run - -O2",
    "run - -O3 --fp=fast",
    "run - --vector-bits=128",
    "run - --no-library-calls",
    "run - --fp=contract --threads=2",
];

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("diagonals");
    let first = first_seed();
    let end = first + n_programs(FUNCTIONS);
    for start in (first..end).step_by(BATCH as usize) {
        let seeds = start..end.min(start + BATCH);
        let name = format!("seeds-{}-{}", seeds.start, seeds.end);
        family.test(name, move || Ok(compare(seeds)?));
    }
    family
}

/// Runs a module in all ways.
fn compare(seeds: Range<u64>) -> Result<(), String> {
    let text: Arc<str> = Arc::from(module(seeds.clone()));
    let jobs: Vec<Job> = (COMMANDS.iter())
        .map(|command| Job::new(command, &text))
        .collect();
    let outcomes = batch::run(&jobs)?;
    let expected = outcomes.first().ok_or("nothing ran")?.native.clone();
    let mut wrong = String::new();
    if expected.lines().count() as u64 != seeds.end - seeds.start {
        let _ = writeln!(wrong, "not a line for each function: {expected}");
    }
    for (command, outcome) in COMMANDS.iter().zip(&outcomes) {
        if !matches!(outcome.end, End::Status(0)) {
            let (end, stderr) = (&outcome.end, &outcome.stderr);
            let _ = writeln!(wrong, "freehold {command}: {end:?}\n{stderr}");
        }
        let lines = expected.lines().zip(outcome.native.lines());
        for (seed, (expected, found)) in seeds.clone().zip(lines) {
            if expected != found {
                let _ = writeln!(
                    wrong,
                    "freehold {command}: @f{seed} gives {found}, not {expected}"
                );
            }
        }
        if expected.lines().count() != outcome.native.lines().count() {
            let _ = writeln!(wrong, "freehold {command}: not as many lines");
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    let path = std::env::temp_dir().join(format!("diagonals-{}.mlir", seeds.start));
    std::fs::write(&path, &*text).map_err(|error| error.to_string())?;
    Err(format!(
        "{wrong}\nFREEHOLD_SEED={} FREEHOLD_PROGRAMS={}, {}",
        seeds.start,
        seeds.end - seeds.start,
        path.display()
    ))
}

/// A program with a function per seed, each of which prints a line.
fn module(seeds: Range<u64>) -> String {
    let mut text =
        String::from("func.func private @printI64(i64)\nfunc.func private @printNewline()\n");
    let mut calls = String::new();
    for seed in seeds {
        Function::new(seed).write(seed, &mut text, &mut calls);
    }
    let _ = write!(text, "func.func @main() {{\n{calls}  return\n}}\n");
    text
}

/// An operation: how often each of its loops runs, and the loops along the dimensions of its operands.
struct Function {
    rng: Rng,
    sizes: Vec<usize>,
    element: &'static str,
    factors: [Vec<usize>; 2],
    result: Vec<usize>,
}

impl Function {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed ^ 0x6469_6167);
        let n_loops = *rng.pick(&[2, 3, 3]);
        let same = *rng.pick(&[4, 4, 5, 8, 1]);
        let is_square = rng.chance(60);
        let sizes = (0..n_loops)
            .map(|_| match is_square {
                true => same,
                false => *rng.pick(&[4, 8, 16, 1, 3]),
            })
            .collect();
        let mut map = || -> Vec<usize> {
            let rank = *rng.pick(&[1, 2, 2, 3]);
            (0..rank).map(|_| rng.below(n_loops)).collect()
        };
        let mut factors = [map(), map()];
        let mut left: Vec<usize> = (0..n_loops).collect();
        if rng.chance(50) {
            left.remove(rng.below(n_loops));
        }
        let mut result = Vec::new();
        while !left.is_empty() {
            result.push(left.remove(rng.below(left.len())));
        }
        for counter in 0..n_loops {
            let all = [&factors[0][..], &factors[1], &result].concat();
            if !all.contains(&counter) {
                factors[0].push(counter);
            }
        }
        let element = *rng.pick(&["f32", "f32", "f64", "i32"]);
        Self {
            rng,
            sizes,
            element,
            factors,
            result,
        }
    }

    fn shape(&self, map: &[usize]) -> Vec<usize> {
        map.iter().map(|&counter| self.sizes[counter]).collect()
    }

    fn ty(&self, shape: &[usize]) -> String {
        let sizes: Vec<String> = shape.iter().map(|size| format!("{size}x")).collect();
        format!("tensor<{}{}>", sizes.concat(), self.element)
    }

    /// A constant of small numbers.
    fn constant(&mut self, shape: &[usize]) -> String {
        let (rng, is_integer) = (&mut self.rng, self.element.starts_with('i'));
        let mut number = || {
            let number = rng.below(9) as i64 - 4;
            match is_integer {
                true => number.to_string(),
                false => format!("{number}.0"),
            }
        };
        let n = shape.iter().product();
        let mut parts: Vec<String> = (0..n).map(|_| number()).collect();
        for &size in shape.iter().rev() {
            let rows = parts
                .chunks(size)
                .map(|row| format!("[{}]", row.join(", ")));
            parts = rows.collect();
        }
        parts.concat()
    }

    fn write(mut self, seed: u64, text: &mut String, calls: &mut String) {
        let element = self.element;
        let (add, multiply) = match element.starts_with('i') {
            true => ("addi", "muli"),
            false => ("addf", "mulf"),
        };
        let maps = [
            self.factors[0].clone(),
            self.factors[1].clone(),
            self.result.clone(),
        ];
        let shapes = maps.each_ref().map(|map| self.shape(map));
        let types = shapes.each_ref().map(|shape| self.ty(shape));
        let mut body = String::new();
        let mut given = shapes.clone();
        let mut operands = ["%a0".to_owned(), "%a1".to_owned()];
        for (number, ty) in types.iter().take(2).enumerate() {
            let rank = shapes[number].len();
            if self.rng.chance(60) {
                continue;
            }
            operands[number] = format!("%made{number}");
            let _ = writeln!(body, "  %empty{number} = tensor.empty() : {ty}");
            if rank == 2 && self.rng.chance(50) {
                given[number].reverse();
                let from = self.ty(&given[number]);
                let _ = writeln!(
                    body,
                    "  %made{number} = linalg.transpose ins(%a{number} : {from}) outs(%empty{number} : {ty}) permutation = [1, 0]"
                );
                continue;
            }
            let same = map_text(rank, &(0..rank).collect::<Vec<_>>());
            let iterators = vec!["\"parallel\""; rank].join(", ");
            let _ = writeln!(
                body,
                "  %made{number} = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{iterators}]}} ins(%a{number} : {ty}) outs(%empty{number} : {ty}) {{
  ^bb0(%x: {element}, %old: {element}):
    %twice = arith.{add} %x, %x : {element}
    linalg.yield %twice : {element}
  }} -> {ty}"
            );
        }
        let iterators: Vec<&str> = (0..self.sizes.len())
            .map(|counter| match self.result.contains(&counter) {
                true => "\"parallel\"",
                false => "\"reduction\"",
            })
            .collect();
        let all_maps = maps.each_ref().map(|map| map_text(self.sizes.len(), map));
        let combine = if self.rng.chance(65) { multiply } else { add };
        let arguments: Vec<String> = (given.iter().enumerate())
            .map(|(number, shape)| format!("%a{number}: {}", self.ty(shape)))
            .collect();
        let [first, second] = operands;
        let [of_first, of_second, of_result] = &types;
        let _ = write!(
            text,
            "func.func private @f{seed}({}) -> {of_result} attributes {{passthrough = [\"noinline\"]}} {{
{body}  %r = linalg.generic {{indexing_maps = [{}], iterator_types = [{}]}} ins({first}, {second} : {of_first}, {of_second}) outs(%a2 : {of_result}) {{
  ^bb0(%x: {element}, %y: {element}, %z: {element}):
    %both = arith.{combine} %x, %y : {element}
    %sum = arith.{add} %both, %z : {element}
    linalg.yield %sum : {element}
  }} -> {of_result}
  return %r : {of_result}
}}\n",
            arguments.join(", "),
            all_maps.join(", "),
            iterators.join(", ")
        );
        let given_types: Vec<String> = given.iter().map(|shape| self.ty(shape)).collect();
        for (number, (shape, ty)) in given.iter().zip(&given_types).enumerate() {
            let constant = self.constant(shape);
            let _ = writeln!(
                calls,
                "  %a{seed}_{number} = arith.constant dense<{constant}> : {ty}"
            );
        }
        let _ = writeln!(
            calls,
            "  %r{seed} = func.call @f{seed}(%a{seed}_0, %a{seed}_1, %a{seed}_2) : ({}) -> {of_result}
  func.call @print{seed}(%r{seed}) : ({of_result}) -> ()",
            given_types.join(", ")
        );
        self.write_printer(seed, &shapes[2], text);
    }

    /// A function that prints the sum of all elements of a result, each times its number.
    fn write_printer(&self, seed: u64, shape: &[usize], text: &mut String) {
        let (ty, element) = (self.ty(shape), self.element);
        let number = match element {
            "i32" => "    %n = arith.extsi %x : i32 to i64\n".to_owned(),
            _ => format!("    %n = arith.fptosi %x : {element} to i64\n"),
        };
        let _ = write!(
            text,
            "func.func private @print{seed}(%t: {ty}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %seven = arith.constant 7 : i64\n"
        );
        let mut before = "%zero".to_owned();
        for (dim, size) in shape.iter().enumerate() {
            let _ = write!(
                text,
                "  %size{dim} = arith.constant {size} : index
  %sum{dim} = scf.for %i{dim} = %c0 to %size{dim} step %c1 iter_args(%s{dim} = {before}) -> (i64) {{\n"
            );
            before = format!("%s{dim}");
        }
        let at: Vec<String> = (0..shape.len()).map(|dim| format!("%i{dim}")).collect();
        let _ = write!(
            text,
            "    %x = tensor.extract %t[{}] : {ty}
{number}    %product = arith.muli {before}, %seven : i64
    %next = arith.addi %product, %n : i64
    scf.yield %next : i64
  }}\n",
            at.join(", ")
        );
        for dim in (1..shape.len()).rev() {
            let _ = write!(text, "  scf.yield %sum{dim} : i64\n  }}\n");
        }
        text.push_str(
            "  func.call @printI64(%sum0) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}\n",
        );
    }
}

/// A map of so many loops to these.
fn map_text(n_loops: usize, to: &[usize]) -> String {
    let list = |counters: &mut dyn Iterator<Item = usize>| -> String {
        let names: Vec<String> = counters.map(|counter| format!("d{counter}")).collect();
        names.join(", ")
    };
    let (from, to) = (list(&mut (0..n_loops)), list(&mut to.iter().copied()));
    format!("affine_map<({from}) -> ({to})>")
}
