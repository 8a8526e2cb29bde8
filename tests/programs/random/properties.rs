//! What must hold for every program.

use std::sync::Arc;

use crate::support::batch::{self, End, Job, Outcome};
use crate::support::native::{error_kinds, rounding, split_errors, split_statistics, statistic};
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

/// A program, and its turn for what only some programs go through.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) text: Arc<str>,
    pub(crate) family: Family,
    /// `None` goes through everything.
    pub(crate) turn: Option<u64>,
}

/// What a program is tried with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Family {
    Ownership,
    /// Needs programs that do not write to buffers that have met others: see
    /// [`Shape::quiet`](crate::support::generator::shape::Shape::quiet).
    Copies,
}

impl Family {
    fn strategies(self) -> &'static [Strategy] {
        match self {
            Self::Ownership => &OWNERSHIP,
            Self::Copies => &COPIES,
        }
    }

    /// The passes whose results the checker of ownership must accept: all programs go through the
    /// first, and one after the other has a turn with one of the others.
    fn pipelines(self) -> &'static [&'static str] {
        match self {
            Self::Ownership => &VERIFIED,
            Self::Copies => &["--legacy-deallocation-pipeline"],
        }
    }
}

const VERIFIED: [&str; 10] = [
    "--buffer-deallocation-pipeline",
    "--ownership-based-buffer-deallocation",
    "--ownership-based-buffer-deallocation --lower-deallocations",
    "--ownership-based-buffer-deallocation --buffer-deallocation-simplification \
     --bufferization-lower-deallocations=lowering=specialized",
    "--ownership-based-buffer-deallocation --bufferization-lower-deallocations=lowering=generic",
    "--ownership-based-buffer-deallocation=private-function-dynamic-ownership=true",
    "--ownership-based-buffer-deallocation=private-function-dynamic-ownership=true \
     --lower-deallocations",
    "--ownership-based-buffer-deallocation=private-function-dynamic-ownership=true \
     --bufferization-lower-deallocations=lowering=generic",
    "--buffer-deallocation-pipeline=private-function-dynamic-ownership=true",
    "--hlo-deallocation-pipeline",
];

/// A way of freeing buffers, to be compared with a run that frees nothing.
struct Strategy {
    name: &'static str,
    /// What happens to the text before it is run, if anything.
    opt: Option<&'static str>,
    /// The run; with `--check` or with `--stats=json`.
    run: &'static str,
    /// Each of this many programs has a turn.
    every: u64,
}

/// The peak of the second must not be above that of the first, without optimizations: they remove a
/// buffer that nobody reads any more, but not a part of an arena.
const PEAKS: [&str; 2] = ["ownership, counted", "merged where the peak cannot grow"];

