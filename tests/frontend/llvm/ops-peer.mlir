// mlir-opt reads what is printed here and finds the same operations in it, and
// prints the generic form alike.

// REQUIRES: mlir-opt-19
// RUN: mlir-opt-19 %S/ops.mlir --mlir-print-op-generic > %t.theirs
// RUN: freehold opt %S/ops.mlir | mlir-opt-19 --mlir-print-op-generic > %t.ours
// RUN: diff %t.theirs %t.ours
// RUN: freehold opt %S/ops.mlir --mlir-print-op-generic | mlir-opt-19 --mlir-print-op-generic > %t.ours
// RUN: diff %t.theirs %t.ours
