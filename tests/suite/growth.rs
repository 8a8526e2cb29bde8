//! What deallocation adds to a program is in proportion to the program, also for those shapes for
//! which the original enumerates paths, or frees everything everywhere: diamonds one after the other,
//! buffers that live through lines of blocks, diamonds and loops, one block with many buffers.

#[path = "../../benches/support/scale.rs"]
#[expect(dead_code, reason = "benchmarks use the rest")]
mod scale;

use libtest_mimic::Trial;

use crate::needs::trials;
use crate::support::in_process::freehold;
use freehold::exit;
use scale::Kind;

/// Lines by which an output may be off the line through zero: the innermost of a nest has less to do.
const SLACK: usize = 16;

/// Lines of what a pass makes of an input of size `n`.
fn lines(kind: Kind, n: usize, pass: &str) -> usize {
    let output = freehold(&["opt", "-", pass], kind.text(n));
    assert_eq!(output.status, exit::OK, "{} {n}", kind.name());
    output.stdout.lines().count()
}

fn output_is_linear() {
    for kind in Kind::ALL {
        let n = if kind == Kind::Nest { 20 } else { 100 };
        for pass in [
            "--ownership-based-buffer-deallocation",
            "--buffer-deallocation-pipeline",
            "--legacy-deallocation-pipeline",
            "--hlo-deallocation-pipeline",
        ] {
            let (few, many) = (lines(kind, n, pass), lines(kind, 4 * n, pass));
            let name = kind.name();
            let most = 4 * few + SLACK;
            assert!(many <= most, "{name}, {pass}: {few} lines, then {many}");
            let input = kind.text(n).lines().count();
            assert!(
                few <= 3 * input,
                "{name}, {pass}: {input} lines become {few}"
            );
        }
    }
}

/// Any result of a call may be the buffer of an earlier one, so much is compared, but not each with each.
fn calls_with_many_results_are_almost_linear() {
    let n_lines = |n: usize| {
        let types = vec!["memref<8xi64>"; n].join(", ");
        let text = format!(
            "func.func private @many() -> ({types})\nfunc.func @f() {{\n  \
             %0:{n} = call @many() : () -> ({types})\n  return\n}}\n"
        );
        let output = freehold(&["opt", "-", "--buffer-deallocation-pipeline"], text);
        assert_eq!(output.status, exit::OK, "{n} results");
        output.stdout.lines().count()
    };
    let (few, many) = (n_lines(50), n_lines(400));
    assert!(many <= 14 * few, "{few} lines, then {many}");
}

/// Each body depends on two others, so that there are more ways from the last one to the first than could be followed.
fn bodies_that_depend_on_others_are_looked_at_once() {
    use std::fmt::Write as _;
    let n = 1000;
    let mut text = "func.func @f() {\n".to_owned();
    for i in 0..n {
        let depends_on = match i {
            0 | 1 => String::new(),
            _ => format!(" [%t{}, %t{}]", i - 2, i - 1),
        };
        let _ = writeln!(
            text,
            "%t{i} = async.execute{depends_on} {{\nasync.yield\n}}"
        );
    }
    text.push_str("return\n}\n");
    let output = freehold(&["opt", "-", "--run-async-in-order=threads=2"], text);
    assert_eq!(output.status, exit::OK);
    assert_eq!(output.stdout.matches("async.await").count(), n);
}

/// Code generation takes more than linear time for one function, so none may grow without end.
fn large_functions_are_compiled_in_parts() {
    for kind in [Kind::Sweeps, Kind::Tiles] {
        let largest = |n| {
            let output = freehold(&["compile", "-", "--emit=clif", "-o", "-"], kind.text(n));
            assert_eq!(output.status, exit::OK, "{} {n}", kind.name());
            let functions = output.stdout.split("\n; ");
            functions.map(|text| text.lines().count()).max()
        };
        let (few, many) = (largest(500).unwrap(), largest(2000).unwrap());
        assert!(
            many <= few + few / 4,
            "{}: {few} lines, then {many}",
            kind.name()
        );
    }
}

