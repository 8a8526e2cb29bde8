//! Random programs through the whole of Freehold.
//!
//! `cargo test --test random` tries 1000 programs of all shapes. `FREEHOLD_PROGRAMS=20000` tries more,
//! `FREEHOLD_SEED=5000` begins with another one, `cargo test --test random mixed` tries one shape,
//! `cargo test --test random copies` what concerns deallocation with clones and copies. A program that
//! fails is made smaller, written to a file in the target folder and printed, with the command that
//! tries it again.

#[path = "../support/mod.rs"]
mod support;

mod properties;

use std::fmt::Write as _;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use properties::{Case, Failure, Family, check, check_stage};
use support::batch;
use support::environment_number;
use support::generator::generate;
use support::generator::shape::{Shape, Writes};
use support::shrinking::shrink;

/// How many programs are tried unless `FREEHOLD_PROGRAMS` says otherwise.
const PROGRAMS: u64 = 1000;

/// How many programs one child process runs.
const BATCH: u64 = 20;

fn main() -> ExitCode {
    batch::serve_if_asked();
    let arguments = Arguments::from_args();
    let first = environment_number("FREEHOLD_SEED").unwrap_or(0);
    let total = environment_number("FREEHOLD_PROGRAMS").unwrap_or(PROGRAMS);
    let shapes: Vec<(String, Shape)> = Shape::NAMED
        .into_iter()
        .map(|(name, shape)| (name.to_string(), shape))
        .collect();
    let share = total.div_ceil(shapes.len() as u64);
    let quiet = shapes
        .iter()
        .map(|(name, shape)| (format!("copies-{name}"), shape.quiet()))
        .collect();
    let trials = [(shapes, share), (quiet, share.div_ceil(4))]
        .into_iter()
        .flat_map(|(shapes, share): (Vec<(String, Shape)>, u64)| {
            shapes.into_iter().map(move |(name, shape)| {
                let shape_name = name.clone();
                Trial::test(name, move || {
                    test_shape(&shape_name, &shape, first..first + share)
                })
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// Programs that do not write to what has met others are for passes that copy.
fn family_of(shape: &Shape) -> Family {
    match shape.writes {
        Writes::Calls => Family::Ownership,
        Writes::Merges => Family::Copies,
    }
}

/// A program that failed.
struct Found {
    seed: u64,
    failure: Failure,
}

fn test_shape(name: &str, shape: &Shape, seeds: std::ops::Range<u64>) -> Result<(), Failed> {
    let mut found: Vec<Found> = Vec::new();
    let mut start = seeds.start;
    while start < seeds.end {
        let end = seeds.end.min(start + BATCH);
        let cases: Vec<_> = (start..end)
            .map(|seed| Case {
                text: generate(seed, shape).into(),
                family: family_of(shape),
                turn: Some(seed),
            })
            .collect();
        for (seed, failure) in (start..end).zip(check(&cases)?) {
            found.extend(failure.map(|failure| Found { seed, failure }));
        }
        start = end;
    }
    if found.is_empty() {
        return Ok(());
    }
    Err(report(name, shape, &found, seeds.end - seeds.start)?.into())
}

/// What to tell people: how often each property failed, and for the first failure of each a small
/// program.
fn report(name: &str, shape: &Shape, found: &[Found], tried: u64) -> Result<String, Failed> {
    let mut text = format!("{} of {tried} programs fail\n", found.len());
    let mut kinds: Vec<&str> = found
        .iter()
        .map(|found| found.failure.kind.as_str())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let same: Vec<_> = found
            .iter()
            .filter(|found| found.failure.kind == kind)
            .collect();
        let seeds: Vec<_> = same
            .iter()
            .take(12)
            .map(|found| found.seed.to_string())
            .collect();
        let _ = writeln!(
            text,
            "\n{kind}: {} programs, seeds {}",
            same.len(),
            seeds.join(" ")
        );
        let first = same[0];
        let mut failure = first.failure.clone();
        let (file, small) = shrink("random", name, first.seed, shape, kind, |text| {
            let case = Case {
                text: text.into(),
                family: family_of(shape),
                turn: None,
            };
            let failures = check_stage(&[case], first.failure.stage());
            let outcome = failures
                .ok()
                .and_then(|mut failures| failures.pop().flatten());
            match outcome {
                Some(smaller) if smaller.kind == kind => {
                    failure = smaller;
                    true
                }
                _ => false,
            }
        })?;
        let _ = writeln!(
            text,
            "{}\nFREEHOLD_SEED={} FREEHOLD_PROGRAMS=1 cargo test --test random {name}\n{}, \
             without the helper functions:\n{}",
            failure.message.trim_end(),
            first.seed,
            file.display(),
            small
        );
    }
    Ok(text)
}
