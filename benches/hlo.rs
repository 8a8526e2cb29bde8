//! What `--dealloc=hlo` costs against `--dealloc=ownership` on the same
//! programs, and how the passes of all families scale.
//!
//! `cargo bench --bench hlo` prints both tables, `-- programs` or `-- scaling`
//! only that one. Allocations and bytes are counted and always the same.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::scale::Kind;
use support::{
    Chain, FREEHOLD, Scratch, argument, counts, least_times, line, ratio, row, show, table,
};

/// Programs with a `@main`, in this repository.
const PROGRAMS: [&str; 8] = [
    "examples/dynamic_regions.mlir",
    "examples/growing_vector.mlir",
    "examples/mlp.mlir",
    "examples/nested_if.mlir",
    "examples/select_branch.mlir",
    "tests/passes/hlo/hlo-deallocate/capture.mlir",
    "tests/passes/hlo/hlo-deallocate/owners.mlir",
    "tests/passes/hlo/hlo-deallocation-pipeline.mlir",
];

/// A million steps of a loop that replaces its buffer in each.
const STEPS: &str = "
func.func private @step(%to: memref<1000xi64>, %from: memref<1000xi64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %v = memref.load %from[%c0] : memref<1000xi64>
  %w = arith.addi %v, %one : i64
  memref.store %w, %to[%c0] : memref<1000xi64>
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000 : index
  %zero = arith.constant 0 : i64
  %a = memref.alloc() : memref<1000xi64>
  memref.store %zero, %a[%c0] : memref<1000xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<1000xi64>) {
    %t = memref.alloc() : memref<1000xi64>
    func.call @step(%t, %b) : (memref<1000xi64>, memref<1000xi64>) -> ()
    scf.yield %t : memref<1000xi64>
  }
  func.call @step(%r, %r) : (memref<1000xi64>, memref<1000xi64>) -> ()
  return
}
";

const STRATEGIES: [&str; 2] = ["--dealloc=ownership", "--dealloc=hlo"];

fn main() {
    let arguments = support::arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [] => {
            programs();
            scaling();
        }
        ["programs"] => programs(),
        ["scaling"] => scaling(),
        _ => {
            line("usage: hlo [programs | scaling]");
            std::process::exit(2);
        }
    }
}

/// Counted allocations and peak bytes, and the run time of executables.
fn programs() {
    let scratch = Scratch::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut inputs: Vec<(String, PathBuf)> = PROGRAMS
        .iter()
        .map(|name| ((*name).to_owned(), root.join(name)))
        .collect();
    let steps = scratch.write("steps.mlir", STEPS);
    inputs.push(("a million steps with a new buffer each".to_owned(), steps));
    table(&[
        "program",
        "allocations: ownership",
        "hlo",
        "peak bytes: ownership",
        "hlo",
        "run time: ownership",
        "hlo",
        "ratio",
    ]);
    for (name, input) in inputs {
        let [ours, theirs] = STRATEGIES.map(|strategy| counts(&input, &[strategy]));
        let executables = ["a", "b"].map(|name| scratch.path(name));
        for (strategy, executable) in STRATEGIES.iter().zip(&executables) {
            let status = Command::new(FREEHOLD)
                .args(["compile", strategy, "--emit=exe", "-o"])
                .args([executable, &input])
                .status()
                .expect("freehold can be started");
            assert!(status.success(), "{name} compiles");
        }
        let mut chains = executables.map(|path| Chain::new::<&str>(&argument(&path), &[]));
        let [first, second] = &mut chains;
        let [ownership, hlo] = least_times([first, second], 15);
        row(&[
            name,
            ours.0.to_string(),
            theirs.0.to_string(),
            ours.1.to_string(),
            theirs.1.to_string(),
            show(ownership),
            show(hlo),
            ratio(hlo, ownership),
        ]);
    }
    line("");
}

/// The pipelines of the families, with their names.
const PIPELINES: [(&str, &str); 3] = [
    ("ownership", "--buffer-deallocation-pipeline"),
    ("clone", "--legacy-deallocation-pipeline"),
    ("hlo", "--hlo-deallocation-pipeline"),
];

/// The times of whole pipelines on inputs that grow fourfold.
fn scaling() {
    let scratch = Scratch::new();
    let names = PIPELINES.map(|(name, _)| name);
    let mut columns = vec!["input".to_owned()];
    for _ in 0..2 {
        columns.push("size".to_owned());
        columns.extend(names.map(str::to_owned));
    }
    columns.extend(names.map(|name| format!("growth of {name}")));
    table(&columns.iter().map(String::as_str).collect::<Vec<_>>());
    for kind in Kind::ALL {
        let small = if kind == Kind::Nest { 100 } else { 1000 };
        let mut cells = vec![kind.name().to_owned()];
        let mut times = Vec::new();
        for size in [small, 4 * small] {
            let name = format!("{}-{size}.mlir", kind.name());
            let input = argument(&scratch.write(&name, &kind.text(size)));
            let mut chains =
                PIPELINES.map(|(_, flag)| Chain::new(FREEHOLD, &["opt", flag, &input]));
            let least = least_times(chains.each_mut(), 3);
            cells.push(size.to_string());
            cells.extend(least.map(show));
            times.push(least);
        }
        let growth = times[0].iter().zip(&times[1]);
        cells.extend(growth.map(|(&small, &large)| ratio(small, large)));
        row(&cells);
    }
    line("");
}
