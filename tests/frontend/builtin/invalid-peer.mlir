// mlir-opt finds the same mistakes as we do, on the same lines, in the same words.

// REQUIRES: mlir-opt-19
// RUN: mlir-opt-19 %S/invalid-attributes.mlir --split-input-file --verify-diagnostics --verify-each=0
// RUN: mlir-opt-19 %S/invalid-metadata.mlir --split-input-file --verify-diagnostics --verify-each=0
// RUN: mlir-opt-19 %S/invalid-structure.mlir --split-input-file --verify-diagnostics --verify-each=0
// RUN: mlir-opt-19 %S/invalid-types.mlir --split-input-file --verify-diagnostics --verify-each=0
