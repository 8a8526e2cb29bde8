// mlir-opt of MLIR 22 reads what is printed for it, and prints the same.

// REQUIRES: mlir-opt-22
// RUN: freehold opt %S/mlir-22.mlir --mlir-version=22 > %t.ours
// RUN: mlir-opt-22 %t.ours | freehold opt --mlir-version=22 > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: mlir-opt-22 %S/mlir-22.mlir --mlir-print-op-generic | freehold opt --mlir-version=22 > %t.generic
// RUN: diff %t.ours %t.generic
// RUN: mlir-opt-22 %t.ours --mlir-print-op-generic > %t.ours-generic
// RUN: freehold opt %S/mlir-22.mlir --mlir-version=22 --mlir-print-op-generic | mlir-opt-22 --mlir-print-op-generic > %t.theirs-generic
// RUN: diff %t.ours-generic %t.theirs-generic
