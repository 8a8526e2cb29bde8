//! What merging allocations does to random programs: the same output, and never a higher peak.
//!
//! Every program runs as written, with `--merge-alloc`, and with `--merge-alloc=always`, each with
//! counted allocations; and all of that again with `--dealloc=hlo`. At the end there is a table with what
//! they needed with `--dealloc=ownership`.
//!
//! `cargo test --test merging` tries 120 programs; `FREEHOLD_PROGRAMS=2000` tries more,
//! `FREEHOLD_SEED=5000` begins with another one, `cargo test --test merging mixed` tries one shape.
//! What `--check` finds in merged programs is tested by `tests/random/`. The first program of a shape that
//! fails is made smaller, written to a file in the target folder and printed.

#[path = "../support/mod.rs"]
mod support;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};

use support::batch::{self, End, Job, Outcome};
use support::environment_number;
use support::generator::generate;
use support::generator::shape::Shape;
use support::native::{split_statistics, statistic};
use support::shrinking::shrink;

/// How many programs are tried unless `FREEHOLD_PROGRAMS` says otherwise.
const PROGRAMS: u64 = 120;

/// How many programs one child process runs.
const BATCH: usize = 20;

/// As written, and what is compared with that. Optimized code would have fewer buffers in the first: one
/// that nobody reads any more goes away, a part of an arena does not.
const COMMANDS: [&str; 3] = [
    "run -O0 --stats=json -",
    "run -O0 --merge-alloc --stats=json -",
    "run -O0 --merge-alloc=always --stats=json -",
];

/// The same with the buffers freed as MLIR-HLO does, which are not in the table.
const HLO_COMMANDS: [&str; 3] = [
    "run --dealloc=hlo --stats=json -",
    "run --dealloc=hlo --merge-alloc --stats=json -",
    "run --dealloc=hlo --merge-alloc=always --stats=json -",
];

/// What one of [`COMMANDS`] needed for some programs.
#[derive(Clone, Copy, Default)]
struct Need {
    allocations: u64,
    peak: u64,
    /// In how many programs there were fewer allocations than as written.
    fewer: u64,
    /// In how many the peak was lower.
    lower: u64,
    /// In how many it was higher.
    higher: u64,
}

/// The programs of one shape.
struct Row {
    name: String,
    programs: u64,
    needs: [Need; COMMANDS.len()],
}

/// The rows of the table, as far as tests are done.
type Rows = Arc<Mutex<Vec<Row>>>;

fn main() -> ExitCode {
    batch::serve_if_asked();
    let arguments = Arguments::from_args();
    let first = environment_number("FREEHOLD_SEED").unwrap_or(0);
    let total = environment_number("FREEHOLD_PROGRAMS").unwrap_or(PROGRAMS);
    let share = total.div_ceil(Shape::NAMED.len() as u64);
    let rows = Rows::default();
    let trials = Shape::NAMED.map(|(name, shape)| {
        let rows = Arc::clone(&rows);
        Trial::test(name, move || {
            test_shape(name, &shape, first..first + share, &rows)
        })
    });
    let conclusion = libtest_mimic::run(&arguments, trials.into());
    let mut rows = std::mem::take(&mut *rows.lock().expect("no test panics with the rows"));
    rows.sort_by_key(|row| Shape::NAMED.iter().position(|shape| shape.0 == row.name));
    if !rows.is_empty() {
        // Nothing to do when the terminal is gone.
        let _ = io::stdout().write_all(render(&rows).as_bytes());
    }
    conclusion.exit_code()
}

fn test_shape(
    name: &str,
    shape: &Shape,
    seeds: std::ops::Range<u64>,
    rows: &Rows,
) -> Result<(), Failed> {
    let mut row = Row {
        name: name.to_owned(),
        programs: 0,
        needs: [Need::default(); COMMANDS.len()],
    };
    let mut message = String::new();
    let seeds: Vec<u64> = seeds.collect();
    for seeds in seeds.chunks(BATCH) {
        let all: Vec<Job> = (seeds.iter())
            .flat_map(|&seed| jobs(&generate(seed, shape)))
            .collect();
        let outcomes = batch::run(&all)?;
        for (&seed, outcomes) in seeds.iter().zip(outcomes.chunks(JOBS)) {
            let failure = match all_needs(outcomes) {
                Ok(needs) => {
                    row.add(needs);
                    continue;
                }
                Err(failure) => failure,
            };
            let is_first = message.is_empty();
            let _ = writeln!(
                message,
                "{}: {}\nFREEHOLD_SEED={seed} FREEHOLD_PROGRAMS=1 cargo test --test merging {name}",
                failure.kind, failure.message
            );
            if is_first {
                let (file, small) = shrink("merging", name, seed, shape, failure.kind, |text| {
                    let outcomes = batch::run(&jobs(text));
                    outcomes.is_ok_and(|outcomes| {
                        all_needs(&outcomes).is_err_and(|smaller| smaller.kind == failure.kind)
                    })
                })?;
                let _ = writeln!(
                    message,
                    "{}, without the helper functions:\n{small}",
                    file.display()
                );
            }
        }
    }
    rows.lock().expect("no test panics with the rows").push(row);
    if message.is_empty() {
        Ok(())
    } else {
        Err(message.into())
    }
}

