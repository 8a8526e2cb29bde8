//! Random programs whose operations are known from a file of declarations alone.
//!
//! Operations of memref, scf, cf and arith get other names, which `mirror.mlir` declares. Every strategy frees their
//! buffers and the checker proves it; then they get their names back, and the program is run: it prints what it did, all
//! buffers are freed, and nothing is used too late.

use std::path::Path;
use std::process::Command;

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::generator::generate;
use crate::support::generator::shape::Shape;
use crate::support::native::{split_statistics, statistic};
use crate::support::process::{self, Stderr, TIMEOUT};
use crate::support::{first_seed, in_process, n_programs};

/// How many programs of each shape are tried.
const PROGRAMS: u64 = 4;

/// Operations and their names in the file.
const NAMES: [(&str, &str); 16] = [
    ("arith.select", "select"),
    ("cf.br", "br"),
    ("cf.cond_br", "cond_br"),
    ("memref.alloc", "alloc"),
    ("memref.cast", "cast"),
    ("memref.copy", "copy"),
    ("memref.dealloc", "dealloc"),
    ("memref.load", "load"),
    ("memref.store", "store"),
    ("memref.subview", "subview"),
    ("scf.condition", "condition"),
    ("scf.execute_region", "execute_region"),
    ("scf.for", "for"),
    ("scf.if", "if"),
    ("scf.while", "while"),
    ("scf.yield", "yield"),
];

/// The ways to free buffers.
const STRATEGIES: [&str; 3] = [
    "builtin.module(buffer-deallocation-pipeline,verify-ownership)",
    "builtin.module(hlo-deallocation-pipeline,verify-ownership)",
    "builtin.module(buffer-deallocation{introduce=copy},verify-ownership)",
];

fn declarations() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("tests/frontend/irdl/inputs/mirror.mlir");
    format!("--irdl-file={}", path.display())
}

fn opt(flags: &[&str], text: &str) -> String {
    let mut words = vec!["opt"];
    words.extend_from_slice(flags);
    words.push("-");
    let output = in_process::freehold(&words, text);
    assert_eq!(output.status, 0, "{flags:?}: {}\n{text}", output.stderr);
    output.stdout
}

/// The program in generic form, with names of the file.
fn mirrored(text: &str) -> String {
    let mut text = opt(&["--mlir-print-op-generic"], text);
    for (name, mirror) in NAMES {
        text = text.replace(&format!("\"{name}\"("), &format!("\"mirror.{mirror}\"("));
    }
    text
}

/// The program with names of upstream.
fn restored(text: &str) -> String {
    let mut text = text.to_owned();
    for (name, mirror) in NAMES {
        text = text.replace(&format!("\"mirror.{mirror}\"("), &format!("\"{name}\"("));
    }
    text
}

/// Runs a program as it is; gives what it prints, allocations and frees.
fn run(text: &str, flag: &str) -> (String, u64, u64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_freehold"));
    command.args([
        "run",
        "-O0",
        "--merge-alloc=never",
        flag,
        "--stats=json",
        "-",
    ]);
    let finished = process::run(&mut command, text.as_bytes(), Stderr::Merged, TIMEOUT);
    let finished = finished.expect("freehold can be started");
    let output = String::from_utf8_lossy(&finished.stdout).into_owned();
    assert_eq!(finished.status, 0, "{output}\n{text}");
    let (printed, statistics) = split_statistics(&output);
    let number = |key| statistic(statistics, key).expect("it is counted");
    (printed.to_owned(), number("allocs"), number("frees"))
}

fn try_shape(shape: &Shape, strategies: &[&str]) {
    // IRDL has no words for any number of regions, which share a terminator with others.
    let programs = (first_seed()..)
        .map(|seed| (seed, generate(seed, shape)))
        .filter(|(_, text)| !text.contains("scf.index_switch"));
    for (seed, text) in programs.take(n_programs(PROGRAMS) as usize) {
        let (expected, _, _) = run(&text, "--dealloc=ownership");
        let mirrored = mirrored(&text);
        for strategy in strategies {
            let pipeline = format!("--pass-pipeline={strategy}");
            let freed = opt(
                &[&declarations(), &pipeline, "--mlir-print-op-generic"],
                &mirrored,
            );
            let freed = restored(&freed);
            let (printed, allocations, frees) = run(&freed, "--dealloc=none");
            assert_eq!(printed, expected, "seed {seed}, {strategy}:\n{freed}");
            assert_eq!(allocations, frees, "seed {seed}, {strategy}:\n{freed}");
        }
    }
}

fn structured() {
    try_shape(&Shape::STRUCTURED, &STRATEGIES[..2]);
}

fn blocks() {
    try_shape(&Shape::BLOCKS, &STRATEGIES[..2]);
}

fn mixed() {
    try_shape(&Shape::MIXED, &STRATEGIES[..2]);
}

/// Copies may be made only where nobody writes to what has met others.
fn copies() {
    try_shape(&Shape::STRUCTURED.quiet(), &STRATEGIES);
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![structured, blocks, mixed, copies]
}
