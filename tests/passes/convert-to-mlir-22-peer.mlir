// What is printed for MLIR 22 is read by it, and means what MLIR 19 read.
//
// REQUIRES: mlir-opt-22
// RUN: freehold opt %S/convert-to-mlir-22.mlir --mlir-version=22 | mlir-opt-22 | FileCheck %S/convert-to-mlir-22.mlir --check-prefix=NEW
// RUN: freehold opt %S/convert-to-mlir-22.mlir --mlir-version=22 --mlir-print-op-generic | mlir-opt-22 | FileCheck %S/convert-to-mlir-22.mlir --check-prefix=NEW
// RUN: freehold opt %S/convert-to-mlir-22.mlir --mlir-version=22 | mlir-opt-22 --mlir-print-op-generic | freehold opt | FileCheck %S/convert-to-mlir-22.mlir --check-prefix=NEW