const OWNERSHIP: [Strategy; 24] = [
    Strategy {
        name: PEAKS[0],
        opt: None,
        run: "-O0 --dealloc=ownership --stats=json",
        every: 1,
    },
    Strategy {
        name: "ownership, checked",
        opt: None,
        run: "--dealloc=ownership --check",
        every: 1,
    },
    Strategy {
        name: "ownership with generic deallocs",
        opt: None,
        run: "--dealloc=ownership --dealloc-lowering=generic --check",
        every: 2,
    },
    Strategy {
        name: "ownership with specialized deallocs",
        opt: None,
        run: "--dealloc=ownership --dealloc-lowering=specialized -O0 --check",
        every: 2,
    },
    Strategy {
        name: "ownership, printed and parsed",
        opt: Some("--buffer-deallocation-pipeline"),
        run: "--dealloc=none --check",
        every: 4,
    },
    Strategy {
        name: "merged allocations, then ownership",
        opt: None,
        run: "--merge-alloc=always --dealloc=ownership --check",
        every: 2,
    },
    Strategy {
        name: PEAKS[1],
        opt: None,
        run: "-O0 --merge-alloc --dealloc=ownership --stats=json",
        every: 1,
    },
    Strategy {
        name: "merged where the peak cannot grow, checked",
        opt: None,
        run: "--merge-alloc --dealloc=ownership --check",
        every: 2,
    },
    Strategy {
        name: "ownership, then merged allocations",
        opt: Some("--buffer-deallocation-pipeline --merge-alloc"),
        run: "--dealloc=none --check",
        every: 4,
    },
    Strategy {
        name: "hlo, counted",
        opt: None,
        run: "--merge-alloc=never --dealloc=hlo --stats=json",
        every: 2,
    },
    Strategy {
        name: "hlo, checked",
        opt: None,
        run: "--dealloc=hlo --check",
        every: 2,
    },
    Strategy {
        name: "hlo, merged where the peak cannot grow",
        opt: None,
        run: "--merge-alloc --dealloc=hlo --stats=json",
        every: 2,
    },
    Strategy {
        name: "hlo, merged where the peak cannot grow, checked",
        opt: None,
        run: "--merge-alloc --dealloc=hlo --check",
        every: 4,
    },
    Strategy {
        name: "dynamic ownership",
        opt: Some(concat!(
            "--buffer-deallocation-pipeline=",
            "private-function-dynamic-ownership=true"
        )),
        run: "--dealloc=none --check",
        every: 2,
    },
    Strategy {
        name: "dynamic ownership, inlined",
        opt: None,
        run: "--dealloc=ownership --private-function-dynamic-ownership --check",
        every: 4,
    },
    Strategy {
        name: "dynamic ownership, twice",
        opt: Some(concat!(
            "--ownership-based-buffer-deallocation=private-function-dynamic-ownership=true ",
            "--buffer-deallocation-pipeline=private-function-dynamic-ownership=true"
        )),
        run: "--dealloc=none --check",
        every: 8,
    },
    // What one pipeline has printed, every other one leaves as it is.
    Strategy {
        name: "hlo, printed, then ownership",
        opt: Some("--hlo-deallocation-pipeline"),
        run: "--dealloc=ownership --check",
        every: 2,
    },
    Strategy {
        name: "hlo, printed, then clone",
        opt: Some("--hlo-deallocation-pipeline"),
        run: "--dealloc=clone --check",
        every: 4,
    },
    Strategy {
        name: "hlo, printed, then hlo",
        opt: Some("--hlo-deallocation-pipeline=keep-public-signatures=true"),
        run: "--dealloc=hlo --check",
        every: 2,
    },
    Strategy {
        name: "ownership with runtime deallocs, printed, then hlo",
        opt: Some("--buffer-deallocation-pipeline=lowering=runtime"),
        run: "--dealloc=hlo -O3 --check",
        every: 2,
    },
    Strategy {
        name: "ownership with runtime deallocs, printed, then copy",
        opt: Some("--buffer-deallocation-pipeline=lowering=runtime"),
        run: "--dealloc=copy -O1 --check",
        every: 4,
    },
    Strategy {
        name: "the program's own deallocs with each lowering",
        opt: Some(
            "'--expand-realloc=emit-deallocs=false keep-freed=true' \
             --ownership-based-buffer-deallocation --expand-realloc",
        ),
        run: "--dealloc=none --dealloc-lowering=generic --check",
        every: 4,
    },
    Strategy {
        name: "ownership, machine code not optimized",
        opt: None,
        run: "--dealloc=ownership --codegen-level=0 --stats=json",
        every: 2,
    },
    Strategy {
        name: "ownership, compiled in parts",
        opt: None,
        run: "--dealloc=ownership --part-ops=1 --stats=json",
        every: 2,
    },
];

