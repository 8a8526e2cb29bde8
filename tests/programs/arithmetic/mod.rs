//! Random arithmetic: Freehold's results and those of MLIR's lowering to LLVM, bit for bit.
//!
//! Every function is called with 8 rows of arguments, compiled by Freehold with and without optimization.
//! Many functions make one module, so that the peer is started rarely. Where a result differs, both sides print every value of that function, and the
//! first one that differs is shown. Results of the math library may be off by the ulps that the
//! generator states; the table at the end says by how many they were.

mod compare;
mod generator;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex};

use crate::support::{first_seed, n_programs};
use compare::{Tally, compare};

/// How many functions are compared.
const FUNCTIONS: u64 = 50;

/// How many functions a module has.
const BATCH: u64 = 50;

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("arithmetic");
    let first = first_seed();
    let end = first + n_programs(FUNCTIONS);
    let tallies: Arc<Mutex<BTreeMap<&'static str, Tally>>> = Arc::default();
    for start in (first..end).step_by(BATCH as usize) {
        let seeds = start..end.min(start + BATCH);
        let tallies = Arc::clone(&tallies);
        let name = format!("seeds-{}-{}", seeds.start, seeds.end);
        family.test_with(&compare::NEEDS, name, move || {
            let found = compare(seeds)?;
            let mut tallies = tallies.lock().expect("no thread panics with the tallies");
            for (name, tally) in found {
                tallies.entry(name).or_default().add(&tally);
            }
            Ok(())
        });
    }
    family.tables = Box::new(move || {
        let tallies = tallies.lock().expect("no thread panics with the tallies");
        if tallies.is_empty() {
            return String::new();
        }
        let mut table = String::from(
            "\n| results of | compared | differ | largest error in ulps |\n|---|---|---|---|\n",
        );
        for (name, tally) in tallies.iter() {
            // Writing to a string cannot fail.
            let _ = writeln!(
                table,
                "| {name} | {} | {} | {} |",
                tally.compared, tally.different, tally.largest
            );
        }
        table
    });
    family
}

/// A program that calls the functions of these seeds and prints their results.
pub(crate) fn program(seeds: std::ops::Range<u64>) -> String {
    compare::program(seeds)
}
