//! Programs that time their functions: code of the vector dialect (`vectors.mlir`) and loop nests in several orders
//! (`nests.mlir`), at each width of vectors and against LLVM at `-O3`.
//!
//! `cargo bench --bench programs` prints microseconds per call, the less of two runs in turns.

mod support;

use std::process::Command;

use support::{FREEHOLD, PEER_LIBRARIES, Scratch, argument, is_installed, row, table};

/// A program, flags for it, and its functions in the order in which it prints their times.
type Program = (
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
);

static PROGRAMS: &[Program] = &[
    (
        "benches/vectors.mlir",
        &[],
        &[
            "product by outer products, 4x512 and 512x64",
            "transfers that end at an edge, 4093 elements",
            "gather, 4096 of f32",
            "bytes, 4096",
            "f16, 4096",
            "transposes of 16x16, 16 of them",
        ],
    ),
    (
        "benches/nests.mlir",
        &["--no-library-calls"],
        &[
            "rows times rows, 256, f32",
            "rows times rows, 256, f64",
            "product with loops k, j, i, 256",
            "transpose, 1000",
            "transpose, 1024",
            "transpose of bytes, 1024",
            "down the columns, 1024",
            "matrix times vector, 1024",
            "sums of rows, 1024",
        ],
    ),
];

const WAYS: [&[&str]; 4] = [
    &["--vector-bits=128"],
    &["--vector-bits=256"],
    &[],
    &["--fp=contract"],
];

/// From either program to what the peer's code generator reads.
const PEER_PASSES: [&str; 13] = [
    "-convert-vector-to-scf=full-unroll=true",
    "-convert-linalg-to-loops",
    "-expand-strided-metadata",
    "-lower-affine",
    "-convert-scf-to-cf",
    "-convert-vector-to-llvm",
    "-convert-math-to-llvm",
    "-finalize-memref-to-llvm",
    "-convert-func-to-llvm",
    "-convert-arith-to-llvm",
    "-convert-index-to-llvm",
    "-convert-cf-to-llvm",
    "-reconcile-unrealized-casts",
];

fn main() {
    let scratch = Scratch::new();
    let has_peer = is_installed("mlir-opt-19") && is_installed("mlir-cpu-runner-19");
    for (path, flags, functions) in PROGRAMS {
        let input = concat!(env!("CARGO_MANIFEST_DIR"), "/").to_owned() + path;
        let mut commands: Vec<Command> = (WAYS.iter())
            .map(|way| {
                let mut command = Command::new(FREEHOLD);
                command.args(["run", "-O3", &input]).args(*flags).args(*way);
                command
            })
            .collect();
        if has_peer {
            let lowered = argument(&scratch.path("lowered.mlir"));
            let status = Command::new("mlir-opt-19")
                .args([&input, "-o", &lowered])
                .args(PEER_PASSES)
                .status();
            assert!(status.is_ok_and(|status| status.success()));
            let mut command = Command::new("mlir-cpu-runner-19");
            command.args(["-O3", "-e", "main", "-entry-point-result=void"]);
            command.args([PEER_LIBRARIES, &lowered]);
            commands.push(command);
        }
        let mut least = vec![vec![f64::INFINITY; functions.len()]; commands.len()];
        for _ in 0..2 {
            for (command, least) in commands.iter_mut().zip(&mut least) {
                for (least, now) in least.iter_mut().zip(times(command)) {
                    *least = least.min(now);
                }
            }
        }
        table(&[
            "function", "128 bits", "256 bits", "all bits", "contract", "MLIR 19", "ratio",
        ]);
        for (at, function) in functions.iter().enumerate() {
            let mut cells = vec![(*function).to_owned()];
            cells.extend(least.iter().map(|least| format!("{:.3}", least[at])));
            match least.get(WAYS.len()) {
                Some(theirs) => cells.push(format!("{:.2}x", theirs[at] / least[2][at])),
                None => cells.extend(["-", "-"].map(str::to_owned)),
            }
            row(&cells);
        }
    }
}

/// The numbers that a command prints.
fn times(command: &mut Command) -> Vec<f64> {
    let output = command.output().expect("the command can be started");
    assert!(output.status.success(), "{command:?} runs");
    let text = String::from_utf8_lossy(&output.stdout);
    text.split_whitespace()
        .map(|word| word.parse().expect("the program prints numbers"))
        .collect()
}
