//! Random programs through the whole of Freehold.
//!
//! `cargo test --test programs random/` tries all shapes, `random/mixed` one of them, and `random/copies` what
//! concerns deallocation with clones and copies.

mod properties;

use std::fmt::Write as _;

use libtest_mimic::Failed;

use crate::support::generator::generate;
use crate::support::generator::shape::{Shape, Writes};
use crate::support::shrinking::shrink;
use crate::support::{first_seed, n_programs};
use properties::{Case, Failure, Family, check, check_stage};

/// How many programs are tried.
const PROGRAMS: u64 = 36;

/// How many programs one child process runs.
const BATCH: u64 = 20;

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("random");
    let first = first_seed();
    let total = n_programs(PROGRAMS);
    let shapes: Vec<(String, Shape)> = Shape::NAMED
        .into_iter()
        .map(|(name, shape)| (name.to_string(), shape))
        .collect();
    let share = total.div_ceil(shapes.len() as u64);
    let quiet = shapes
        .iter()
        .map(|(name, shape)| (format!("copies-{name}"), shape.quiet()))
        .collect();
    let sets: [(Vec<(String, Shape)>, u64); 2] = [(shapes, share), (quiet, share.div_ceil(4))];
    for (shapes, share) in sets {
        for (name, shape) in shapes {
            family.test(name.clone(), move || {
                test_shape(&name, &shape, first..first + share)
            });
        }
    }
    family.leaves_out_without(&["mlir-opt-19"], "read-by-mlir-opt-19");
    family
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
            "{}\nFREEHOLD_SEED={} FREEHOLD_PROGRAMS=1 cargo test --test programs random/{name}\n{}, \
             without the helper functions:\n{}",
            failure.message.trim_end(),
            first.seed,
            file.display(),
            small
        );
    }
    Ok(text)
}
