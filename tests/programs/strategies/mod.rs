//! Small dedicated generators, one per shape of programs, run in every way that Freehold frees
//! buffers.
//!
//! The generator of `tests/support/generator/` mixes all control flow and all kinds of buffers; those
//! here each make one shape that it does not reach, so that a file of 100 lines covers it densely.
//! Every program runs without optimizations and without deallocation first; each way to free its
//! buffers, unoptimized and optimized, with and without merged allocations, must print the same, leak
//! nothing and misuse nothing. Each way and program has two of the five levels, the next program others;
//! `FREEHOLD_VARIANTS=5` tries all.
//!
//! To add a shape: a module with `generate`, and a row in [`SHAPES`].

pub(crate) mod arenas;
pub(crate) mod asynchronous;
mod derived;
mod functions;
mod layouts;
mod overlap;
mod parallel;
mod reallocs;
pub(crate) mod returned;
mod stores;
pub(crate) mod swaps;
mod tensors;
mod tiles;
mod unranked;
mod views;
mod wide_loops;
mod writer;

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use libtest_mimic::Failed;

use crate::support::batch::{self, End, Job, Outcome};
use crate::support::generator::rng::scramble;
use crate::support::native::{error_kinds, split_errors};
use crate::support::{environment_number, first_seed, n_programs};

/// How many programs of each shape are tried.
const PROGRAMS: u64 = 2;

/// How many programs one child process runs.
const BATCH: usize = 10;

/// A generator of programs that have something in common.
struct Shape {
    name: &'static str,
    /// The text of the program with this seed: a `@main` that prints results and terminates. It frees
    /// nothing, or what it frees it frees in every run.
    generate: fn(u64) -> String,
    /// Whether programs write to buffers that have met others: strategies that copy may refuse them.
    writes_after_merges: bool,
    /// Whether calls return buffers under several names and programs tell whether these are one: strategies that copy
    /// may refuse them.
    names_results: NamesResults,
}

impl Shape {
    /// Whether strategies that copy may say that the copies could be told.
    fn may_be_refused(&self) -> bool {
        self.writes_after_merges || self.names_results != NamesResults::Once
    }

    /// Whether buffers stay that nobody can free.
    fn may_leak(&self) -> bool {
        self.name == "outlived"
    }
}

/// Whether functions return buffers under several names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NamesResults {
    /// No.
    Once,
    /// Yes.
    Twice,
    /// Arguments too, which ownership copies.
    Arguments,
}

