//! Random programs through the whole of Freehold.
//!
//! `cargo test --test random` tries 1000 programs of all shapes. `FREEHOLD_PROGRAMS=20000` tries more,
//! `FREEHOLD_SEED=5000` begins with another one, `cargo test --test random mixed` tries one shape. A
//! program that fails is made smaller, written to a file in the target folder and printed, with the
//! command that tries it again.

#[path = "../support/mod.rs"]
mod support;

mod properties;

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use libtest_mimic::{Arguments, Failed, Trial};

use properties::{Case, Failure, check, check_stage};
use support::batch;
use support::generator::shape::Shape;
use support::generator::shrink::minimize;
use support::generator::tree::grow;
use support::generator::{generate, render};

/// How many programs are tried unless `FREEHOLD_PROGRAMS` says otherwise.
const PROGRAMS: u64 = 1000;

/// How many programs one child process runs.
const BATCH: u64 = 20;

/// After this time a failing program is small enough.
const SHRINKING_TIME: Duration = Duration::from_secs(60);

fn main() -> ExitCode {
    batch::serve_if_asked();
    let arguments = Arguments::from_args();
    let number = |name: &str| env::var(name).ok().and_then(|text| text.parse().ok());
    let first = number("FREEHOLD_SEED").unwrap_or(0);
    let total = number("FREEHOLD_PROGRAMS").unwrap_or(PROGRAMS);
    let shapes: Vec<(String, Shape)> = Shape::NAMED
        .into_iter()
        .map(|(name, shape)| (name.to_string(), shape))
        .collect();
    let share = total.div_ceil(shapes.len() as u64);
    let trials = shapes
        .into_iter()
        .map(|(name, shape)| {
            let shape_name = name.clone();
            Trial::test(name, move || {
                test_shape(&shape_name, &shape, first..first + share)
            })
        })
        .collect();
    libtest_mimic::run(&arguments, trials).exit_code()
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
        let (file, small, failure) = shrink(name, shape, first)?;
        let _ = writeln!(
            text,
            "{}\nFREEHOLD_SEED={} FREEHOLD_PROGRAMS=1 cargo test --test random {name}\n{}, \
             without the helper functions:\n{}",
            failure.message.trim_end(),
            first.seed,
            file.display(),
            without_helpers(&small)
        );
    }
    Ok(text)
}

/// Makes a failing program smaller; gives the file with it, its text and how it fails.
fn shrink(name: &str, shape: &Shape, found: &Found) -> Result<(PathBuf, String, Failure), Failed> {
    let start = Instant::now();
    let kind = &found.failure.kind;
    let mut failure = found.failure.clone();
    let small = minimize(grow(found.seed, shape), |text| {
        if start.elapsed() > SHRINKING_TIME {
            return false;
        }
        let case = Case {
            text: text.into(),
            turn: None,
        };
        let failures = check_stage(&[case], found.failure.stage());
        let outcome = failures
            .ok()
            .and_then(|mut failures| failures.pop().flatten());
        match outcome {
            Some(smaller) if smaller.kind == *kind => {
                failure = smaller;
                true
            }
            _ => false,
        }
    });
    let text = render(&small);
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("random");
    fs::create_dir_all(&folder)?;
    let words: Vec<_> = kind.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let file = folder.join(format!("{name}-{}-{}.mlir", found.seed, words.join("-")));
    fs::write(&file, &text)?;
    Ok((file, text, failure))
}

/// The functions of a program that depend on its seed; they come last.
fn without_helpers(text: &str) -> &str {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let name = line.split('@').nth(1).unwrap_or_default();
        let is_numbered =
            name.starts_with('f') && name[1..].starts_with(|c: char| c.is_ascii_digit());
        if line.starts_with("func.func") && (is_numbered || name.starts_with("main(")) {
            break;
        }
        at += line.len();
    }
    &text[at..]
}
