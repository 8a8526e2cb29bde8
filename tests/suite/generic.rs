//! What Freehold prints means the same to mlir-opt as what it read, of both versions.
//!
//! For every piece of every `.mlir` file here and in `examples/` that both accept, mlir-opt's generic
//! form of Freehold's output is mlir-opt's generic form of the input, or of what mlir-opt prints for
//! the input: a default value that is spelled out gets lost in custom form. What MLIR 19 reads, MLIR 22 reads
//! as Freehold prints it for MLIR 22.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::in_process::freehold;
use crate::support::peer;
use freehold::exit;

/// What separates the pieces of a file.
const SPLIT: &str = "// -----";

/// Pieces that one mlir-opt process gets.
const BATCH: usize = 50;

/// The fewest pieces that have to be compared; most of the others are wrong on purpose.
const PIECES: usize = 200;

/// A version of MLIR and its mlir-opt.
#[derive(Clone, Copy)]
struct Peer {
    version: &'static str,
    mlir_opt: &'static str,
}

const PEER_19: Peer = Peer {
    version: "19",
    mlir_opt: "mlir-opt-19",
};
const PEER_22: Peer = Peer {
    version: "22",
    mlir_opt: "mlir-opt-22",
};

/// What MLIR 22 has nothing for or reads differently, or what is read as what it stands for.
const NOT_IN_22: [&str; 6] = [
    "vector.matrix_multiply",
    "vector.flat_transpose",
    "linalg.contract",
    "= memref.assume_alignment",
    "llvm.mlir.global",
    // Broadcasts in transfers, printed in bounds as MLIR 19 asks.
    "affine_map<(d0, d1) -> (0)>",
];

fn printed_files_mean_the_same_to_mlir_19() {
    compare_with(PEER_19);
}

fn printed_files_mean_the_same_to_mlir_22() {
    compare_with(PEER_22);
}

fn compare_with(peer: Peer) {
    let pieces = printed_pieces(peer);
    let mut n_compared = 0;
    let mut wrong = Vec::new();
    for batch in pieces.chunks(BATCH) {
        let inputs = generic(peer, batch.iter().map(|piece| piece.input.as_str()));
        let outputs = generic(peer, batch.iter().map(|piece| piece.printed.as_str()));
        for ((piece, input), output) in batch.iter().zip(inputs).zip(outputs) {
            // Nothing: mlir-opt rejects what it read.
            if input.is_empty() {
                continue;
            }
            n_compared += 1;
            if input != output
                && generic(peer, [reprint(peer, &piece.input).as_str()].into_iter())
                    != [output.as_str()]
            {
                let mut lines = input.lines().zip(output.lines());
                let difference = lines.find(|(a, b)| a != b);
                wrong.push(format!("{}: {difference:?}\n{}", piece.name, piece.printed));
            }
        }
    }
    report(&wrong, n_compared);
}

fn what_mlir_19_reads_is_printed_for_mlir_22() {
    let pieces = printed_pieces(PEER_22);
    let mut n_compared = 0;
    let mut wrong = Vec::new();
    for batch in pieces.chunks(BATCH) {
        let older = generic(PEER_19, batch.iter().map(|piece| piece.input.as_str()));
        let newer = generic(PEER_22, batch.iter().map(|piece| piece.printed.as_str()));
        for ((piece, older), newer) in batch.iter().zip(older).zip(newer) {
            if older.is_empty() {
                continue;
            }
            n_compared += 1;
            if newer.is_empty() {
                wrong.push(format!("{}: not read\n{}", piece.name, piece.printed));
            }
        }
    }
    report(&wrong, n_compared);
}

fn report(wrong: &[String], n_compared: usize) {
    assert!(
        wrong.is_empty(),
        "{} of {n_compared} pieces:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(n_compared >= PIECES, "only {n_compared} pieces");
}

/// A piece of a file.
struct Piece {
    name: String,
    input: String,
    printed: String,
}

/// All pieces that Freehold accepts, printed for this version of MLIR.
fn printed_pieces(peer: Peer) -> Vec<Piece> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["tests", "examples"] {
        collect(&root.join(folder), &mut files);
    }
    files.sort();
    let mut pieces = Vec::new();
    for file in &files {
        let Ok(text) = fs::read_to_string(file) else {
            continue;
        };
        for (number, input) in text.split(SPLIT).enumerate() {
            if peer.version == "22" && NOT_IN_22.iter().any(|name| input.contains(name)) {
                continue;
            }
            if let Some(printed) = print(peer, input) {
                pieces.push(Piece {
                    name: format!("{} #{number}", file.display()),
                    input: input.to_owned(),
                    printed,
                });
            }
        }
    }
    pieces
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
fn print(peer: Peer, text: &str) -> Option<String> {
    let version = format!("--mlir-version={}", peer.version);
    let output = freehold(
        &["opt", "--allow-unregistered-dialect", &version, "-"],
        text,
    );
    (output.status == exit::OK).then_some(output.stdout)
}

/// What mlir-opt prints for a text.
fn reprint(peer: Peer, text: &str) -> String {
    let mlir_opt = peer::tool(peer.mlir_opt);
    peer::run(&mlir_opt, &["--allow-unregistered-dialect"], text)
        .map(|finished| String::from_utf8_lossy(&finished.stdout).into_owned())
        .unwrap_or_default()
}

/// mlir-opt's generic form of each text, empty for those that it rejects.
fn generic<'a>(peer: Peer, texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mlir_opt = peer::tool(peer.mlir_opt);
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

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        printed_files_mean_the_same_to_mlir_19 needs ["mlir-opt-19"],
        printed_files_mean_the_same_to_mlir_22 needs ["mlir-opt-22"],
        what_mlir_19_reads_is_printed_for_mlir_22 needs ["mlir-opt-19", "mlir-opt-22"],
    ]
}