const SHAPES: [Shape; 20] = [
    Shape {
        name: "arenas",
        generate: arenas::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "asynchronous",
        generate: asynchronous::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "asynchronous_lost",
        generate: asynchronous::generate_lost,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "derived",
        generate: derived::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "carried",
        generate: derived::generate_carried,
        writes_after_merges: true,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "outlived",
        generate: derived::generate_outlived,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "functions",
        generate: functions::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "layouts",
        generate: layouts::generate,
        writes_after_merges: false,
        names_results: NamesResults::Twice,
    },
    Shape {
        name: "overlap",
        generate: overlap::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "parallel",
        generate: parallel::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "reallocs",
        generate: reallocs::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "returned",
        generate: returned::generate,
        writes_after_merges: false,
        names_results: NamesResults::Twice,
    },
    Shape {
        name: "returned_arguments",
        generate: returned::generate_with_arguments,
        writes_after_merges: false,
        names_results: NamesResults::Arguments,
    },
    Shape {
        name: "stores",
        generate: stores::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "swaps",
        generate: swaps::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "tensors",
        generate: tensors::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "tiles",
        generate: tiles::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "unranked",
        generate: unranked::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "views",
        generate: views::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
    Shape {
        name: "wide_loops",
        generate: wide_loops::generate,
        writes_after_merges: false,
        names_results: NamesResults::Once,
    },
];

/// What every program is compared with.
const REFERENCE: &str = "run -O0 --dealloc=none -";

/// A way to free buffers: passes that go before, if any, and the flags of `run`.
struct Strategy {
    name: &'static str,
    before: &'static str,
    flags: &'static str,
}

impl Strategy {
    /// Whether callers get copies of arguments that are returned.
    fn copies_arguments(&self) -> bool {
        let is_ownership =
            |text: &str| text.contains("=ownership") || text.contains("buffer-deallocation");
        is_ownership(self.before) || is_ownership(self.flags)
    }
}

const STRATEGIES: [Strategy; 27] = [
    Strategy {
        name: "none, optimized",
        before: "",
        // Leaks are no news here.
        flags: "--dealloc=none --stats=json",
    },
    // The same IR with machine code of each level.
    Strategy {
        name: "none, machine code not optimized",
        before: "",
        flags: "--dealloc=none --codegen-level=0",
    },
    Strategy {
        name: "none, machine code optimized for size",
        before: "",
        flags: "--dealloc=none --codegen-level=1",
    },
    Strategy {
        name: "none, machine code optimized",
        before: "",
        flags: "--dealloc=none --codegen-level=2",
    },
    Strategy {
        name: "none, compiled in parts",
        before: "",
        flags: "--dealloc=none --part-ops=1",
    },
    Strategy {
        name: "ownership",
        before: "",
        flags: "--dealloc=ownership --check",
    },
    Strategy {
        name: "ownership, printed, verified and parsed",
        before: "--convert-to-signless --one-shot-bufferize=bufferize-function-boundaries --buffer-deallocation-pipeline --verify-ownership",
        flags: "--dealloc=none --check",
    },
    Strategy {
        name: "dynamic ownership",
        before: "--convert-to-signless --one-shot-bufferize=bufferize-function-boundaries --buffer-deallocation-pipeline=private-function-dynamic-ownership=true",
        flags: "--dealloc=none --check",
    },
    Strategy {
        name: "dynamic ownership, inlined",
        before: "",
        flags: "--dealloc=ownership --private-function-dynamic-ownership --check",
    },
    // Whatever analyses give up, programs stay right.
    Strategy {
        name: "ownership, analyses give up at once",
        before: "",
        flags: "--dealloc=ownership --check --cap-analyses=0",
    },
    Strategy {
        name: "hlo, analyses give up soon",
        before: "",
        flags: "--dealloc=hlo --check --cap-analyses=2",
    },
    Strategy {
        name: "clone, analyses give up soon",
        before: "",
        flags: "--dealloc=clone --check --cap-analyses=1",
    },
    Strategy {
        name: "hlo, two threads",
        before: "",
        flags: "--dealloc=hlo --check --threads=2",
    },
    Strategy {
        name: "generic deallocs, two threads",
        before: "",
        flags: "--dealloc=ownership --dealloc-lowering=generic --check --threads=2",
    },
    Strategy {
        name: "runtime deallocs, seven threads",
        before: "",
        flags: "--dealloc=ownership --dealloc-lowering=runtime --check --threads=7",
    },
    Strategy {
        name: "specialized deallocs, seven threads",
        before: "",
        flags: "--dealloc=ownership --dealloc-lowering=specialized --stats=json --threads=7",
    },
    Strategy {
        name: "the program's own deallocs, generic, seven threads",
        before: concat!(
            "--convert-to-signless --one-shot-bufferize=bufferize-function-boundaries ",
            "'--expand-realloc=emit-deallocs=false keep-freed=true' ",
            "--ownership-based-buffer-deallocation --expand-realloc"
        ),
        flags: "--dealloc=none --dealloc-lowering=generic --check --threads=7",
    },
    Strategy {
        name: "the program's own deallocs, runtime, two threads",
        before: concat!(
            "--convert-to-signless --one-shot-bufferize=bufferize-function-boundaries ",
            "'--expand-realloc=emit-deallocs=false keep-freed=true' ",
            "--ownership-based-buffer-deallocation --expand-realloc"
        ),
        flags: "--dealloc=none --dealloc-lowering=runtime --check --threads=2",
    },
    // What one pipeline has printed, every other one leaves as it is.
    Strategy {
        name: "hlo, printed, then ownership",
        before: "--convert-to-signless --one-shot-bufferize=bufferize-function-boundaries --hlo-deallocation-pipeline",
        flags: "--dealloc=ownership --check --threads=2",
    },
    Strategy {
        name: "hlo, printed, then clone",
        before: "--convert-to-signless --one-shot-bufferize=bufferize-function-boundaries --hlo-deallocation-pipeline=keep-public-signatures=true",
        flags: "--dealloc=clone --check",
    },
    Strategy {
        name: "runtime deallocs, printed, then hlo",
        before: "--convert-to-signless --one-shot-bufferize=bufferize-function-boundaries --buffer-deallocation-pipeline=lowering=runtime",
        flags: "--dealloc=hlo --check",
    },
    Strategy {
        name: "runtime deallocs, printed, then copy",
        before: "--convert-to-signless --one-shot-bufferize=bufferize-function-boundaries --buffer-deallocation-pipeline=lowering=runtime",
        flags: "--dealloc=copy --check",
    },
    Strategy {
        name: "dynamic ownership, printed, then hlo",
        before: "--convert-to-signless --one-shot-bufferize=bufferize-function-boundaries --buffer-deallocation-pipeline=private-function-dynamic-ownership=true",
        flags: "--dealloc=hlo --check",
    },
    Strategy {
        name: "dynamic ownership, printed, then copy",
        before: "--convert-to-signless --one-shot-bufferize=bufferize-function-boundaries --buffer-deallocation-pipeline=private-function-dynamic-ownership=true",
        flags: "--dealloc=copy --check",
    },
    Strategy {
        name: "generic deallocs, printed, then ownership",
        before: "--convert-to-signless --one-shot-bufferize=bufferize-function-boundaries --buffer-deallocation-pipeline=lowering=generic",
        flags: "--dealloc=ownership --check --threads=2",
    },
    Strategy {
        name: "clone",
        before: "",
        flags: "--dealloc=clone --check",
    },
    Strategy {
        name: "copy",
        before: "",
        flags: "--dealloc=copy --check",
    },
];

/// Programs of which some functions went through a pipeline and the others did not: what these call frees itself,
/// without saying so. For shapes without tensors.
const HALVES: [Strategy; 6] = [
    Strategy {
        name: "deallocs in some functions, then ownership",
        before: "--buffer-deallocation-pipeline",
        flags: "--dealloc=ownership --check",
    },
    Strategy {
        name: "deallocs in some functions, then hlo",
        before: "--buffer-deallocation-pipeline",
        flags: "--dealloc=hlo --check",
    },
    Strategy {
        name: "deallocs in some functions, then clone",
        before: "--buffer-deallocation-pipeline",
        flags: "--dealloc=clone --check",
    },
    Strategy {
        name: "runtime deallocs in some functions, then copy",
        before: "--buffer-deallocation-pipeline=lowering=runtime",
        flags: "--dealloc=copy --check",
    },
    Strategy {
        name: "runtime deallocs in some functions, then dynamic ownership",
        before: "--buffer-deallocation-pipeline=lowering=runtime",
        flags: "--dealloc=ownership --private-function-dynamic-ownership --check",
    },
    Strategy {
        name: "generic deallocs in some functions, then hlo",
        before: "--buffer-deallocation-pipeline=lowering=generic",
        flags: "--dealloc=hlo --check --threads=2",
    },
];

/// What is said of calls that nobody knows the owner of the result of.
const UNKNOWN_OWNER: &str = "functions that free buffers themselves need callers that do";

/// What is said of lowered deallocs of unranked buffers in loops, whose conditions are calls of the runtime: they are
/// refused, and nothing is wrong.
const REFUSED: [(&str, &str); 2] = [
    (
        "runtime deallocs, printed, then hlo",
        "memref free side-effect on MemRef value not supported!",
    ),
    ("runtime deallocs, printed, then copy", UNKNOWN_OWNER),
];

/// What is combined with every strategy.
const VARIANTS: [&str; 5] = [
    "-O0",
    "-O1 --merge-alloc=never --vector-bits=128",
    "-O0 --merge-alloc=always",
    "-O2 --merge-alloc --vector-bits=256",
    "-O3",
];

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("strategies");
    let first = first_seed();
    let programs = n_programs(PROGRAMS);
    for shape in &SHAPES {
        family.test(shape.name, move || {
            test_shape(shape, first..first + programs)
        });
    }
    family
}