/// `n` layers that do the same to rows of buffers of their own, which the caller has.
fn layers(n: usize) -> String {
    let ty = "memref<32x64xf32>";
    let buffers: Vec<String> = (0..=n).map(|i| format!("%m{i}: {ty}")).collect();
    let mut text = format!(
        "func.func private @step()\nfunc.func @layers({}) {{\n  %c0 = arith.constant 0 : index\n  \
         %c1 = arith.constant 1 : index\n  %c32 = arith.constant 32 : index\n  \
         %c64 = arith.constant 64 : index\n  %zero = arith.constant 0.0 : f32\n",
        buffers.join(", ")
    );
    for i in 0..n {
        text += &format!(
            "  scf.for %i = %c0 to %c32 step %c1 {{
    %sum = scf.for %j = %c0 to %c64 step %c1 iter_args(%before = %zero) -> f32 {{
      %x = memref.load %m{i}[%i, %j] : {ty}
      %after = arith.addf %before, %x : f32
      scf.yield %after : f32
    }}
    scf.for %j = %c0 to %c64 step %c1 {{
      %x = memref.load %m{i}[%i, %j] : {ty}
      %y = arith.divf %x, %sum : f32
      memref.store %y, %m{}[%i, %j] : {ty}
    }}
  }}
  func.call @step() : () -> ()\n",
            i + 1
        );
    }
    text + "  return\n}\n"
}

/// What layers have in common is compiled once; each one more takes its calls.
fn equal_loops_are_compiled_once() {
    let blocks = |n| {
        let output = freehold(&["compile", "-", "--emit=clif", "-o", "-"], layers(n));
        assert_eq!(output.status, exit::OK, "{}", output.stderr);
        output.stdout.matches("\nblock").count()
    };
    let (few, many) = (blocks(50), blocks(400));
    assert_eq!(few, many);
}

/// `n` operations on tensors, each of which uses what the one before it and one of the last eight give.
fn graph(n: usize) -> String {
    let ty = "tensor<16x16xf32>";
    let mut text = format!(
        "func.func @f(%v0: {ty}, %v1: {ty}) -> {ty} {{\n  %zero = arith.constant 0.0 : f32\n  \
         %empty = tensor.empty() : {ty}\n"
    );
    for i in 2..n + 2 {
        let (last, other) = (i - 1, i - 1 - (i * 5 + 1) % 8.min(i));
        text += &match i % 4 {
            0 => format!("  %v{i} = arith.addf %v{last}, %v{other} : {ty}\n"),
            1 => format!(
                "  %f{i} = linalg.fill ins(%zero : f32) outs(%empty : {ty}) -> {ty}\n  \
                 %v{i} = linalg.matmul ins(%v{last}, %v{other} : {ty}, {ty}) outs(%f{i} : {ty}) -> {ty}\n"
            ),
            2 => format!(
                "  %v{i} = linalg.transpose ins(%v{last} : {ty}) outs(%empty : {ty}) permutation = [1, 0]\n"
            ),
            _ => format!(
                "  %s{i} = tensor.extract_slice %v{last}[0, 0] [8, 16] [1, 1] : {ty} to tensor<8x16xf32>\n  \
                 %v{i} = tensor.insert_slice %s{i} into %v{other}[8, 0] [8, 16] [1, 1] : tensor<8x16xf32> into {ty}\n"
            ),
        };
    }
    text + &format!("  return %v{} : {ty}\n}}\n", n + 1)
}

/// Large graphs of tensors become buffers one by one.
fn graphs_of_tensors_are_linear() {
    let lines = |n| {
        let pass = "--one-shot-bufferize=bufferize-function-boundaries";
        let output = freehold(&["opt", "-", pass], graph(n));
        assert_eq!(output.status, exit::OK, "{}", output.stderr);
        output.stdout.lines().count()
    };
    let (few, many) = (lines(500), lines(2000));
    assert!(many <= 4 * few + SLACK, "{few} lines, then {many}");
    let compiled = freehold(&["compile", "-", "--emit=clif", "-o", "-"], graph(2000));
    assert_eq!(compiled.status, exit::OK, "{}", compiled.stderr);
}

/// The tests of this module.
pub(crate) fn tests() -> Vec<Trial> {
    trials![
        output_is_linear,
        bodies_that_depend_on_others_are_looked_at_once,
        calls_with_many_results_are_almost_linear,
        large_functions_are_compiled_in_parts,
        equal_loops_are_compiled_once,
        graphs_of_tensors_are_linear,
    ]
}
