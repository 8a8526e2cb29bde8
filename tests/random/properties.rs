//! What must hold for every program.

use std::sync::Arc;

use crate::support::batch::{self, End, Job, Outcome};
use crate::support::peer;

/// How a program fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    /// Which property does not hold; equal for the same mistake in another program.
    pub(crate) kind: String,
    pub(crate) message: String,
}

impl Failure {
    /// Where to look for it.
    pub(crate) fn stage(&self) -> Stage {
        if self.kind.starts_with(TEXT) {
            Stage::Text
        } else {
            Stage::Native
        }
    }
}

/// What kinds of failures that concern parsing and printing start with.
const TEXT: &str = "text: ";

/// A way of freeing buffers.
struct Strategy {
    name: &'static str,
    /// What `freehold run` calls it.
    flags: &'static str,
}

/// Each is compared with a run that frees nothing.
const STRATEGIES: [Strategy; 3] = [
    Strategy {
        name: "ownership",
        flags: "--dealloc=ownership",
    },
    Strategy {
        name: "ownership with generic deallocs",
        flags: "--dealloc=ownership --dealloc-lowering=generic",
    },
    Strategy {
        name: "ownership with specialized deallocs",
        flags: "--dealloc=ownership --dealloc-lowering=specialized -O0",
    },
];

/// A group of properties that are checked together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    Text,
    Native,
}

/// Checks all properties of some programs; `None` for a program with nothing wrong.
pub(crate) fn check(programs: &[Arc<str>]) -> Result<Vec<Option<Failure>>, String> {
    let mut failures = check_stage(programs, Stage::Text)?;
    let native = check_stage(programs, Stage::Native)?;
    for (failure, native) in failures.iter_mut().zip(native) {
        if failure.is_none() {
            *failure = native;
        }
    }
    Ok(failures)
}

/// Checks the properties of one stage.
pub(crate) fn check_stage(
    programs: &[Arc<str>],
    stage: Stage,
) -> Result<Vec<Option<Failure>>, String> {
    match stage {
        Stage::Text => text_properties(programs),
        Stage::Native => native_properties(programs),
    }
}

/// Runs the commands for each program, all in one batch; gives the outcomes by program.
fn run_all(programs: &[Arc<str>], commands: &[String]) -> Result<Vec<Vec<Outcome>>, String> {
    let jobs: Vec<_> = programs
        .iter()
        .flat_map(|program| commands.iter().map(|command| Job::new(command, program)))
        .collect();
    let outcomes = batch::run(&jobs)?;
    Ok(outcomes
        .chunks(commands.len())
        .map(<[Outcome]>::to_vec)
        .collect())
}

fn failure(kind: impl Into<String>, message: impl Into<String>) -> Failure {
    Failure {
        kind: kind.into(),
        message: message.into(),
    }
}

/// A failure unless the command succeeded.
fn expect_success(what: &str, outcome: &Outcome) -> Result<(), Failure> {
    let said = format!("{}{}", outcome.stderr, outcome.native);
    match outcome.end {
        End::Status(0) => Ok(()),
        // A bug in Freehold, which says where it panicked.
        End::Status(134) => {
            let place = said.lines().find(|line| line.contains("panicked at"));
            let place = place.and_then(|line| line.split("panicked at ").nth(1));
            Err(failure(
                format!("{what}: panic at {}", place.unwrap_or("?")),
                said,
            ))
        }
        End::Status(status) => Err(failure(format!("{what}: exit status {status}"), said)),
        End::Crash(status) => Err(failure(format!("{what}: crash, status {status}"), said)),
        End::Hang => Err(failure(format!("{what}: hang"), said)),
    }
}

// Text.

/// What is printed means the same as what was parsed, to us and to mlir-opt.
fn text_properties(programs: &[Arc<str>]) -> Result<Vec<Option<Failure>>, String> {
    let commands = ["opt -", "opt --mlir-print-op-generic -"].map(String::from);
    let printed = run_all(programs, &commands)?;
    let again: Vec<_> = printed
        .iter()
        .flatten()
        .map(|outcome| Job::new("opt -", &outcome.stdout.as_str().into()))
        .collect();
    let again = batch::run(&again)?;
    let mut failures: Vec<_> = printed
        .iter()
        .zip(again.chunks(2))
        .map(|(printed, again)| round_trip(printed, again).err())
        .collect();
    let texts: Vec<_> = printed
        .iter()
        .map(|outcomes| outcomes[0].stdout.as_str())
        .collect();
    for (failure, peer) in failures.iter_mut().zip(peer_accepts(&texts)?) {
        if failure.is_none() {
            *failure = peer;
        }
    }
    Ok(failures)
}

fn round_trip(printed: &[Outcome], again: &[Outcome]) -> Result<(), Failure> {
    let expected = &printed[0].stdout;
    for ((form, printed), again) in ["custom", "generic"].iter().zip(printed).zip(again) {
        expect_success(&format!("{TEXT}parse and print in {form} form"), printed)?;
        let what = format!("{TEXT}print, parse and print in {form} form");
        expect_success(&what, again)?;
        if again.stdout != *expected {
            let message = first_difference(expected, &again.stdout);
            return Err(failure(format!("{what}: difference"), message));
        }
    }
    Ok(())
}

