//! What merging allocations does to random programs and to the examples: the same output, with
//! `--merge-alloc` never a higher peak but for what alignments cost, with that and `--merge-alloc=always` never more allocations.
//!
//! Every program runs without merging and in both ways, each with counted allocations: with every way to free
//! buffers, unoptimized and optimized. At the end there is a table with what they needed with
//! `--dealloc=ownership -O0`.
//!
//! What `--check` finds in merged programs is tested by `tests/programs/random/` and `tests/programs/strategies/`. The
//! first program of a shape that fails is made smaller, written to a file in the target folder and printed.

mod workspaces;

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use libtest_mimic::Failed;

use crate::support::batch::{self, End, Job, Outcome};
use crate::support::generator::generate;
use crate::support::generator::shape::Shape;
use crate::support::native::{rounding, split_statistics, statistic};
use crate::support::shrinking::shrink;
use crate::support::{first_seed, n_programs};

use super::strategies::{arenas, returned, swaps};

/// How many programs are tried.
const PROGRAMS: u64 = 12;

/// How many programs one child process runs.
const BATCH: usize = 20;

/// As written, and what is compared with that.
const COMMANDS: [&str; 3] = [
    "--merge-alloc=never",
    "--merge-alloc",
    "--merge-alloc=always",
];

/// What all of [`COMMANDS`] are combined with; the first is in the table.
const WAYS: [&str; 8] = [
    "-O0 --dealloc=ownership",
    "-O2 --dealloc=ownership",
    "-O0 --dealloc=hlo",
    "-O2 --dealloc=hlo",
    "-O0 --dealloc=clone",
    "-O2 --dealloc=clone",
    "-O0 --dealloc=copy",
    "-O2 --dealloc=copy",
];

/// How often each program runs.
const JOBS: usize = COMMANDS.len() * WAYS.len();

/// Programs that have something in common.
enum Kind {
    Shape(Shape),
    /// Those of `tests/programs/strategies/arenas.rs`.
    Arenas,
    /// Those of `tests/programs/strategies/swaps.rs`.
    Swaps,
    /// Those of `tests/programs/strategies/returned.rs`.
    Returned,
}

impl Kind {
    fn program(&self, seed: u64) -> String {
        match self {
            Self::Shape(shape) => generate(seed, shape),
            Self::Arenas => arenas::generate(seed),
            Self::Returned => returned::generate(seed),
            Self::Swaps => swaps::generate(seed),
        }
    }
}

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

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("merging");
    let first = first_seed();
    let total = n_programs(PROGRAMS);
    let named = Shape::NAMED.map(|(name, shape)| (name, Kind::Shape(shape)));
    let kinds: Vec<(&str, Kind)> = named
        .into_iter()
        .chain([("arenas", Kind::Arenas), ("swaps", Kind::Swaps)])
        .collect();
    let share = total.div_ceil(kinds.len() as u64);
    let rows = Rows::default();
    let names: Vec<&str> = kinds.iter().map(|kind| kind.0).collect();
    for (name, kind) in kinds {
        let rows = Arc::clone(&rows);
        family.test(name, move || {
            test_kind(name, &kind, first..first + share, &rows)
        });
    }
    family.test("examples", test_examples);
    let [structured, ..] = Shape::NAMED;
    for (name, kind, share) in [
        ("workspaces-swaps", Kind::Swaps, 2),
        ("workspaces-arenas", Kind::Arenas, 40),
        ("workspaces-returned", Kind::Returned, 4),
        ("workspaces-structured", Kind::Shape(structured.1), 24),
    ] {
        family.test(name, move || workspaces::test(name, &kind, share));
    }
    family.tables = Box::new(move || {
        let mut rows = rows.lock().expect("no test panics with the rows");
        rows.sort_by_key(|row| names.iter().position(|&name| name == row.name));
        match rows.is_empty() {
            true => String::new(),
            false => render(&rows),
        }
    });
    family
}

/// All programs of the examples folder.
fn test_examples() -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    files.retain(|file| file.extension().is_some_and(|end| end == "mlir"));
    files.sort();
    for file in files {
        let text = fs::read_to_string(&file)?;
        let outcomes = batch::run(&jobs(&text))?;
        if let Err(failure) = all_needs(&text, &outcomes) {
            let file = file.display();
            return Err(format!("{file}: {}: {}", failure.kind, failure.message).into());
        }
    }
    Ok(())
}

