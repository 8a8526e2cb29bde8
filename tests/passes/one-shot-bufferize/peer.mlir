// mlir-opt reads what comes out.

// REQUIRES: mlir-opt-19
// RUN: freehold opt %S/layouts.mlir --one-shot-bufferize="bufferize-function-boundaries" | mlir-opt-19
// RUN: freehold opt %S/layouts.mlir --one-shot-bufferize | mlir-opt-19
// RUN: freehold opt %S/indirect-calls.mlir --one-shot-bufferize | mlir-opt-19
// RUN: freehold opt %S/../../run/tensor-unranked.mlir --one-shot-bufferize | mlir-opt-19
// RUN: freehold opt %S/../../run/tensor-unranked.mlir --one-shot-bufferize="bufferize-function-boundaries" | mlir-opt-19
// RUN: freehold opt %S/../../run/tensor-layouts.mlir --one-shot-bufferize="bufferize-function-boundaries" | mlir-opt-19
