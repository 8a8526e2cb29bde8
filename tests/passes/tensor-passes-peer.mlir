// What mlir-opt's passes of the same names make of the same programs.

// REQUIRES: mlir-opt-19
// RUN: mlir-opt-19 %S/linalg-generalize-named-ops.mlir --linalg-generalize-named-ops | FileCheck %S/linalg-generalize-named-ops.mlir
// RUN: mlir-opt-19 %S/linalg-specialize-generic-ops.mlir --linalg-specialize-generic-ops | FileCheck %S/linalg-specialize-generic-ops.mlir
// RUN: mlir-opt-19 %S/eliminate-empty-tensors.mlir --eliminate-empty-tensors | FileCheck %S/eliminate-empty-tensors.mlir
// RUN: freehold opt %S/linalg-generalize-named-ops.mlir --linalg-generalize-named-ops --linalg-specialize-generic-ops | mlir-opt-19 --linalg-generalize-named-ops | FileCheck %S/linalg-generalize-named-ops.mlir
// RUN: mlir-opt-19 %S/linalg-fold-unit-extent-dims.mlir --linalg-fold-unit-extent-dims | FileCheck %S/linalg-fold-unit-extent-dims.mlir
// RUN: mlir-opt-19 %S/fold-tensor-subset-ops.mlir --fold-tensor-subset-ops | FileCheck %S/fold-tensor-subset-ops.mlir
