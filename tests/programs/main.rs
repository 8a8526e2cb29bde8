//! Generated programs through the whole of Freehold, one family of tests per module.
//!
//! `cargo test --test programs` runs all, `cargo test --test programs merging/` one family and
//! `cargo test --test programs merging/blocks` one test. How many programs are tried is a matter of minutes;
//! `FREEHOLD_EFFORT=10` tries ten times as many of each, `FREEHOLD_PROGRAMS=2000` that many in each family,
//! and `FREEHOLD_SEED=5000` begins with other ones. A program that fails is written to a file in the target
//! folder (a smaller one where the family can make it smaller), and printed with the command that tries it again.

#[path = "../support/mod.rs"]
mod support;

mod arithmetic;
mod caps;
mod contractions;
mod diagonals;
mod differential;
mod fusion;
mod fuzz;
mod interpreted;
mod merging;
mod passes;
mod preserved;
mod raising;
mod random;
mod rows;
mod spellings;
mod strategies;
mod vectors;

use std::io::{self, Write as _};
use std::process::ExitCode;

use libtest_mimic::{Failed, Trial};

use support::{batch, has_aarch64_runtime, needs};

/// The tests of one family.
struct Family {
    name: &'static str,
    trials: Vec<Trial>,
    /// Tables of what the tests saw, once all are done; empty if none ran.
    tables: Box<dyn FnOnce() -> String>,
}

impl Family {
    fn new(name: &'static str) -> Self {
        Self {
            name,
            trials: Vec::new(),
            tables: Box::new(String::new),
        }
    }

    /// Adds a test.
    fn test(
        &mut self,
        name: impl std::fmt::Display,
        run: impl FnOnce() -> Result<(), Failed> + Send + 'static,
    ) {
        self.test_with(&[], name, run);
    }

    /// Adds a test that needs something.
    fn test_with(
        &mut self,
        needs: &[&str],
        name: impl std::fmt::Display,
        run: impl FnOnce() -> Result<(), Failed> + Send + 'static,
    ) {
        let name = format!("{}/{name}", self.name);
        self.trials.push(needs::trial(name, needs, run));
    }

    /// Says which part all tests leave out where something is missing.
    fn leaves_out_without(&mut self, needs: &[&str], part: &str) {
        let name = format!("{}/{part}", self.name);
        self.trials.extend(needs::left_out(name, needs));
    }
}

fn main() -> ExitCode {
    batch::serve_if_asked();
    rows::serve_if_asked();
    let mut trials = Vec::new();
    let mut tables = Vec::new();
    // The longest tests first, lest one core waits for them at the end.
    for family in [
        strategies::family(),
        random::family(),
        caps::family(),
        arithmetic::family(),
        merging::family(),
        spellings::family(),
        raising::family(),
        differential::family(),
        fusion::family(),
        vectors::family(),
        contractions::family(),
        diagonals::family(),
        fuzz::family(),
        interpreted::family(),
        passes::family(),
        preserved::family(),
        rows::family(),
    ] {
        trials.extend(family.trials);
        tables.push(family.tables);
    }
    let conclusion = match needs::run(trials) {
        Ok(conclusion) => conclusion,
        Err(code) => return code,
    };
    for tables in tables {
        // Nothing to do when the terminal is gone.
        let _ = io::stdout().write_all(tables().as_bytes());
    }
    conclusion.exit_code()
}
