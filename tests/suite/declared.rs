//! Random programs whose operations are known from a file of declarations alone.
//!
//! Operations of memref, scf, cf and arith get other names, which `mirror.mlir` declares. Every strategy frees their
//! buffers and the checker proves it; then they get their names back, and the program is run: it prints what it did, all
//! buffers are freed, and nothing is used too late.

use std::fs;
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

/// Operations of other people's dialects that have regions, and their equals.
const LOOPS: [(&str, &str); 2] = [("fir.do_loop", "scf.for"), ("fir.result", "scf.yield")];

/// Programs of `benches/foreign/`: bufferized, freed and proved; those with a runtime in plain C print what they say, and
/// free what they and it allocate.
fn foreign() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/foreign");
    for (dialect, declarations, runs) in [
        ("catalyst", "quantum.irdl", false),
        ("polygeist", "polygeist.irdl", true),
        ("flang", "fir.irdl", true),
        ("torch", "torch.irdl", true),
    ] {
        let folder = root.join(dialect);
        let declarations = format!("--irdl-file={}", folder.join(declarations).display());
        let library = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("foreign-{dialect}.so"));
        if runs {
            let mut cc = Command::new("cc");
            cc.args(["-shared", "-fPIC", "-o"]).arg(&library);
            let status = cc.arg(folder.join("runtime.c")).status();
            assert!(status.expect("cc can be started").success(), "{dialect}");
        }
        let programs = fs::read_dir(folder.join("programs")).expect("there are programs");
        for program in programs {
            let path = program.expect("the folder can be read").path();
            let text = fs::read_to_string(&path).expect("it is text");
            let freed = opt(
                &[
                    &declarations,
                    "--one-shot-bufferize=bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map",
                    "--buffer-deallocation-pipeline",
                    "--verify-ownership",
                    "--mlir-print-op-generic",
                ],
                &text,
            );
            if runs {
                run_foreign(&freed, &text, &declarations, &library);
            }
        }
    }
}

fn run_foreign(freed: &str, text: &str, declarations: &str, library: &Path) {
    let mut freed = freed.to_owned();
    for (name, equal) in LOOPS {
        freed = freed.replace(&format!("\"{name}\"("), &format!("\"{equal}\"("));
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_freehold"));
    command
        .args(["run", "-O0", "--dealloc=none", "--merge-alloc=never"])
        .args([declarations, "--stats=json", "-"])
        .arg(format!("--shared-libs={}", library.display()));
    let finished = process::run(&mut command, freed.as_bytes(), Stderr::Merged, TIMEOUT);
    let finished = finished.expect("freehold can be started");
    let output = String::from_utf8_lossy(&finished.stdout).into_owned();
    let results = text
        .lines()
        .filter_map(|line| line.strip_prefix("// RESULT: "));
    for result in results {
        assert!(output.contains(result), "{output}\n{freed}");
    }
    let (_, statistics) = split_statistics(&output);
    let number = |key| statistic(statistics, key).expect("it is counted");
    let (_, allocations) = (output.rsplit_once("foreign allocations: ")).expect("C code counts");
    let allocations = allocations.lines().next().expect("a number").parse::<u64>();
    assert_eq!(number("live_allocs_at_exit"), 0, "{output}\n{freed}");
    assert_eq!(
        Ok(number("foreign_frees")),
        allocations,
        "{output}\n{freed}"
    );
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![structured, blocks, mixed, copies, foreign needs ["cc"]]
}
