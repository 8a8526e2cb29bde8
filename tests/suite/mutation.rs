//! Whoever breaks a correct program is caught by `--verify-ownership`.
//!
//! Random programs go through the deallocation pipeline. Then one free at a time is taken away, done
//! twice, or moved before the last use, and the checker must report an error: a proof that holds for
//! the broken program as well would be no proof. `FREEHOLD_PROGRAMS` and `FREEHOLD_SEED` as in the
//! tests in `random/`.

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::generator::generate;
use crate::support::generator::shape::Shape;
use crate::support::in_process::freehold;
use crate::support::{first_seed, n_programs};

/// Random programs of all shapes.
const PROGRAMS: u64 = 24;

/// Frees of one program that are tried.
const FREES: usize = 6;

/// A line that frees a buffer unconditionally, as far as its block goes.
const FREE: &str = "memref.dealloc ";

fn broken_programs_are_rejected() {
    let first = first_seed();
    let total = n_programs(PROGRAMS);
    let share = total.div_ceil(Shape::NAMED.len() as u64);
    let (mut n_mutants, mut missed) = (0, Vec::new());
    let (mut n_frees, mut n_never_reached) = (0, 0);
    for (name, shape) in Shape::NAMED {
        for seed in first..first + share {
            let flags = ["--buffer-deallocation-pipeline", "--verify-ownership"];
            let (status, program) = opt(&flags, generate(seed, &shape));
            assert_eq!(status, 0, "{name} {seed} is not correct to begin with");
            let frees = program.lines().enumerate();
            let frees = frees.filter(|(_, line)| line.trim_start().starts_with(FREE));
            for (number, _) in frees.take(FREES) {
                let mutants = mutants(&program, number);
                let n_mutants_here = mutants.len();
                let mut accepted: Vec<String> = mutants
                    .into_iter()
                    .filter(|(_, mutant)| opt(&["--verify-ownership"], mutant.clone()).0 == 0)
                    .map(|(what, _)| format!("{name} {seed}, line {}: {what}", number + 1))
                    .collect();
                n_frees += 1;
                n_mutants += n_mutants_here as u64;
                // Behind `if c` inside of `if not c` nothing is wrong, whatever stands there.
                if accepted.len() == n_mutants_here {
                    n_never_reached += 1;
                } else {
                    missed.append(&mut accepted);
                }
            }
        }
    }
    assert!(n_mutants >= 2 * total, "only {n_mutants} programs");
    assert!(
        n_never_reached * 20 <= n_frees,
        "whatever is done to them, {n_never_reached} of {n_frees} frees are accepted"
    );
    assert!(
        missed.is_empty(),
        "{} of {n_mutants} broken programs are accepted:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

/// The programs that are made from `program` by changing its line `number`, which frees.
fn mutants(program: &str, number: usize) -> Vec<(&'static str, String)> {
    let lines: Vec<&str> = program.lines().collect();
    let join = |parts: &[&[&str]]| parts.concat().join("\n");
    let (before, after) = (&lines[..number], &lines[number + 1..]);
    let free = lines[number];
    let mut mutants = vec![
        ("the free is gone", join(&[before, after])),
        (
            "the free is there twice",
            join(&[before, &[free, free], after]),
        ),
    ];
    let freed = free.split([' ', ':']).find(|word| word.starts_with('%'));
    if let (Some(freed), Some((last, earlier))) = (freed, before.split_last()) {
        let (result, operation) = last.split_once(" = ").unwrap_or(("", last));
        let mut words = operation.split([' ', ',', '(', ')', '[', ']']);
        let is_use = words.any(|word| word == freed) && !result.contains(freed);
        let accesses = ["memref.load", "memref.store", "call @", "func.call @"];
        let is_access = |access: &&str| operation.trim_start().starts_with(*access);
        if is_use && accesses.iter().any(is_access) {
            mutants.push((
                "the free is before a use",
                join(&[earlier, &[free, *last], after]),
            ));
        }
    }
    mutants
}

/// Exit status and output of `freehold opt`.
fn opt(flags: &[&str], text: String) -> (u8, String) {
    let output = freehold(&[&["opt", "-"], flags].concat(), text);
    (output.status, output.stdout)
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![broken_programs_are_rejected,]
}