/// A program that failed.
struct Failure {
    seed: u64,
    message: String,
}

fn test_shape(shape: &Shape, seeds: Range<u64>) -> Result<(), Failed> {
    let mut failures: Vec<Failure> = Vec::new();
    let seeds: Vec<u64> = seeds.collect();
    for seeds in seeds.chunks(BATCH) {
        failures.extend(failures_of(shape, seeds)?);
    }
    let Some(first) = failures.first() else {
        return Ok(());
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join(format!("strategies-{}-{}.mlir", shape.name, first.seed));
    fs::write(&file, (shape.generate)(first.seed))?;
    let failing: Vec<String> = (failures.iter())
        .take(12)
        .map(|failure| failure.seed.to_string())
        .collect();
    Err(format!(
        "{} of {} programs fail, seeds {}\n{}\n{}\nFREEHOLD_SEED={} FREEHOLD_PROGRAMS=1 cargo test \
         --test programs strategies/{}",
        failures.len(),
        seeds.len(),
        failing.join(" "),
        file.display(),
        first.message,
        first.seed,
        shape.name
    )
    .into())
}

/// The runs of one program, each with what it is called.
struct Run {
    name: String,
    /// The strategy, whose passes go before.
    strategy: &'static Strategy,
    /// Which functions went through these passes, bit by bit.
    processed: u64,
    command: String,
    /// Whether it may say that it would have to copy a buffer that is written through two names.
    may_refuse: bool,
    /// Whether it must print what the program prints without deallocation.
    prints_the_same: bool,
}

/// What is said where copies of buffers could be told from these.
pub(crate) const LOST_WRITE: &str =
    "writes through one of two names of a buffer that has to be copied";

/// What is said where a buffer that has to be copied is handed on together with a view of it.
const COPY_AND_VIEW: &str = "which has to be copied, and a value derived from it";

/// What passes say of programs whose bodies they cannot tell the end of; `run` runs another one before.
const LATER: [&str; 2] = [
    "'--run-async-in-order' makes a program without it",
    "'--async-func-to-async-runtime' makes a body of it",
];

/// What is said where an analysis with a low cap cannot tell that.
const LOST_WRITE_UNKNOWN: &str = "is too large to tell whether a write is lost";

/// What is said of buffers that are not freed because their addresses may be used for longer, or an analysis with a low cap
/// cannot tell.
const OUTLIVED: &str = "something made of this buffer outlives it: it is not freed";

/// How many levels each way to free buffers is tried with for a program.
const USUAL_VARIANTS: usize = 2;

/// As many for each program.
fn runs(shape: &Shape, seed: u64) -> Vec<Run> {
    let n_variants = environment_number("FREEHOLD_VARIANTS").map_or(USUAL_VARIANTS, |n| n as usize);
    let chosen = scramble(seed);
    // Callers that went through a pipeline free the arguments that others return: callees come first.
    let callees_first = (1 << (chosen % 8)) - 1;
    let (halves, processed): (&[Strategy], u64) = match shape.names_results {
        NamesResults::Once => (&[], 0),
        NamesResults::Twice if shape.name == "returned" => (&HALVES, chosen),
        NamesResults::Twice | NamesResults::Arguments => (&HALVES, callees_first),
    };
    let whole = STRATEGIES.iter().map(|strategy| (strategy, u64::MAX));
    let halves = halves.iter().map(|strategy| (strategy, processed));
    whole
        .chain(halves)
        .enumerate()
        .flat_map(|(number, (strategy, processed))| {
            let first = (number as u64 + seed) as usize % VARIANTS.len();
            let variants = VARIANTS.iter().cycle().skip(first);
            variants.take(n_variants).map(move |variant| Run {
                name: format!("{} {variant}", strategy.name),
                strategy,
                processed,
                command: format!("run {variant} {} -", strategy.flags),
                may_refuse: shape.may_be_refused()
                    && ["=clone", "=copy", "=hlo"]
                        .iter()
                        .any(|way| strategy.flags.contains(way)),
                prints_the_same: shape.names_results != NamesResults::Arguments
                    || !strategy.copies_arguments(),
            })
        })
        .collect()
}

/// The program `text` with those of its functions taken from `processed`, which prints the same ones and possibly
/// more, whose bit in `which` is set.
fn mixed(text: &str, processed: &str, which: u64) -> String {
    let name_of = |function: &str| {
        let start = function.find('@').unwrap_or(0);
        let end = function[start..].find('(').unwrap_or(0);
        function[start..start + end].to_owned()
    };
    let original = functions_of(text);
    let names: Vec<String> = original.iter().map(|function| name_of(function)).collect();
    let lines = text.lines().chain(processed.lines());
    let aliases = lines.filter(|line| line.starts_with('#'));
    let mut mixed: String = aliases.flat_map(|line| [line, "\n"]).collect();
    for function in functions_of(processed) {
        let known = names.iter().position(|name| *name == name_of(function));
        mixed.push_str(match known {
            Some(number) if which >> (number % 64) & 1 == 0 => original[number],
            _ => function,
        });
    }
    mixed
}

/// The functions of a program, each a text that starts with a line of its own.
fn functions_of(program: &str) -> Vec<&str> {
    const START: &str = "func.func ";
    let is_module = program.starts_with("module") || program.contains("\nmodule");
    let program = match is_module {
        true => program.trim_end().trim_end_matches('}'),
        false => program,
    };
    let indent = if is_module { "\n  " } else { "\n" };
    let starts = program.match_indices(START).map(|(start, _)| start);
    let starts = starts.filter(|&start| start == 0 || program[..start].ends_with(indent));
    let starts: Vec<usize> = starts.collect();
    let ends = starts.iter().skip(1).copied().chain([program.len()]);
    (starts.iter().zip(ends))
        .map(|(&start, end)| &program[start..end])
        .collect()
}

/// The passes that go before some strategies.
fn befores() -> Vec<&'static str> {
    let mut befores: Vec<&str> = STRATEGIES
        .iter()
        .chain(&HALVES)
        .map(|strategy| strategy.before)
        .filter(|before| !before.is_empty())
        .collect();
    befores.sort_unstable();
    befores.dedup();
    befores
}

