// mlir-opt of MLIR 22 reads what is printed, and what it prints is read, in both forms.

// REQUIRES: mlir-opt-22
// RUN: freehold opt %S/mlir-22.mlir > %t.ours
// RUN: mlir-opt-22 %t.ours | freehold opt > %t.theirs
// RUN: diff %t.ours %t.theirs
// RUN: mlir-opt-22 %t.ours --mlir-print-op-generic | freehold opt --mlir-version=22 > %t.generic
// RUN: mlir-opt-22 %t.generic > %t.again
// RUN: mlir-opt-22 %t.ours > %t.once
// RUN: diff %t.once %t.again
