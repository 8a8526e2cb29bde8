// What mlir-opt 22 makes of the same programs: memory spaces, and which tensors are in one buffer.

// REQUIRES: mlir-opt-22
// RUN: mlir-opt-22 %S/memory-spaces.mlir --one-shot-bufferize="bufferize-function-boundaries must-infer-memory-space" | FileCheck %S/memory-spaces.mlir
// RUN: mlir-opt-22 %S/memory-spaces.mlir --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %S/memory-spaces.mlir
// RUN: mlir-opt-22 %S/memory-space-encodings.mlir --split-input-file --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %S/memory-space-encodings.mlir --check-prefix=ZERO
// RUN: mlir-opt-22 %S/analysis.mlir --one-shot-bufferize="bufferize-function-boundaries test-analysis-only dump-alias-sets" | FileCheck %S/analysis.mlir --check-prefix=SETS
