//! Folds and canonicalization of numbers: on constants, compared with mlir-opt, and on whatever the
//! operands are, compared with what operations compute by definition.

mod constants;
mod interpreter;
mod programs;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use freehold::Module;
use freehold_frontend::dialects::{affine, arith, index};
use freehold_frontend::ir::data::Ir;
use freehold_frontend::ir::op_def::OpDef;
use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::generator::rng::Rng;
use crate::support::{first_seed, n_programs};
use interpreter::{Number, Overflow};

/// Functions that are tried per operation.
const PROGRAMS: u64 = 75;

/// Choices of arguments per function.
const RUNS: usize = 24;

/// Operations with folds or patterns whose values other tests compare: they have regions, or access
/// memory.
const ELSEWHERE: [&str; 12] = [
    "affine.for",
    "affine.if",
    "affine.parallel",
    "affine.load",
    "affine.store",
    "affine.vector_load",
    "affine.vector_store",
    "affine.prefetch",
    "affine.dma_start",
    "affine.dma_wait",
    "affine.delinearize_index",
    "affine.yield",
];

/// The functions of a module, in order.
fn functions(module: &Ir) -> impl Iterator<Item = &Ir> {
    let block = module.root_block().unwrap();
    module.ops_in(block).filter_map(|op| module.nested(op))
}

/// The text of function number `n` of a module.
fn function_text(text: &str, n: usize) -> String {
    let start = text.split("func.func @").nth(n + 1);
    format!("func.func @{}", start.unwrap_or_default())
}

fn folded_functions_compute_the_same() {
    let first = first_seed();
    let programs = n_programs(PROGRAMS);
    let mut wrong = String::new();
    let (mut n_wrong, mut n_compared) = (0, 0);
    for (number, focus) in programs::operations().enumerate() {
        let mut rng = Rng::new(first + number as u64 * 1_000_003);
        let programs: Vec<_> = (0..programs as usize)
            .map(|n| programs::program(&mut rng, n, focus))
            .collect();
        let text: String = programs.iter().map(|program| &*program.text).collect();
        let before = Module::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut after = Module::parse(&text).unwrap();
        after.run_passes("builtin.module(canonicalize)").unwrap();
        let pairs = functions(before.ir()).zip(functions(after.ir()));
        for (n, (program, (before, changed))) in programs.iter().zip(pairs).enumerate() {
            for _ in 0..RUNS {
                let mut arguments: Vec<Number> = (program.arguments.iter())
                    .map(|ty| programs::number(&mut rng, ty))
                    .collect();
                if rng.chance(20) {
                    // Arguments of one type that are equal.
                    let half = arguments.len() / 2;
                    let (a, b) = arguments.split_at_mut(half);
                    a.copy_from_slice(b);
                }
                let Some(expected) = interpreter::run(before, &arguments, Overflow::Undefined)
                else {
                    continue;
                };
                n_compared += 1;
                let found = interpreter::run(changed, &arguments, Overflow::Wraps);
                let is_same = found
                    .as_ref()
                    .is_some_and(|found| found.iter().zip(&expected).all(|(a, b)| a.is(*b)));
                if !is_same {
                    n_wrong += 1;
                    if n_wrong <= 5 {
                        let text = function_text(&after.to_string(), n);
                        writeln!(
                            wrong,
                            "{focus}: {}became\n{text}{arguments:?}: {found:?} instead of {expected:?}\n",
                            program.text
                        )
                        .unwrap();
                    }
                    break;
                }
            }
        }
    }
    assert!(n_wrong == 0, "{n_wrong} functions are wrong\n{wrong}");
    assert!(
        n_compared > 10 * programs,
        "only {n_compared} runs were compared"
    );
}

fn every_fold_is_tried() {
    let tried: BTreeSet<&str> = programs::operations().collect();
    let dialects = [&arith::DIALECT, &index::DIALECT, &affine::DIALECT];
    let has_folds = |row: &&&OpDef| row.fold.is_some() || !row.canonicalize.is_empty();
    let missing: Vec<&str> = (dialects.iter().flat_map(|dialect| dialect.ops))
        .filter(has_folds)
        .map(|row| row.name)
        .filter(|name| !tried.contains(name) && !ELSEWHERE.contains(name))
        .collect();
    assert!(missing.is_empty(), "no programs with {missing:?}");
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    [
        trials![folded_functions_compute_the_same, every_fold_is_tried,],
        constants::tests(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