/// What is wrong with the programs with these seeds, the first thing of each.
fn failures_of(shape: &Shape, seeds: &[u64]) -> Result<Vec<Failure>, String> {
    let texts: Vec<Arc<str>> = (seeds.iter())
        .map(|&seed| (shape.generate)(seed).into())
        .collect();
    let runs: Vec<Vec<Run>> = seeds.iter().map(|&seed| runs(shape, seed)).collect();
    // The reference, then the passes that go before some strategies.
    let befores = &befores();
    let prepared: Vec<Job> = (texts.iter())
        .flat_map(|text| {
            let passes = befores.iter().map(|before| format!("opt {before} -"));
            [REFERENCE.to_owned()]
                .into_iter()
                .chain(passes)
                .map(|command| Job::new(&command, text))
        })
        .collect();
    let prepared = batch::run(&prepared)?;
    let prepared: Vec<&[Outcome]> = prepared.chunks(1 + befores.len()).collect();
    let jobs: Vec<Job> = (texts.iter().zip(&prepared).zip(&runs))
        .flat_map(|((text, prepared), runs)| {
            runs.iter().map(move |run| {
                let before = run.strategy.before;
                match befores.iter().position(|&known| known == before) {
                    Some(number) => {
                        let processed = prepared[1 + number].stdout.as_str();
                        let text = match run.processed {
                            u64::MAX => processed.to_owned(),
                            which => mixed(text, processed, which),
                        };
                        Job::new(&run.command, &Arc::from(text))
                    }
                    None => Job::new(&run.command, text),
                }
            })
        })
        .collect();
    let outcomes = batch::run(&jobs)?;
    let found = (seeds.iter().zip(prepared).zip(&runs))
        .zip(outcomes.chunks(runs[0].len()))
        .filter_map(|(((&seed, prepared), runs), outcomes)| {
            let message = first_failure(shape, runs, prepared, outcomes)?;
            Some(Failure { seed, message })
        });
    Ok(found.collect())
}