fn test_kind(
    name: &str,
    kind: &Kind,
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
            .flat_map(|&seed| jobs(&kind.program(seed)))
            .collect();
        let outcomes = batch::run(&all)?;
        for (&seed, outcomes) in seeds.iter().zip(outcomes.chunks(JOBS)) {
            let failure = match all_needs(&kind.program(seed), outcomes) {
                Ok(needs) => {
                    row.add(needs);
                    continue;
                }
                Err(failure) => failure,
            };
            let is_first = message.is_empty();
            let _ = writeln!(
                message,
                "{}: {}\nFREEHOLD_SEED={seed} FREEHOLD_PROGRAMS=1 cargo test --test programs merging/{name}",
                failure.kind, failure.message
            );
            if is_first && let Kind::Arenas | Kind::Swaps = kind {
                let file = Path::new(env!("CARGO_TARGET_TMPDIR"))
                    .join(format!("merging-{name}-{seed}.mlir"));
                fs::write(&file, kind.program(seed))?;
                let _ = writeln!(message, "{}", file.display());
            }
            if is_first && let Kind::Shape(shape) = kind {
                let (file, small) = shrink("merging", name, seed, shape, failure.kind, |text| {
                    let outcomes = batch::run(&jobs(text));
                    outcomes.is_ok_and(|outcomes| {
                        all_needs(text, &outcomes)
                            .is_err_and(|smaller| smaller.kind == failure.kind)
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

/// A program, once per command in every way.
fn jobs(text: &str) -> Vec<Job> {
    let text: Arc<str> = text.into();
    let lines = WAYS.iter().flat_map(|way| {
        let line = move |command: &&str| format!("run {way} {command} --stats=json -");
        COMMANDS.iter().map(line)
    });
    lines.map(|line| Job::new(&line, &text)).collect()
}

/// What is wrong with a program.
struct Failure {
    kind: &'static str,
    message: String,
}

/// The allocations and the peak of a program that ran once per command.
type Needs = [(u64, u64); COMMANDS.len()];

/// What the program needs in the first way; all are checked.
fn all_needs(text: &str, outcomes: &[Outcome]) -> Result<Needs, Failure> {
    let mut first = None;
    for (way, outcomes) in WAYS.iter().zip(outcomes.chunks(COMMANDS.len())) {
        // These families do not take all programs.
        if outcomes.iter().all(is_refused) {
            continue;
        }
        let all = needs(way, outcomes)?;
        let fail = |kind, i: usize, (before, after)| {
            let message = format!("`{way} {}`: {before} become {after}", COMMANDS[i]);
            Err(Failure { kind, message })
        };
        let (allocations_before, peak_before) = all[0];
        let most = peak_before.saturating_add(rounding(text, allocations_before));
        for (i, &(allocations, peak)) in all.iter().enumerate() {
            if allocations > allocations_before {
                return fail("more allocations", i, (allocations_before, allocations));
            }
            if COMMANDS[i] == "--merge-alloc" && peak > most {
                return fail("the peak grows", i, (peak_before, peak));
            }
        }
        first.get_or_insert(all);
    }
    let message = "in every way".into();
    first.ok_or(Failure {
        kind: "refused",
        message,
    })
}

/// Whether MLIR-HLO's family says that it does not take this program, or the older one that it would have to copy a
/// buffer of two names.
fn is_refused(outcome: &Outcome) -> bool {
    let refusals = [
        "error: memref free side-effect on MemRef value not supported!",
        "writes through one of two names of a buffer that has to be copied",
    ];
    let says = |refusal: &&str| outcome.stderr.contains(refusal);
    outcome.end == End::Status(1) && refusals.iter().any(says)
}

fn needs(way: &str, outcomes: &[Outcome]) -> Result<Needs, Failure> {
    let fail = |kind, message| Err(Failure { kind, message });
    let mut all = [(0, 0); COMMANDS.len()];
    let mut expected = None;
    for (i, (command, outcome)) in COMMANDS.iter().zip(outcomes).enumerate() {
        let (output, statistics) = split_statistics(&outcome.native);
        // Buffers that are printed have their address in front.
        let output: Vec<&str> = (output.lines())
            .filter(|line| !line.contains("base@ = "))
            .collect();
        let number = |key| statistic(statistics, key);
        match (outcome.end, number("allocs"), number("peak_bytes")) {
            (End::Status(0), Some(allocations), Some(peak)) => all[i] = (allocations, peak),
            _ => {
                let message = format!("`{way} {command}`: {}", outcome.stderr);
                return fail("fails", message);
            }
        }
        if *expected.get_or_insert_with(|| output.clone()) != output {
            return fail("changes the output", format!("`{way} {command}`"));
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
