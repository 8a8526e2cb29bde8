//! What merging allocations does to random programs: the same output, and never a higher peak.
//!
//! Every program runs as written, with `--merge-alloc`, and with `--merge-alloc=always`, each with
//! counted allocations. At the end there is a table with what they needed.
//!
//! `cargo test --test merging` tries 120 programs; `FREEHOLD_PROGRAMS=2000` tries more,
//! `FREEHOLD_SEED=5000` begins with another one, `cargo test --test merging mixed` tries one shape.
//! What `--check` finds in merged programs is tested by `tests/random/`.

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

/// How many programs are tried unless `FREEHOLD_PROGRAMS` says otherwise.
const PROGRAMS: u64 = 120;

/// How many programs one child process runs.
const BATCH: usize = 20;

/// As written, and what is compared with that.
const COMMANDS: [&str; 3] = [
    "run --stats=json -",
    "run --merge-alloc --stats=json -",
    "run --merge-alloc=always --stats=json -",
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
        let jobs: Vec<Job> = seeds
            .iter()
            .flat_map(|&seed| {
                let text: Arc<str> = generate(seed, shape).into();
                COMMANDS.map(|command| Job::new(command, &text))
            })
            .collect();
        let outcomes = batch::run(&jobs)?;
        for (seed, outcomes) in seeds.iter().zip(outcomes.chunks(COMMANDS.len())) {
            if let Err(what) = row.add(outcomes) {
                let _ = writeln!(
                    message,
                    "{what}\nFREEHOLD_SEED={seed} FREEHOLD_PROGRAMS=1 cargo test --test merging {name}"
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

impl Row {
    /// Adds a program that ran once per command.
    fn add(&mut self, outcomes: &[Outcome]) -> Result<(), String> {
        let mut all: Vec<(&str, u64, u64)> = Vec::with_capacity(outcomes.len());
        for (command, outcome) in COMMANDS.iter().zip(outcomes) {
            let (output, statistics) = split_statistics(&outcome.native);
            let number = |key| statistic(statistics, key);
            match (outcome.end, number("allocs"), number("peak_bytes")) {
                (End::Status(0), Some(allocations), Some(peak)) => {
                    all.push((output, allocations, peak));
                }
                _ => return Err(format!("`{command}` fails: {}", outcome.stderr)),
            }
        }
        self.programs += 1;
        let (expected, allocations_before, peak_before) = all[0];
        for (need, &(_, allocations, peak)) in self.needs.iter_mut().zip(&all) {
            need.allocations += allocations;
            need.peak += peak;
            need.fewer += u64::from(allocations < allocations_before);
            need.lower += u64::from(peak < peak_before);
            need.higher += u64::from(peak > peak_before);
        }
        if all.iter().any(|&(output, ..)| output != expected) {
            return Err("merging changes the output".to_owned());
        }
        let (_, allocations, peak) = all[1];
        if peak > peak_before {
            return Err(format!("the peak grows from {peak_before} to {peak} bytes"));
        }
        if allocations > allocations_before {
            return Err(format!(
                "{allocations} allocations instead of {allocations_before}"
            ));
        }
        Ok(())
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
