//! Programs of elementwise operations on tensors.

use std::fmt::Write as _;

use super::buffers::{BEGIN, MAIN};

const TYPE: &str = "tensor<4xi64>";

/// Prints the elements of a tensor and ends `@main`.
fn show(mut text: String, name: &str) -> String {
    for i in 0..4 {
        let _ = writeln!(
            text,
            "  %shown{i} = tensor.extract {name}[%c{i}] : {TYPE}\n  \
             call @printI64(%shown{i}) : (i64) -> ()\n  call @printNewline() : () -> ()"
        );
    }
    text + "  return\n}\n"
}

/// Defines `%t<number>`, whose elements are known at run time only.
fn tensor(text: &mut String, number: usize) {
    let _ = writeln!(
        text,
        "  %k{number} = arith.constant {number} : i64\n  %x{number} = arith.addi %v, %k{number} : i64\n  \
         %t{number} = tensor.from_elements %v, %k{number}, %x{number}, %x{number} : {TYPE}"
    );
}

fn begin() -> String {
    format!("{BEGIN}{MAIN}  %v = arith.index_cast %n : index to i64\n")
}

/// `n` operations, one after the other.
pub(super) fn chain(n: usize) -> String {
    let mut text = begin();
    tensor(&mut text, 0);
    text += "  %s0 = arith.muli %t0, %t0 : tensor<4xi64>\n";
    for i in 1..n {
        let op = ["addi", "xori", "subi"][i % 3];
        let _ = writeln!(text, "  %s{i} = arith.{op} %s{}, %t0 : {TYPE}", i - 1);
    }
    show(text, &format!("%s{}", n - 1))
}

/// The sum of `n` tensors.
pub(super) fn sum(n: usize) -> String {
    let mut text = begin();
    for i in 0..n {
        tensor(&mut text, i);
    }
    text += "  %s0 = arith.muli %t0, %t0 : tensor<4xi64>\n";
    for i in 1..n {
        let _ = writeln!(text, "  %s{i} = arith.addi %s{}, %t{i} : {TYPE}", i - 1);
    }
    show(text, &format!("%s{}", n - 1))
}

/// The sum of `n` slices of one tensor.
pub(super) fn sum_of_slices(n: usize) -> String {
    let mut text = begin();
    let long = format!("tensor<{}xi64>", n + 4);
    let _ = writeln!(
        text,
        "  %long = tensor.splat %v : {long}\n  %k = arith.constant 7 : i64\n  \
         %w = tensor.insert %k into %long[%c3] : {long}"
    );
    for i in 0..n {
        let _ = writeln!(
            text,
            "  %t{i} = tensor.extract_slice %w[{i}] [4] [1] : {long} to {TYPE}"
        );
    }
    text += "  %s0 = arith.muli %t0, %t0 : tensor<4xi64>\n";
    for i in 1..n {
        let _ = writeln!(text, "  %s{i} = arith.addi %s{}, %t{i} : {TYPE}", i - 1);
    }
    show(text, &format!("%s{}", n - 1))
}

/// Differences along `n` rows that were put together.
pub(super) fn reduced_rows(n: usize) -> String {
    let mut text = begin();
    let all = format!("tensor<{n}x4xi64>");
    let _ = writeln!(
        text,
        "  %k = arith.constant 7 : i64\n  %r0 = tensor.empty() : {all}"
    );
    for i in 0..n {
        let _ = writeln!(
            text,
            "  %i{i} = arith.constant {} : i64\n  %v{i} = arith.addi %v, %i{i} : i64\n  \
             %t{i} = tensor.splat %v{i} : tensor<1x4xi64>\n  \
             %r{} = tensor.insert_slice %t{i} into %r{i}[{i}, 0] [1, 4] [1, 1] : tensor<1x4xi64> into {all}",
            i * i,
            i + 1
        );
    }
    let _ = writeln!(
        text,
        "  %e = tensor.empty() : {TYPE}\n  %f = linalg.fill ins(%k : i64) outs(%e : {TYPE}) -> {TYPE}\n  \
         %s = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], \
         iterator_types = [\"reduction\", \"parallel\"]}} ins(%r{n} : {all}) outs(%f : {TYPE}) {{\n  \
         ^bb0(%x: i64, %o: i64):\n    %d = arith.subi %x, %o : i64\n    linalg.yield %d : i64\n  }} -> {TYPE}"
    );
    show(text, "%s")
}

/// A row that is read `n` times, and kept until another one comes to its place.
pub(super) fn kept_row(n: usize) -> String {
    const ALL: &str = "tensor<4x16xi64>";
    let mut text = begin();
    let _ = writeln!(
        text,
        "  %all = tensor.empty() : {ALL}\n  %zero = arith.constant 0 : i64\n  \
         %filled = linalg.fill ins(%zero : i64) outs(%all : {ALL}) -> {ALL}\n  \
         %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero, %t = %filled) -> (i64, {ALL}) {{\n    \
         %e = tensor.empty() : tensor<16xi64>\n    %k = arith.index_cast %i : index to i64\n    \
         %row = linalg.fill ins(%k : i64) outs(%e : tensor<16xi64>) -> tensor<16xi64>\n    %s0 = arith.addi %s, %v : i64"
    );
    for i in 0..n {
        let _ = writeln!(
            text,
            "    %x{i} = tensor.extract %row[%i] : tensor<16xi64>\n    %s{} = arith.addi %s{i}, %x{i} : i64",
            i + 1
        );
    }
    let _ = writeln!(
        text,
        "    %at = arith.addi %i, %c1 : index\n    \
         %kept = tensor.insert_slice %row into %t[%at, 0] [1, 16] [1, 1] : tensor<16xi64> into {ALL}\n    \
         %other = linalg.fill ins(%s{n} : i64) outs(%e : tensor<16xi64>) -> tensor<16xi64>\n    \
         %over = tensor.insert_slice %other into %kept[%i, 0] [1, 16] [1, 1] : tensor<16xi64> into {ALL}\n    \
         scf.yield %s{n}, %over : i64, {ALL}\n  }}\n  \
         %s = tensor.extract_slice %last#1[0, 5] [4, 1] [1, 1] : {ALL} to {TYPE}"
    );
    show(text, "%s")
}
