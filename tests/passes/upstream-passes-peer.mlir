// What mlir-opt's passes of the same names make of the same programs.

// REQUIRES: mlir-opt-22
// RUN: mlir-opt-22 %S/loop-invariant-code-motion.mlir --loop-invariant-code-motion | FileCheck %S/loop-invariant-code-motion.mlir
// RUN: mlir-opt-22 %S/control-flow-sink.mlir --control-flow-sink | FileCheck %S/control-flow-sink.mlir
// RUN: mlir-opt-22 %S/sccp.mlir --sccp | FileCheck %S/sccp.mlir
// RUN: mlir-opt-22 %S/mem2reg.mlir --mem2reg | FileCheck %S/mem2reg.mlir
// RUN: mlir-opt-22 %S/sroa.mlir --sroa | FileCheck %S/sroa.mlir
// RUN: mlir-opt-22 %S/empty-tensor-to-alloc-tensor.mlir --empty-tensor-to-alloc-tensor | FileCheck %S/empty-tensor-to-alloc-tensor.mlir
// RUN: mlir-opt-22 %S/affine-simplify-structures.mlir --affine-simplify-structures | FileCheck %S/affine-simplify-structures.mlir
// RUN: mlir-opt-22 %S/affine-loop-fusion.mlir --pass-pipeline="builtin.module(func.func(affine-loop-fusion))" | FileCheck %S/affine-loop-fusion.mlir
// RUN: mlir-opt-22 %S/affine-loop-fusion-local.mlir --pass-pipeline="builtin.module(func.func(affine-loop-fusion))" | FileCheck %S/affine-loop-fusion-local.mlir
// RUN: mlir-opt-22 %S/affine-loop-fusion-local.mlir --pass-pipeline="builtin.module(func.func(affine-loop-fusion{fast-mem-space=2 local-buf-threshold=1}))" | FileCheck %S/affine-loop-fusion-local.mlir --check-prefix=FAST
// RUN: mlir-opt-22 %S/affine-loop-tile-cache.mlir --affine-loop-tile | FileCheck %S/affine-loop-tile-cache.mlir
// RUN: mlir-opt-22 %S/affine-loop-tile-cache.mlir --affine-loop-tile=cache-size=100 | FileCheck %S/affine-loop-tile-cache.mlir --check-prefix=SMALL
// RUN: mlir-opt-22 %S/affine-loop-tile-separate.mlir --affine-loop-tile="tile-size=32 separate" | FileCheck %S/affine-loop-tile-separate.mlir
// RUN: mlir-opt-22 %S/linalg-fold-unit-extent-dims-slices.mlir --linalg-fold-unit-extent-dims=use-rank-reducing-slices | FileCheck %S/linalg-fold-unit-extent-dims-slices.mlir
// RUN: mlir-opt-22 %S/inline-pipelines.mlir --inline="op-pipelines=func.func(canonicalize,cse)" | FileCheck %S/inline-pipelines.mlir
// RUN: mlir-opt-22 %S/reify-result-shapes.mlir --reify-result-shapes | FileCheck %S/reify-result-shapes.mlir
// RUN: mlir-opt-22 %S/loop-invariant-subset-hoisting.mlir --allow-unregistered-dialect --loop-invariant-subset-hoisting | FileCheck %S/loop-invariant-subset-hoisting.mlir
