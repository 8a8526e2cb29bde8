//! Compiles programs with both pipelines, and runs what comes out.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::support::batch::{self, End, Job, Outcome};
use crate::support::native::{error_kinds, split_errors, split_statistics, statistic};
use crate::support::process::{self, Stderr};

/// The longest that mlir-opt may take; it needs milliseconds for most programs.
const TIMEOUT: Duration = Duration::from_secs(10);

/// The flag that both compilers know.
const PIPELINE: &str = "--buffer-deallocation-pipeline";

/// How a compiler did on one program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    /// With this message.
    Rejects(String),
    Crashes,
    Hangs,
    /// It made a program in which this is wrong.
    Wrong(String),
    Right(Cost),
}

/// What a program that was run needed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Cost {
    /// Clones that were executed.
    pub(crate) clones: u64,
    pub(crate) allocations: u64,
    pub(crate) peak_bytes: u64,
}

impl Cost {
    /// What is compared, with its name.
    pub(crate) fn numbers(&self) -> [(&'static str, u64); 3] {
        [
            ("clones", self.clones),
            ("allocations", self.allocations),
            ("peak bytes", self.peak_bytes),
        ]
    }
}

/// How both compilers did.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) ours: Verdict,
    pub(crate) theirs: Verdict,
}

/// Something that Freehold has to do better.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// Equal for the same mistake in another program.
    pub(crate) kind: String,
    pub(crate) message: String,
}

impl Compared {
    /// What is wrong with Freehold's program, or what it does worse than the other one.
    pub(crate) fn failure(&self) -> Option<Failure> {
        let failure = |kind: &str, message: String| {
            Some(Failure {
                kind: kind.to_owned(),
                message,
            })
        };
        let cost = match &self.ours {
            Verdict::Right(cost) => cost,
            Verdict::Rejects(message) => return failure("rejected", message.clone()),
            Verdict::Crashes => return failure("compiler crash", String::new()),
            Verdict::Hangs => return failure("compiler hang", String::new()),
            Verdict::Wrong(what) => return failure(what, String::new()),
        };
        let Verdict::Right(other) = &self.theirs else {
            return None;
        };
        let pairs = cost.numbers().into_iter().zip(other.numbers());
        for ((what, ours), (_, theirs)) in pairs {
            if ours > theirs {
                let message = format!("{ours} with Freehold, {theirs} with mlir-opt");
                return failure(&format!("more {what}"), message);
            }
        }
        None
    }
}

/// Compares both compilers on `programs`.
pub(crate) fn compare(programs: &[Arc<str>]) -> Result<Vec<Compared>, String> {
    let mut jobs = Vec::new();
    for program in programs {
        jobs.push(Job::new("run --dealloc=none -", program));
        jobs.push(Job::new(&format!("opt {PIPELINE} -"), program));
    }
    let outcomes = batch::run(&jobs)?;
    let mut compiled = Vec::new();
    for (program, outcomes) in programs.iter().zip(outcomes.chunks(2)) {
        let [reference, ours] = outcomes else {
            return Err("two commands have two outcomes".into());
        };
        if reference.end != End::Status(0) {
            let said = format!("{}{}", reference.stderr, reference.native);
            return Err(format!(
                "without deallocation a program fails:\n{said}\n{program}"
            ));
        }
        let ours = match ours.end {
            End::Status(0) => Ok(ours.stdout.clone()),
            End::Status(1) => Err(Verdict::Rejects(first_error(&ours.stderr))),
            End::Status(_) | End::Crash(_) => Err(Verdict::Crashes),
            End::Hang => Err(Verdict::Hangs),
        };
        compiled.push((
            reference.native.clone(),
            [ours, compile_with_peer(program)?],
        ));
    }
    let texts = compiled
        .iter()
        .flat_map(|(_, texts)| texts.iter().flatten());
    let jobs: Vec<_> = texts
        .flat_map(|text| {
            let text: Arc<str> = count_clones(text).into();
            ["--stats=json", "--check"]
                .map(|flag| Job::new(&format!("run --dealloc=none {flag} -"), &text))
        })
        .collect();
    let outcomes = batch::run(&jobs)?;
    let mut outcomes = outcomes.chunks(2);
    let mut compared = Vec::new();
    for (expected, texts) in compiled {
        let [ours, theirs] = texts.map(|text| match text {
            Ok(_) => match outcomes.next() {
                Some([counted, checked]) => verdict(&expected, counted, checked),
                _ => Verdict::Wrong("was not run".into()),
            },
            Err(verdict) => verdict,
        });
        compared.push(Compared { ours, theirs });
    }
    Ok(compared)
}