const COPIES: [Strategy; 5] = [
    Strategy {
        name: "clones, checked",
        opt: None,
        run: "--dealloc=clone --check",
        every: 1,
    },
    Strategy {
        name: "copies, counted",
        opt: None,
        run: "--dealloc=copy --stats=json",
        every: 1,
    },
    Strategy {
        name: "buffer-deallocation with clones alone",
        opt: Some("--expand-realloc=emit-deallocs=false --buffer-deallocation --verify-ownership"),
        run: "--dealloc=none --check",
        every: 2,
    },
    Strategy {
        name: "buffer-deallocation with copies, and copy-removal",
        opt: Some(
            "--expand-realloc=emit-deallocs=false --buffer-deallocation=introduce=copy \
             --copy-removal --promote-buffers-to-stack",
        ),
        run: "--dealloc=none --check",
        every: 2,
    },
    Strategy {
        name: "clones, machine code not optimized",
        opt: None,
        run: "--dealloc=clone --codegen-level=0 --stats=json",
        every: 2,
    },
];

/// A group of properties that are checked together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    Text,
    Native,
}

/// Checks all properties of some programs; `None` for a program with nothing wrong.
pub(crate) fn check(cases: &[Case]) -> Result<Vec<Option<Failure>>, String> {
    let mut failures = check_stage(cases, Stage::Text)?;
    let native = check_stage(cases, Stage::Native)?;
    for (failure, native) in failures.iter_mut().zip(native) {
        if failure.is_none() {
            *failure = native;
        }
    }
    Ok(failures)
}

/// Checks the properties of one stage.
pub(crate) fn check_stage(cases: &[Case], stage: Stage) -> Result<Vec<Option<Failure>>, String> {
    match stage {
        Stage::Text => text_properties(cases),
        Stage::Native => native_properties(cases),
    }
}

/// Runs lists of commands, all in one batch; gives the outcomes in lists of the same lengths.
fn run_all(jobs: Vec<Vec<Job>>) -> Result<Vec<Vec<Outcome>>, String> {
    let lengths: Vec<_> = jobs.iter().map(Vec::len).collect();
    let jobs: Vec<_> = jobs.into_iter().flatten().collect();
    let mut outcomes = batch::run(&jobs)?.into_iter();
    let take = |length| outcomes.by_ref().take(length).collect();
    Ok(lengths.into_iter().map(take).collect())
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
fn text_properties(cases: &[Case]) -> Result<Vec<Option<Failure>>, String> {
    let commands = ["opt -", "opt --mlir-print-op-generic -"];
    let print = |case: &Case| {
        commands
            .map(|command| Job::new(command, &case.text))
            .to_vec()
    };
    let printed = run_all(cases.iter().map(print).collect())?;
    let parse = |outcome: &Outcome| Job::new("opt -", &outcome.stdout.as_str().into());
    let again = printed
        .iter()
        .map(|outcomes| outcomes.iter().map(parse).collect());
    let again = run_all(again.collect())?;
    let mut failures: Vec<_> = printed
        .iter()
        .zip(&again)
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

/// mlir-opt prints `%0#1` as an operand of a case of `cf.switch` and does not parse it again.
const CASE_OPERAND: &str = "result number not allowed in argument list";

/// What mlir-opt has to say about each text, if it is there.
fn peer_accepts(texts: &[&str]) -> Result<Vec<Option<Failure>>, String> {
    let none = vec![None; texts.len()];
    // The family says that this is left out.
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
            let is_wrong = finished.status != 0 && !stderr.contains(CASE_OPERAND);
            Ok(is_wrong.then(|| failure(format!("{TEXT}mlir-opt rejects what we print"), stderr)))
        })
        .collect()
}

// Native runs.

