// mlir-opt reads bufferized programs: what it prints is the same program, and does the same.

// REQUIRES: mlir-opt-19
// RUN: freehold opt %S/layouts.mlir --one-shot-bufferize="bufferize-function-boundaries" | mlir-opt-19 | freehold opt | FileCheck %S/layouts.mlir
// RUN: freehold opt %S/layouts.mlir --one-shot-bufferize | mlir-opt-19 | freehold opt | FileCheck %S/layouts.mlir --check-prefix=KEEP
// RUN: freehold opt %S/indirect-calls.mlir --one-shot-bufferize | mlir-opt-19 | freehold opt | FileCheck %S/indirect-calls.mlir
// RUN: freehold opt %S/../../run/tensor-unranked.mlir --one-shot-bufferize | mlir-opt-19 | freehold run --check - | FileCheck %S/../../run/tensor-unranked.mlir
// RUN: freehold opt %S/../../run/tensor-unranked.mlir --one-shot-bufferize="bufferize-function-boundaries" | mlir-opt-19 | freehold run --check - | FileCheck %S/../../run/tensor-unranked.mlir
// RUN: freehold opt %S/../../run/tensor-layouts.mlir --one-shot-bufferize="bufferize-function-boundaries" | mlir-opt-19 | freehold run --check - | FileCheck %S/../../run/tensor-layouts.mlir