/// What mlir-opt makes of a program.
fn compile_with_peer(program: &str) -> Result<Result<String, Verdict>, String> {
    let mut command = Command::new("mlir-opt-19");
    command.arg(PIPELINE);
    let finished = process::run(&mut command, program.as_bytes(), Stderr::Separate, TIMEOUT);
    let finished = match finished {
        Ok(finished) => finished,
        Err(message) if message.contains("was killed") => return Ok(Err(Verdict::Hangs)),
        Err(message) => return Err(message),
    };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(match finished.status {
        0 => Ok(text(finished.stdout)),
        1 => Err(Verdict::Rejects(first_error(&text(finished.stderr)))),
        _ => Err(Verdict::Crashes),
    })
}

/// The message of the first error, without its place.
fn first_error(stderr: &str) -> String {
    let mut errors = stderr.lines().filter_map(|line| line.split_once("error: "));
    errors
        .next()
        .map_or_else(|| stderr.to_owned(), |(_, message)| message.to_owned())
}

/// Makes a program print how many clones it executed as its last line. Both compilers print one
/// operation per line.
fn count_clones(program: &str) -> String {
    let mut text = String::new();
    let mut is_main = false;
    for line in program.lines() {
        if line.starts_with("  func.func ") {
            is_main = line.contains(" @main(");
        }
        if line.contains(" = bufferization.clone ") {
            text.push_str("func.call @count_clone() : () -> ()\n");
        } else if is_main && line.trim_start() == "return" {
            text.push_str("func.call @print_clones() : () -> ()\n");
        } else if line == "}" {
            for declaration in ["@printI64(i64)", "@printNewline()"] {
                if !program.contains(&format!("func private {declaration}")) {
                    text.push_str(&format!("func.func private {declaration}\n"));
                }
            }
            text.push_str(COUNTER);
        }
        text.push_str(line);
        text.push('\n');
    }
    text
}

const COUNTER: &str = "
  memref.global \"private\" @n_clones : memref<1xi64> = dense<0>
  func.func private @count_clone() {
    %c0 = arith.constant 0 : index
    %one = arith.constant 1 : i64
    %count = memref.get_global @n_clones : memref<1xi64>
    %old = memref.load %count[%c0] : memref<1xi64>
    %new = arith.addi %old, %one : i64
    memref.store %new, %count[%c0] : memref<1xi64>
    return
  }
  func.func private @print_clones() {
    %c0 = arith.constant 0 : index
    %count = memref.get_global @n_clones : memref<1xi64>
    %n = memref.load %count[%c0] : memref<1xi64>
    call @printI64(%n) : (i64) -> ()
    call @printNewline() : () -> ()
    return
  }
";

/// What the runs of a compiled program say about it.
fn verdict(expected: &str, counted: &Outcome, checked: &Outcome) -> Verdict {
    let wrong = |what: &str| Verdict::Wrong(what.to_owned());
    let (errors, _) = split_errors(&checked.native);
    if checked.end == End::Status(3) {
        return Verdict::Wrong(error_kinds(&errors));
    }
    for outcome in [checked, counted] {
        match outcome.end {
            End::Status(0) => {}
            End::Status(_) if !outcome.stderr.is_empty() => return wrong("invalid program"),
            End::Status(_) | End::Crash(_) => return wrong("crash at run time"),
            End::Hang => return wrong("endless loop"),
        }
    }
    let (output, statistics) = split_statistics(&counted.native);
    for output in [output, &checked.native] {
        if split_clones(output).0 != expected {
            return wrong("different output");
        }
    }
    let number = |key: &str| statistic(statistics, key).unwrap_or(0);
    if number("allocs") != number("frees") || number("live_allocs_at_exit") != 0 {
        return wrong("memory leak");
    }
    Verdict::Right(Cost {
        clones: split_clones(output).1.trim().parse().unwrap_or(0),
        allocations: number("allocs"),
        peak_bytes: number("peak_bytes"),
    })
}

/// The output of a program, and the line that [`count_clones`] adds to it.
fn split_clones(output: &str) -> (&str, &str) {
    let start = output.trim_end().rfind('\n').map_or(0, |at| at + 1);
    output.split_at(start)
}
