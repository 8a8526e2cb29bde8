// mlir-opt of MLIR 22 reads our text for it, and prints the generic form alike.

// REQUIRES: mlir-opt-22
// RUN: mlir-opt-22 %S/mlir-22.mlir --mlir-print-op-generic > %t.theirs
// RUN: freehold opt %S/mlir-22.mlir --mlir-version=22 | mlir-opt-22 --mlir-print-op-generic > %t.ours
// RUN: diff %t.theirs %t.ours
// RUN: mlir-opt-22 %S/mlir-22-exact.mlir --mlir-print-op-generic > %t.theirs
// RUN: freehold opt %S/mlir-22-exact.mlir --mlir-version=22 | mlir-opt-22 --mlir-print-op-generic > %t.ours
// RUN: diff %t.theirs %t.ours
