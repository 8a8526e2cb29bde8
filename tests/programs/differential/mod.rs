//! The ways in which Freehold frees buffers on the same programs, and what mlir-opt 19 has of them.
//!
//! All results are run natively. Freehold's must print what the program prints when nothing is
//! freed, leak nothing and misuse nothing; where mlir-opt's does so too, Freehold's must not execute
//! more copies or allocations nor need more memory. At the end there are tables of how both did, and
//! of what each way costs.
//!
//! Programs are those in `inputs/`, the examples and random ones; `cargo test --test programs
//! differential/clone-mixed` tries one shape with one strategy.

mod compare;
mod table;

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex};

use libtest_mimic::Failed;

use crate::support::generator::generate;
use crate::support::generator::shape::Shape;
use crate::support::shrinking::shrink;
use crate::support::{first_seed, n_programs};
use compare::{Compared, Strategy, compare};
use table::Row;

/// How many random programs are tried.
const PROGRAMS: u64 = 30;

/// How many programs one child process runs.
const BATCH: usize = 20;

/// Folders with programs, by what they are called in the tables.
const FOLDERS: [(&str, &str); 2] = [
    ("inputs", "tests/programs/differential/inputs"),
    ("examples", "examples"),
];

/// The rows of the table, as far as tests are done.
type Rows = Arc<Mutex<Vec<Row>>>;

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("differential");
    let first = first_seed();
    let total = n_programs(PROGRAMS);
    let share = total.div_ceil(Shape::NAMED.len() as u64);
    let rows = Rows::default();
    for strategy in &Strategy::ALL {
        for (name, folder) in FOLDERS {
            let rows = Arc::clone(&rows);
            family.test_with(&["mlir-opt-19"], trial_name(strategy, name), move || {
                test_folder(strategy, name, folder, &rows)
            });
        }
        for (name, shape) in Shape::NAMED {
            // A pass may copy buffers where they meet, so programs must not be able to tell. Clones
            // that are there already mlir-opt takes away without a look at writes.
            let shape = Shape {
                clones: false,
                ..shape.quiet()
            };
            let rows = Arc::clone(&rows);
            family.test_with(&["mlir-opt-19"], trial_name(strategy, name), move || {
                test_shape(strategy, name, &shape, first..first + share, &rows)
            });
        }
    }
    family.tables = Box::new(move || {
        let mut rows = rows.lock().expect("no test panics with the rows");
        rows.sort_by_key(|row| {
            let folder = FOLDERS.iter().position(|folder| folder.0 == row.name);
            let shape = Shape::NAMED.iter().position(|shape| shape.0 == row.name);
            (shape, folder)
        });
        match rows.is_empty() {
            true => String::new(),
            false => table::render(&rows),
        }
    });
    family
}

fn trial_name(strategy: &Strategy, programs: &str) -> String {
    format!("{}-{programs}", strategy.name)
}

/// Compares programs in batches.
fn compare_all(strategy: &Strategy, texts: &[Arc<str>]) -> Result<Vec<Compared>, String> {
    let batches = texts.chunks(BATCH).map(|texts| compare(strategy, texts));
    Ok(batches.collect::<Result<Vec<_>, _>>()?.concat())
}

fn finish(row: Row, rows: &Rows) {
    rows.lock().expect("no test panics with the rows").push(row);
}

fn test_folder(
    strategy: &'static Strategy,
    name: &str,
    folder: &str,
    rows: &Rows,
) -> Result<(), Failed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut files: Vec<_> = entries.iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.extension() == Some("mlir".as_ref()));
    files.sort();
    let texts = files.iter().map(fs::read_to_string);
    let texts: Vec<Arc<str>> = texts
        .map(|text| text.map(Arc::from))
        .collect::<io::Result<_>>()?;
    let mut row = Row::new(strategy, name);
    let mut message = String::new();
    for (file, compared) in files.iter().zip(compare_all(strategy, &texts)?) {
        if let Some(failure) = compared.failure(strategy) {
            let _ = writeln!(
                message,
                "{}: {}\n{}",
                file.display(),
                failure.kind,
                failure.message
            );
        }
        row.add(&compared);
    }
    finish(row, rows);
    if message.is_empty() {
        Ok(())
    } else {
        Err(message.into())
    }
}

fn test_shape(
    strategy: &'static Strategy,
    name: &str,
    shape: &Shape,
    seeds: std::ops::Range<u64>,
    rows: &Rows,
) -> Result<(), Failed> {
    let texts: Vec<Arc<str>> = seeds
        .clone()
        .map(|seed| generate(seed, shape).into())
        .collect();
    let mut row = Row::new(strategy, name);
    let mut failures = Vec::new();
    for (seed, compared) in seeds.zip(compare_all(strategy, &texts)?) {
        failures.extend(compared.failure(strategy).map(|failure| (seed, failure)));
        row.add(&compared);
    }
    finish(row, rows);
    let mut message = String::new();
    let mut kinds: Vec<&str> = failures
        .iter()
        .map(|(_, failure)| failure.kind.as_str())
        .collect();
    kinds.sort_unstable();
    kinds.dedup();
    for kind in kinds {
        let mut same = failures.iter().filter(|(_, failure)| failure.kind == kind);
        let seeds: Vec<_> = same.clone().map(|(seed, _)| seed.to_string()).collect();
        let Some((seed, failure)) = same.next() else {
            continue;
        };
        let mut last = failure.clone();
        let trial = trial_name(strategy, name);
        let (file, small) = shrink("differential", &trial, *seed, shape, kind, |text| {
            let compared = compare(strategy, &[text.into()]);
            let compared = compared.ok().and_then(|mut all| all.pop());
            match compared.and_then(|compared| compared.failure(strategy)) {
                Some(smaller) if smaller.kind == kind => {
                    last = smaller;
                    true
                }
                _ => false,
            }
        })?;
        let _ = writeln!(
            message,
            "{kind}: {} programs, seeds {}\n{}\n\
             FREEHOLD_SEED={seed} FREEHOLD_PROGRAMS=1 cargo test --test programs differential/{trial}\n\
             {}, without the helper functions:\n{small}",
            seeds.len(),
            seeds.join(" "),
            last.message,
            file.display(),
        );
    }
    if message.is_empty() {
        Ok(())
    } else {
        Err(message.into())
    }
}
