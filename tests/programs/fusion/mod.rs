//! What happens to programs on tensors before they have buffers: `peer-` compares passes with those of the same
//! names of mlir-opt 19, `memory-` what programs need with and without fusion.
//!
//! Programs are those of `support/linalg_programs.rs`; all ways print the same, bit by bit.

mod memory;
mod passes;

use std::sync::{Arc, Mutex};

use crate::support::batch::{self, End, Job, Outcome};
use crate::support::linalg_programs::{Kind, generate};
use crate::support::{first_seed, n_programs};

/// How many programs are compared with the peer's passes, and how many with themselves.
const PROGRAMS: u64 = 40;

/// How many programs one test tries.
const BATCH: u64 = 40;

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("fusion");
    let first = first_seed();
    let end = first + n_programs(PROGRAMS);
    let tally: Arc<Mutex<memory::Tally>> = Arc::default();
    for start in (first..end).step_by(BATCH as usize) {
        let seeds = start..end.min(start + BATCH);
        let name = format!("{}-{}", seeds.start, seeds.end);
        let of_peer = seeds.clone();
        family.test_with(&["mlir-opt-19"], format!("peer-{name}"), move || {
            Ok(passes::compare(of_peer)?)
        });
        let tally = Arc::clone(&tally);
        family.test(format!("memory-{name}"), move || {
            let found = memory::compare(seeds)?;
            tally.lock().expect("no test panics with it").add(&found);
            Ok(())
        });
    }
    family.tables = Box::new(move || tally.lock().expect("no test panics with it").render());
    family
}

/// The program with this seed.
fn program(seed: u64, kind: Kind) -> Arc<str> {
    generate(seed, kind).into()
}

/// What commands do, or that one failed.
fn run(jobs: &[Job]) -> Result<Vec<Outcome>, String> {
    let outcomes = batch::run(jobs)?;
    for (job, outcome) in jobs.iter().zip(&outcomes) {
        if outcome.end != End::Status(0) {
            return Err(format!(
                "freehold {}: {:?}\n{}{}\n{}",
                job.arguments.join(" "),
                outcome.end,
                outcome.stderr,
                outcome.native,
                job.stdin
            ));
        }
    }
    Ok(outcomes)
}

/// What a program printed, without addresses.
fn shown(native: &str) -> String {
    // Neither where a buffer is, nor whether it is a part of another one.
    let sizes = |rest: &str| {
        let sizes = rest.split_once(" sizes = ")?.1.split_once(" strides")?.0;
        Some(format!("sizes = {sizes}\n"))
    };
    let line = |line: &str| match line.split_once(" rank = ") {
        Some((_, rest)) => sizes(rest).unwrap_or_else(|| format!("rank = {rest}\n")),
        None => format!("{line}\n"),
    };
    native.lines().map(line).collect()
}
