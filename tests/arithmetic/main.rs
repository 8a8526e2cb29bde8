//! Random arithmetic: Freehold's results and those of MLIR's lowering to LLVM, bit for bit.
//!
//! `cargo test --test arithmetic` compares 200 functions, each with 8 rows of arguments, compiled by
//! Freehold with and without optimization; `FREEHOLD_PROGRAMS=5000` compares more,
//! `FREEHOLD_SEED=5000` begins with another one. Many functions make one module, so that the peer is
//! started rarely. Where a result differs, both sides print every value of that function, and the
//! first one that differs is shown. Results of the math library may be off by the ulps that the
//! generator states; the table at the end says by how many they were.

#[path = "../support/mod.rs"]
mod support;

mod compare;
mod generator;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Trial};

use compare::{Tally, compare};
use support::environment_number;
use support::{batch, peer};

/// How many functions are compared unless `FREEHOLD_PROGRAMS` says otherwise.
const FUNCTIONS: u64 = 200;

/// How many functions a module has.
const BATCH: u64 = 50;

fn main() -> ExitCode {
    batch::serve_if_asked();
    let arguments = Arguments::from_args();
    let missing = compare::REQUIRED
        .iter()
        .find(|tool| peer::find(tool).is_none());
    if let (Some(tool), false) = (missing, arguments.list) {
        peer::skipped_test("arithmetic", &format!("{tool} is not installed"));
        return ExitCode::SUCCESS;
    }
    let first: u64 = environment_number("FREEHOLD_SEED").unwrap_or(0);
    let end = first + environment_number("FREEHOLD_PROGRAMS").unwrap_or(FUNCTIONS);
    let tallies: Arc<Mutex<BTreeMap<&'static str, Tally>>> = Arc::default();
    let trials = (first..end)
        .step_by(BATCH as usize)
        .map(|start| {
            let seeds = start..end.min(start + BATCH);
            let tallies = Arc::clone(&tallies);
            Trial::test(format!("seeds-{}-{}", seeds.start, seeds.end), move || {
                let found = compare(seeds)?;
                let mut tallies = tallies.lock().expect("no thread panics with the tallies");
                for (name, tally) in found {
                    tallies.entry(name).or_default().add(&tally);
                }
                Ok(())
            })
        })
        .collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    let tallies = tallies.lock().expect("no thread panics with the tallies");
    if !arguments.list && !tallies.is_empty() {
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
        eprintln!("{table}");
    }
    conclusion.exit_code()
}
