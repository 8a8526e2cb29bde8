//! What Freehold prints means the same to mlir-opt 19 as what it read.
//!
//! For every piece of every `.mlir` file here and in `examples/` that both accept, mlir-opt's generic
//! form of Freehold's output is mlir-opt's generic form of the input, or of what mlir-opt prints for
//! the input: a default value that is spelled out gets lost in custom form.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::in_process::freehold;
use crate::support::peer;
use freehold::exit;

/// What separates the pieces of a file.
const SPLIT: &str = "// -----";

/// Pieces that one mlir-opt process gets.
const BATCH: usize = 50;

/// The fewest pieces that have to be compared; most of the others are wrong on purpose.
const PIECES: usize = 200;

#[test]
fn printed_files_mean_the_same_to_the_peer() {
    if peer::find("mlir-opt-19").is_none() {
        return peer::skipped("mlir-opt-19 is not installed");
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["tests", "examples"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    // Name, input and output of each piece.
    let mut pieces = Vec::new();
    for file in &files {
        let Ok(text) = fs::read_to_string(file) else {
            continue;
        };
        for (number, piece) in text.split(SPLIT).enumerate() {
            if let Some(printed) = print(piece) {
                pieces.push((
                    format!("{} #{number}", file.display()),
                    piece.to_owned(),
                    printed,
                ));
            }
        }
    }
    let mut n_compared = 0;
    let mut wrong = Vec::new();
    for batch in pieces.chunks(BATCH) {
        let inputs = generic(batch.iter().map(|piece| piece.1.as_str()));
        let outputs = generic(batch.iter().map(|piece| piece.2.as_str()));
        for (((name, piece, printed), input), output) in batch.iter().zip(inputs).zip(outputs) {
            // Nothing: mlir-opt rejects what it read.
            if input.is_empty() {
                continue;
            }
            n_compared += 1;
            if input != output
                && generic([reprint(piece).as_str()].into_iter()) != [output.as_str()]
            {
                let mut lines = input.lines().zip(output.lines());
                let difference = lines.find(|(a, b)| a != b);
                wrong.push(format!("{name}: {difference:?}\n{printed}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {n_compared} pieces:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(n_compared >= PIECES, "only {n_compared} pieces");
}

/// Finds the `.mlir` files below `folder`.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "mlir")
        {
            files.push(path);
        }
    }
}

/// What Freehold prints for a text that it accepts.
fn print(text: &str) -> Option<String> {
    let output = freehold(&["opt", "--allow-unregistered-dialect", "-"], text);
    (output.status == exit::OK).then_some(output.stdout)
}

/// What mlir-opt prints for a text.
fn reprint(text: &str) -> String {
    let mlir_opt = peer::find("mlir-opt-19").expect("looked for before");
    peer::run(&mlir_opt, &["--allow-unregistered-dialect"], text)
        .map(|finished| String::from_utf8_lossy(&finished.stdout).into_owned())
        .unwrap_or_default()
}

/// mlir-opt's generic form of each text, empty for those that it rejects.
fn generic<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mlir_opt = peer::find("mlir-opt-19").expect("looked for before");
    let texts: Vec<&str> = texts.collect();
    let arguments = [
        "--split-input-file",
        "--mlir-print-op-generic",
        "--mlir-print-local-scope",
        "--allow-unregistered-dialect",
    ];
    let split = format!("\n{SPLIT}\n");
    let output = |texts: &[&str]| {
        // An error in one piece is no reason to drop the others.
        peer::run(&mlir_opt, &arguments, &texts.join(&split))
            .map(|finished| String::from_utf8_lossy(&finished.stdout).into_owned())
            .unwrap_or_default()
    };
    let all = output(&texts);
    let pieces: Vec<_> = all.split(SPLIT).map(peer::normalize).collect();
    if pieces.len() == texts.len() {
        return pieces;
    }
    // It crashed.
    let each = texts.iter().map(|&text| peer::normalize(&output(&[text])));
    each.collect()
}