fn native_properties(cases: &[Case]) -> Result<Vec<Option<Failure>>, String> {
    let references = run_all(
        cases
            .iter()
            .map(|case| {
                // Without any free, leaks are all that can be wrong.
                let run = Job::new("run --dealloc=none --check -", &case.text);
                let pipelines = case.family.pipelines();
                let turn = (case.turn).map(|turn| turn as usize % pipelines.len());
                let has_turn = |&(number, _): &(usize, &&str)| {
                    number == 0 || turn.is_none_or(|turn| turn == number)
                };
                let pipelines = pipelines.iter().enumerate().filter(has_turn);
                let verify = pipelines.map(|(_, passes)| {
                    Job::new(&format!("opt {passes} --verify-ownership -"), &case.text)
                });
                [run].into_iter().chain(verify).collect()
            })
            .collect(),
    )?;
    let strategies: Vec<Vec<&Strategy>> = cases
        .iter()
        .map(|case| {
            let has_turn = |&(index, strategy): &(u64, &Strategy)| {
                case.turn
                    .is_none_or(|turn| (turn + index).is_multiple_of(strategy.every))
            };
            let strategies = (0..).zip(case.family.strategies()).filter(has_turn);
            strategies.map(|(_, strategy)| strategy).collect()
        })
        .collect();
    let prepared = prepare(cases, &strategies)?;
    let runs = strategies.iter().zip(&prepared).map(|(strategies, texts)| {
        let texts = texts.iter().map(|outcome| match outcome {
            Prepared::AsIs(text) => Arc::clone(text),
            Prepared::Opt(outcome) => outcome.stdout.as_str().into(),
        });
        let jobs = strategies.iter().zip(texts);
        jobs.map(|(strategy, text)| Job::new(&format!("run {} -", strategy.run), &text))
            .collect()
    });
    let runs = run_all(runs.collect())?;
    let mut failures = Vec::new();
    for number in 0..cases.len() {
        let Some((reference, verified)) = references[number].split_first() else {
            return Err("every command has an outcome".into());
        };
        let property = || {
            let output = reference_output(reference)?;
            for ((strategy, prepared), run) in strategies[number]
                .iter()
                .zip(&prepared[number])
                .zip(&runs[number])
            {
                let case = &cases[number];
                if let Prepared::Opt(outcome) = prepared {
                    if is_refused(case, strategy, outcome) {
                        continue;
                    }
                    expect_success(&format!("opt for {}", strategy.name), outcome)?;
                }
                if !is_refused(case, strategy, run) {
                    native_property(strategy, &output, run)?;
                }
            }
            let runs = || strategies[number].iter().zip(&runs[number]);
            let of = |name, key| {
                let run = runs().find(|(strategy, _)| strategy.name == name);
                run.and_then(|(_, run)| statistic(&run.native, key))
            };
            let allocations = of(PEAKS[0], "allocs").unwrap_or(0);
            if let [Some(unmerged), Some(merged)] = PEAKS.map(|name| of(name, "peak_bytes"))
                && merged > unmerged + rounding(&cases[number].text, allocations)
            {
                let message = format!("{merged} bytes instead of {unmerged}");
                return Err(failure(format!("{}: higher peak", PEAKS[1]), message));
            }
            let is_taken = |outcome: &&Outcome| {
                ![NOT_FREED, NOT_OWNED]
                    .iter()
                    .any(|refusal| says_only(outcome, refusal))
            };
            (verified.iter().filter(is_taken))
                .try_for_each(|outcome| expect_success("verify-ownership", outcome))
        };
        failures.push(property().err());
    }
    Ok(failures)
}

/// What MLIR-HLO's family says of frees of the program's own where it cannot rule out
/// that another value it has to own is the same buffer, and of nothing else.
const NOT_FREED: &str = "memref free side-effect on MemRef value not supported!";

/// What callers of functions that free buffers are told, if these may return others' as well.
const NOT_OWNED: &str = "functions that free buffers themselves need callers that do";