/// What is wrong with one program, whose passes may refuse it if copies could be told.
fn first_failure(
    shape: &Shape,
    runs: &[Run],
    prepared: &[Outcome],
    outcomes: &[Outcome],
) -> Option<String> {
    let may_refuse = shape.may_be_refused();
    let (reference, passes) = prepared.split_first()?;
    if reference.end != End::Status(0) {
        return Some(format!("the reference fails: {}", said(reference)));
    }
    let mut refused = Vec::new();
    let mut leaking = Vec::new();
    for (before, outcome) in befores().into_iter().zip(passes) {
        let may_leak = shape.may_leak() || outcome.stderr.contains(OUTLIVED);
        if may_leak {
            leaking.push(before);
        }
        if may_refuse && is_refused(outcome)
            || may_leak && is_leak_alone(&outcome.stderr)
            || LATER.iter().any(|text| outcome.stderr.contains(text))
        {
            refused.push(before);
        } else if outcome.end != End::Status(0) {
            return Some(format!("{before}: {}", said(outcome)));
        }
    }
    (runs.iter().zip(outcomes)).find_map(|(run, outcome)| {
        if refused.contains(&run.strategy.before) {
            return None;
        }
        let is_known = |&(name, message): &(&str, &str)| {
            run.strategy.name == name && outcome.stderr.contains(message)
        };
        if shape.name == "unranked" && outcome.end == End::Status(1) && REFUSED.iter().any(is_known)
        {
            return None;
        }
        let may_leak = shape.may_leak()
            || leaking.contains(&run.strategy.before)
            || outcome.stderr.contains(OUTLIVED);
        let (mut errors, output) = split_errors(&outcome.native);
        errors.retain(|line| !(may_leak && line.contains("memory leak")));
        let output = output
            .rfind("{\"allocs\"")
            .map_or(output.as_str(), |end| &output[..end]);
        if !errors.is_empty() {
            let errors = format!("{}\n{}", error_kinds(&errors), errors.join("\n"));
            return Some(format!("{}: {errors}", run.name));
        }
        let gave_up =
            run.command.contains("--cap-analyses") && outcome.stderr.contains(LOST_WRITE_UNKNOWN);
        let is_unknown = run.processed != u64::MAX && outcome.stderr.contains(UNKNOWN_OWNER);
        if run.may_refuse && is_refused(outcome) || gave_up || is_unknown {
            return None;
        }
        if may_leak && is_leak_alone(&outcome.stderr) {
            return None;
        }
        // Other errors of memory were seen above.
        let ends_well =
            outcome.end == End::Status(0) || may_leak && outcome.end == End::Status(MEMORY_ERRORS);
        if !ends_well {
            return Some(format!("{}: {}", run.name, said(outcome)));
        }
        (run.prints_the_same && output != reference.native).then(|| {
            format!(
                "{}: prints\n{output}instead of\n{}",
                run.name, reference.native
            )
        })
    })
}

/// The status of `run --check` where it found errors.
const MEMORY_ERRORS: u8 = 3;

/// Whether the proof says that buffers are never freed, and nothing else is wrong.
fn is_leak_alone(stderr: &str) -> bool {
    let mut errors = stderr
        .lines()
        .filter(|line| line.contains("error: "))
        .peekable();
    errors.peek().is_some() && errors.all(|line| line.ends_with("is never freed"))
}

/// Whether a strategy says that the program could tell its copies.
fn is_refused(outcome: &Outcome) -> bool {
    let says = |refusal: &&str| outcome.stderr.contains(refusal);
    [LOST_WRITE, COPY_AND_VIEW].iter().any(says)
}

/// How a command ended and what it said.
fn said(outcome: &Outcome) -> String {
    format!("{:?}\n{}{}", outcome.end, outcome.stderr, outcome.native)
}