/// The first line that differs.
fn first_difference(expected: &str, actual: &str) -> String {
    let mut lines = expected.lines().zip(actual.lines()).enumerate();
    match lines.find(|(_, (expected, actual))| expected != actual) {
        Some((number, (expected, actual))) => {
            format!(
                "line {}: expected\n  {expected}\nbut got\n  {actual}",
                number + 1
            )
        }
        None => format!(
            "expected {} lines but got {}",
            expected.lines().count(),
            actual.lines().count()
        ),
    }
}

/// What mlir-opt has to say about each text, if it is there.
fn peer_accepts(texts: &[&str]) -> Result<Vec<Option<Failure>>, String> {
    let none = vec![None; texts.len()];
    let Some(mlir_opt) = peer::find("mlir-opt-19") else {
        return Ok(none);
    };
    let split = "--split-input-file";
    if peer::run(&mlir_opt, &[split], &texts.join("\n// -----\n"))?.status == 0 {
        return Ok(none);
    }
    texts
        .iter()
        .map(|text| {
            let finished = peer::run(&mlir_opt, &[], text)?;
            let stderr = String::from_utf8_lossy(&finished.stderr).into_owned();
            Ok((finished.status != 0)
                .then(|| failure(format!("{TEXT}mlir-opt rejects what we print"), stderr)))
        })
        .collect()
}

// Native runs.

fn native_properties(programs: &[Arc<str>]) -> Result<Vec<Option<Failure>>, String> {
    let mut commands = vec![
        "run --dealloc=none -".to_string(),
        "run --dealloc=none --check -".to_string(),
        "opt --buffer-deallocation-pipeline --verify-ownership -".to_string(),
    ];
    for strategy in &STRATEGIES {
        let flags = strategy.flags;
        commands.push(format!("run {flags} --stats=json -"));
        commands.push(format!("run {flags} --check -"));
    }
    let outcomes = run_all(programs, &commands)?;
    Ok(outcomes
        .iter()
        .map(|outcomes| native_property(outcomes).err())
        .collect())
}

fn native_property(outcomes: &[Outcome]) -> Result<(), Failure> {
    let [reference, leaking, verified, rest @ ..] = outcomes else {
        return Err(failure("too few outcomes", ""));
    };
    expect_success("run without deallocation", reference)?;
    // Leaks are all that is wrong, or the generator made a bad program.
    let misuse = leaking
        .native
        .lines()
        .find(|line| line.contains("error: ") && !line.contains("error: memory leak"));
    if let Some(line) = misuse {
        return Err(failure("check without deallocation", line));
    }
    for (strategy, pair) in STRATEGIES.iter().zip(rest.chunks(2)) {
        let [counted, checked] = pair else {
            return Err(failure("too few outcomes", ""));
        };
        let name = strategy.name;
        expect_success(&format!("run with {name}"), counted)?;
        let (output, statistics) = split_statistics(&counted.native);
        same_output(name, &reference.native, output)?;
        let number = |key: &str| statistic(statistics, key);
        if number("allocs") != number("frees") || number("live_allocs_at_exit") != Some(0) {
            return Err(failure(
                format!("allocations are not frees with {name}"),
                statistics,
            ));
        }
        if checked.end == End::Status(3) {
            let errors = checked
                .native
                .lines()
                .filter(|line| line.contains("error: "));
            let mut kinds: Vec<_> = errors.clone().filter_map(error_kind).collect();
            kinds.sort_unstable();
            kinds.dedup();
            let message: Vec<_> = errors.collect();
            return Err(failure(
                format!("check with {name}: {}", kinds.join(", ")),
                message.join("\n"),
            ));
        }
        expect_success(&format!("check with {name}"), checked)?;
        same_output(
            &format!("{name} and --check"),
            &reference.native,
            &checked.native,
        )?;
    }
    expect_success("verify-ownership", verified)
}

/// `double free` of `file:1:2: error: double free of ...`
fn error_kind(line: &str) -> Option<&str> {
    let message = line.split("error: ").nth(1)?;
    Some(message.split([':', ',']).next().unwrap_or(message))
}

fn same_output(name: &str, expected: &str, actual: &str) -> Result<(), Failure> {
    if expected == actual {
        return Ok(());
    }
    Err(failure(
        format!("different output with {name}"),
        first_difference(expected, actual),
    ))
}

/// What the program printed, and the JSON object after it.
fn split_statistics(native: &str) -> (&str, &str) {
    native.split_at(native.rfind("{\"allocs\"").unwrap_or(native.len()))
}

/// A number in a flat JSON object.
fn statistic(json: &str, key: &str) -> Option<u64> {
    let rest = json.split(&format!("\"{key}\": ")).nth(1)?;
    let digits = rest.split(|c: char| !c.is_ascii_digit()).next()?;
    digits.parse().ok()
}