/// Errors about programs that a strategy does not take.
struct Refusal {
    /// A part of the options of such strategies.
    strategy: &'static str,
    /// Operations that a program must have, one of each list.
    operations: &'static [&'static [&'static str]],
    /// How all of its errors end.
    error: &'static str,
}

/// Operations that free what the program allocates.
const FREES: &[&str] = &["memref.dealloc", "memref.realloc"];

/// Calls of functions that are not known.
const INDIRECT: &[&str] = &["func.call_indirect"];

const REFUSALS: [Refusal; 4] = [
    Refusal {
        strategy: "--dealloc=hlo",
        operations: &[FREES],
        error: NOT_FREED,
    },
    Refusal {
        strategy: "--dealloc=c",
        operations: &[INDIRECT],
        error: "has to be copied, and the other one is read afterwards",
    },
    Refusal {
        strategy: "--dealloc=c",
        operations: &[&["memref.extract_strided_metadata"]],
        error: "accesses an element in front of a view that has to be copied",
    },
    Refusal {
        strategy: "--dealloc=none",
        operations: &[FREES, INDIRECT],
        error: NOT_OWNED,
    },
];

/// Whether a program is one that the strategy says it does not take, and that is all that it says.
fn is_refused(case: &Case, strategy: &Strategy, run: &Outcome) -> bool {
    REFUSALS.iter().any(|refusal| {
        let has_one = |names: &&[&str]| names.iter().any(|name| case.text.contains(name));
        strategy.run.contains(refusal.strategy)
            && refusal.operations.iter().all(has_one)
            && says_only(run, refusal.error)
    })
}

fn says_only(outcome: &Outcome, refusal: &str) -> bool {
    let errors = outcome.stderr.lines();
    let mut errors = errors.filter(|line| line.contains("error: ")).peekable();
    outcome.end == End::Status(1)
        && errors.peek().is_some()
        && errors.all(|error| error.ends_with(refusal))
}

/// The text that a strategy runs.
enum Prepared {
    AsIs(Arc<str>),
    /// What `opt` printed.
    Opt(Outcome),
}

fn prepare(cases: &[Case], strategies: &[Vec<&Strategy>]) -> Result<Vec<Vec<Prepared>>, String> {
    let jobs = cases.iter().zip(strategies).map(|(case, strategies)| {
        let passes = strategies.iter().filter_map(|strategy| strategy.opt);
        passes
            .map(|passes| Job::new(&format!("opt {passes} -"), &case.text))
            .collect()
    });
    let outcomes = run_all(jobs.collect())?;
    let prepared = cases.iter().zip(strategies).zip(outcomes);
    let prepared = prepared.map(|((case, strategies), outcomes)| {
        let mut outcomes = outcomes.into_iter();
        let mut prepare = |strategy: &&Strategy| match strategy.opt.and_then(|_| outcomes.next()) {
            Some(outcome) => Prepared::Opt(outcome),
            None => Prepared::AsIs(Arc::clone(&case.text)),
        };
        strategies.iter().map(&mut prepare).collect()
    });
    Ok(prepared.collect())
}

/// What the program prints when nothing is freed. It must not misuse memory then, or the generator
/// is wrong.
fn reference_output(reference: &Outcome) -> Result<String, Failure> {
    let (errors, output) = split_errors(&reference.native);
    if reference.end != End::Status(3) || errors.iter().any(|error| !error.contains("memory leak"))
    {
        expect_success("run without deallocation", reference)?;
    }
    Ok(output)
}

fn native_property(strategy: &Strategy, expected: &str, outcome: &Outcome) -> Result<(), Failure> {
    let name = strategy.name;
    let (errors, output) = split_errors(&outcome.native);
    if outcome.end == End::Status(3) {
        return Err(failure(
            format!("{name}: {}", error_kinds(&errors)),
            errors.join("\n"),
        ));
    }
    expect_success(name, outcome)?;
    let (output, statistics) = split_statistics(&output);
    if output != expected {
        let message = first_difference(expected, output);
        return Err(failure(format!("{name}: different output"), message));
    }
    let number = |key: &str| statistic(statistics, key);
    if number("allocs") != number("frees") || number("live_allocs_at_exit").is_some_and(|n| n > 0) {
        return Err(failure(
            format!("{name}: allocations are not frees"),
            statistics,
        ));
    }
    Ok(())
}
