//! Compiles programs with the pipelines of a strategy, and runs what comes out.

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use crate::support::batch::{self, End, Job, Outcome};
use crate::support::native::{error_kinds, split_errors, split_statistics, statistic};
use crate::support::process::{self, Stderr};

/// The longest that mlir-opt may take; it needs milliseconds for most programs.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A way to free buffers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Strategy {
    pub(crate) name: &'static str,
    /// Passes of Freehold.
    ours: &'static str,
    /// Passes of mlir-opt that do the same, if it has any.
    theirs: Option<&'static str>,
    /// Whether Freehold's programs must not cost more than those of mlir-opt.
    must_be_cheaper: bool,
}

impl Strategy {
    /// What is tried. All but [`ALONE`](Self::ALONE) are whole pipelines.
    pub(crate) const ALL: [Self; 5] = [
        Self {
            name: "ownership",
            ours: "--buffer-deallocation-pipeline",
            theirs: Some("--buffer-deallocation-pipeline"),
            must_be_cheaper: true,
        },
        Self::ALONE,
        Self {
            name: "clone",
            ours: "--legacy-deallocation-pipeline --verify-ownership",
            theirs: None,
            must_be_cheaper: false,
        },
        Self {
            name: "copy",
            ours: "--legacy-deallocation-pipeline=introduce=copy --verify-ownership",
            theirs: None,
            must_be_cheaper: false,
        },
        Self {
            name: "hlo",
            ours: "--hlo-deallocation-pipeline",
            theirs: None,
            must_be_cheaper: false,
        },
    ];

    /// The older pass for itself, which is what mlir-opt has of its family. There, callers do not
    /// free what functions return, so that a function that returns its argument needs no copy.
    pub(crate) const ALONE: Self = Self {
        name: "buffer-deallocation",
        ours: "--expand-realloc=emit-deallocs=false --buffer-deallocation --verify-ownership",
        theirs: Some("--buffer-deallocation"),
        must_be_cheaper: false,
    };

    /// Whether mlir-opt has it too.
    pub(crate) fn has_peer(&self) -> bool {
        self.theirs.is_some()
    }
}

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
    pub(crate) allocations: u64,
    /// Clones and copies that were executed.
    pub(crate) copies: u64,
    pub(crate) bytes_copied: u64,
    pub(crate) peak_bytes: u64,
}

impl Cost {
    /// What is compared, with its name.
    pub(crate) fn numbers(&self) -> [(&'static str, u64); 4] {
        [
            ("allocations", self.allocations),
            ("copies", self.copies),
            ("bytes copied", self.bytes_copied),
            ("peak bytes", self.peak_bytes),
        ]
    }
}

/// How both compilers did.
#[derive(Clone, Debug)]
pub(crate) struct Compared {
    pub(crate) ours: Verdict,
    /// `None` if mlir-opt has nothing to compare with.
    pub(crate) theirs: Option<Verdict>,
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
    pub(crate) fn failure(&self, strategy: &Strategy) -> Option<Failure> {
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
        let Some(Verdict::Right(other)) = &self.theirs else {
            return None;
        };
        if !strategy.must_be_cheaper {
            return None;
        }
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
pub(crate) fn compare(strategy: &Strategy, programs: &[Arc<str>]) -> Result<Vec<Compared>, String> {
    let mut jobs = Vec::new();
    for program in programs {
        jobs.push(Job::new("run --dealloc=none -", program));
        jobs.push(Job::new(&format!("opt {} -", strategy.ours), program));
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
            End::Status(0) => Ok(ours.stdout.as_str().into()),
            End::Status(1) => Err(Verdict::Rejects(first_error(&ours.stderr))),
            End::Status(_) | End::Crash(_) => Err(Verdict::Crashes),
            End::Hang => Err(Verdict::Hangs),
        };
        let theirs = strategy.theirs;
        let theirs = theirs.map(|passes| compile_with_peer(passes, program));
        compiled.push((&reference.native, ours, theirs.transpose()?));
    }
    let texts = compiled
        .iter()
        .flat_map(|(_, ours, theirs)| [Some(ours), theirs.as_ref()]);
    let jobs: Vec<_> = texts
        .flatten()
        .flatten()
        .flat_map(|text| {
            // Counted is what deallocation does; optimizations remove allocations as well.
            ["-O0 --stats=json", "--check"]
                .map(|flags| Job::new(&format!("run --dealloc=none {flags} -"), text))
        })
        .collect();
    let outcomes = batch::run(&jobs)?;
    let mut outcomes = outcomes.chunks(2);
    let mut compared = Vec::new();
    for (expected, ours, theirs) in compiled {
        let mut judge = |text: Result<Arc<str>, Verdict>| match text {
            Ok(_) => match outcomes.next() {
                Some([counted, checked]) => verdict(expected, counted, checked),
                _ => Verdict::Wrong("was not run".into()),
            },
            Err(verdict) => verdict,
        };
        compared.push(Compared {
            ours: judge(ours),
            theirs: theirs.map(judge),
        });
    }
    Ok(compared)
}

/// What mlir-opt makes of a program.
fn compile_with_peer(passes: &str, program: &str) -> Result<Result<Arc<str>, Verdict>, String> {
    let mut command = Command::new("mlir-opt-19");
    command
        .arg(passes)
        // Naming the functions of a crash takes longer than everything else.
        .env("LLVM_DISABLE_SYMBOLIZATION", "1");
    let finished = process::run(&mut command, program.as_bytes(), Stderr::Separate, TIMEOUT);
    let finished = match finished {
        Ok(finished) => finished,
        Err(message) if message.contains("was killed") => return Ok(Err(Verdict::Hangs)),
        Err(message) => return Err(message),
    };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok(match finished.status {
        0 => Ok(text(finished.stdout).into()),
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
    let expected = without_addresses(expected);
    for output in [output, &checked.native] {
        if without_addresses(output) != expected {
            return wrong("different output");
        }
    }
    let number = |key: &str| statistic(statistics, key).unwrap_or(0);
    if number("allocs") != number("frees") || number("live_allocs_at_exit") != 0 {
        return wrong("memory leak");
    }
    Verdict::Right(Cost {
        allocations: number("allocs"),
        copies: number("clones") + number("copies"),
        bytes_copied: number("bytes_copied"),
        peak_bytes: number("peak_bytes"),
    })
}

/// Drops the addresses that are printed with the elements of a buffer.
fn without_addresses(output: &str) -> String {
    let mut parts = output.split("base@ = ");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once(' ').map_or("", |(_, rest)| rest));
    }
    text
}
