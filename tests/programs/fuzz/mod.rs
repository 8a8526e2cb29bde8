//! Broken programs: the inputs of the file tests with something wrong in them,
//! held against what `checks.rs` says of any text.
//!
//! A failure prints its seed and
//! the text. The same checks are the targets of cargo-fuzz (`fuzz_targets/`).

mod checks;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libtest_mimic::Failed;

use crate::support::generator::rng::Rng;
use crate::support::{first_seed, n_programs};

use checks::{Outcome, parse_verify_print, whole_pipeline};

/// How many mutations are tried.
const MUTATIONS: u64 = 1000;
/// How many tests share them.
const TESTS: u64 = 4;
/// Longer pieces are mutated rarely to something that gets past the parser.
const MAX_PIECE_BYTES: usize = 4000;

pub(crate) fn family() -> super::Family {
    let mut family = super::Family::new("fuzz");
    let first = first_seed();
    let share = n_programs(MUTATIONS).div_ceil(TESTS);
    let pieces = Arc::new(pieces());
    for n in 0..TESTS {
        let seeds = first + n * share..first + (n + 1) * share;
        let pieces = Arc::clone(&pieces);
        let name = format!("seeds-{}-{}", seeds.start, seeds.end);
        family.test(name, move || test(&pieces, seeds));
    }
    family
}

fn test(pieces: &[String], seeds: std::ops::Range<u64>) -> Result<(), Failed> {
    let n_mutations = seeds.end - seeds.start;
    let mut n_accepted = 0;
    for seed in seeds {
        let text = mutated(pieces, &mut Rng::new(seed));
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let outcome = parse_verify_print(&text);
            if outcome == Outcome::Accepted {
                whole_pipeline(&text);
            }
            outcome
        }));
        match outcome {
            Ok(outcome) => n_accepted += u64::from(outcome == Outcome::Accepted),
            Err(_) => return Err(format!("seed {seed} fails on this text:\n{text}").into()),
        }
    }
    // Nothing but rejected texts would test the parser alone.
    if n_mutations >= MUTATIONS / TESTS && n_accepted < n_mutations / 20 {
        return Err(format!("{n_accepted} of {n_mutations} are valid, which are too few").into());
    }
    Ok(())
}

/// The file tests and the examples.
pub(crate) fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let mut folders = vec![root.join("tests"), root.join("examples")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "mlir")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The programs in the file tests.
fn pieces() -> Vec<String> {
    let mut pieces = Vec::new();
    for file in files() {
        // Tests of the lexer hold bytes that are no text.
        let text = fs::read_to_string(file).unwrap_or_default();
        pieces.extend(
            text.split("// -----")
                .flat_map(|piece| piece.split("\n\n"))
                .filter(|piece| piece.len() < MAX_PIECE_BYTES && piece.contains('%'))
                .map(str::to_owned),
        );
    }
    pieces
}

/// A piece with one to three mistakes in it.
fn mutated(pieces: &[String], rng: &mut Rng) -> String {
    let text = rng.pick(pieces).clone();
    changed(text, pieces, rng)
}

/// `text` with one to three mistakes in it.
pub(crate) fn changed(mut text: String, pieces: &[String], rng: &mut Rng) -> String {
    for _ in 0..rng.range(1, 3) {
        text = match rng.below(10) {
            0..4 => on_tokens(&text, pieces, rng),
            4..8 => on_lines(&text, pieces, rng),
            8 => on_characters(&text, rng),
            _ => format!("{text}\n{}", rng.pick(pieces)),
        };
    }
    text
}

/// Words and single other characters, in order and without loss.
fn tokens(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || "_%@#$.!-".contains(c);
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (token, others) = rest.split_at(length);
        tokens.push(token);
        rest = others;
    }
    tokens
}

fn on_tokens(text: &str, pieces: &[String], rng: &mut Rng) -> String {
    const SPECIAL: &[&str] = &[
        "0",
        "-1",
        "9223372036854775807",
        "-9223372036854775808",
        "?",
        "*",
        "x",
        "i1",
        "i0",
        "index",
        "f32",
        "memref<?xf32>",
        "memref<*xi8>",
        "vector<4xf32>",
        "()",
        "{",
        "}",
        "\"",
        "//",
        "0x",
        "1e999",
        "%0",
        "^bb0",
        "@main",
        "loc(unknown)",
        "true",
        "array<i64>",
    ];
    let mut all = tokens(text);
    let Some(last) = all.len().checked_sub(1) else {
        return String::new();
    };
    let at = rng.range(0, last);
    let donor = tokens(rng.pick::<String>(pieces));
    match rng.below(5) {
        0 => {
            all.remove(at);
        }
        1 => all[at] = *rng.pick::<&str>(SPECIAL),
        2 => all[at] = *rng.pick::<&str>(&donor),
        3 => all.insert(at, *rng.pick::<&str>(&donor)),
        _ => {
            // Another token of this text: often of the right kind.
            let other = all[rng.range(0, last)];
            all[at] = other;
        }
    }
    all.concat()
}

fn on_lines(text: &str, pieces: &[String], rng: &mut Rng) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let Some(last) = lines.len().checked_sub(1) else {
        return String::new();
    };
    let (at, other) = (rng.range(0, last), rng.range(0, last));
    match rng.below(4) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[other]),
        2 => lines.swap(at, other),
        _ => {
            let donor: Vec<&str> = rng.pick::<String>(pieces).lines().collect();
            if !donor.is_empty() {
                lines.insert(at, *rng.pick::<&str>(&donor));
            }
        }
    }
    lines.join("\n")
}

fn on_characters(text: &str, rng: &mut Rng) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let at = rng.range(0, characters.len());
    match rng.below(3) {
        0 => characters.truncate(at),
        1 => characters.insert(at, char::from(rng.next() as u8)),
        _ => {
            let end = characters.len().min(at + rng.range(1, 20));
            characters.drain(at..end);
        }
    }
    characters.into_iter().collect()
}