/// A program, once per command.
fn jobs(text: &str) -> Vec<Job> {
    let text: Arc<str> = text.into();
    let commands = COMMANDS.iter().chain(&HLO_COMMANDS);
    commands.map(|command| Job::new(command, &text)).collect()
}

/// How many commands each program goes through.
const JOBS: usize = COMMANDS.len() + HLO_COMMANDS.len();

/// What is wrong with a program.
struct Failure {
    kind: &'static str,
    message: String,
}

/// The allocations and the peak of a program that ran once per command.
type Needs = [(u64, u64); COMMANDS.len()];

/// What the program needs with [`COMMANDS`], which is checked for both lists.
fn all_needs(outcomes: &[Outcome]) -> Result<Needs, Failure> {
    let (outcomes, hlo) = outcomes.split_at(COMMANDS.len());
    let all = needs(&COMMANDS, outcomes)?;
    let fail = |kind, message| Err(Failure { kind, message });
    let [(allocations_before, peak_before), (allocations, peak), _] = all;
    if peak > peak_before {
        return fail(
            "the peak grows",
            format!("from {peak_before} to {peak} bytes"),
        );
    }
    if allocations > allocations_before {
        let message = format!("{allocations} instead of {allocations_before}");
        return fail("more allocations", message);
    }
    // That family does not take all programs that free buffers themselves. It reuses
    // buffers and puts small ones on the stack, which it may not do with an arena that
    // they are in; so there may be more allocations, and more bytes.
    if !hlo.iter().all(is_refused) {
        needs(&HLO_COMMANDS, hlo)?;
    }
    Ok(all)
}

/// Whether MLIR-HLO's family says that it does not take this program.
fn is_refused(outcome: &Outcome) -> bool {
    let refusal = "error: memref free side-effect on MemRef value not supported!";
    outcome.end == End::Status(1) && outcome.stderr.contains(refusal)
}

fn needs(commands: &[&str; COMMANDS.len()], outcomes: &[Outcome]) -> Result<Needs, Failure> {
    let fail = |kind, message| Err(Failure { kind, message });
    let mut all = [(0, 0); COMMANDS.len()];
    let mut expected = None;
    for (i, (command, outcome)) in commands.iter().zip(outcomes).enumerate() {
        let (output, statistics) = split_statistics(&outcome.native);
        let number = |key| statistic(statistics, key);
        match (outcome.end, number("allocs"), number("peak_bytes")) {
            (End::Status(0), Some(allocations), Some(peak)) => all[i] = (allocations, peak),
            _ => return fail("fails", format!("`{command}`: {}", outcome.stderr)),
        }
        if *expected.get_or_insert(output) != output {
            return fail("changes the output", format!("`{command}`"));
        }
    }
    Ok(all)
}

impl Row {
    /// Adds a program.
    fn add(&mut self, all: [(u64, u64); COMMANDS.len()]) {
        self.programs += 1;
        let (allocations_before, peak_before) = all[0];
        for (need, (allocations, peak)) in self.needs.iter_mut().zip(all) {
            need.allocations += allocations;
            need.peak += peak;
            need.fewer += u64::from(allocations < allocations_before);
            need.lower += u64::from(peak < peak_before);
            need.higher += u64::from(peak > peak_before);
        }
    }
}

/// The table of all rows, in Markdown.
fn render(rows: &[Row]) -> String {
    let mut text = String::from(
        "\n| programs | | allocations | `--merge-alloc` | fewer in | `always` | peak bytes | \
         `--merge-alloc` | lower in | higher in | `always` | lower in | higher in |\n\
         |---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let mut all = Row {
        name: "all".to_owned(),
        programs: 0,
        needs: [Need::default(); COMMANDS.len()],
    };
    for row in rows {
        all.programs += row.programs;
        for (sum, need) in all.needs.iter_mut().zip(row.needs) {
            sum.allocations += need.allocations;
            sum.peak += need.peak;
            sum.fewer += need.fewer;
            sum.lower += need.lower;
            sum.higher += need.higher;
        }
    }
    for row in rows.iter().chain([&all]) {
        let [before, careful, always] = row.needs;
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.name,
            row.programs,
            before.allocations,
            careful.allocations,
            careful.fewer,
            always.allocations,
            before.peak,
            careful.peak,
            careful.lower,
            careful.higher,
            always.peak,
            always.lower,
            always.higher
        );
    }
    text
}
