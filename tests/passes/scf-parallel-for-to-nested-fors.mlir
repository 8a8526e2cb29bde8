// Parallel loops in order: one loop per dimension, reductions carried along.

// RUN: freehold opt %s --scf-parallel-for-to-nested-fors | FileCheck %s
// RUN: freehold opt %s --vectorize-loops | FileCheck %s --check-prefix=ALONE
// RUN: freehold opt %s --scf-parallel-for-to-nested-fors --vectorize-loops | FileCheck %s --check-prefix=VECTOR

// CHECK-LABEL: func.func @two
// CHECK-SAME:    %[[M:.*]]: memref<8x?xf32>, %[[N:.*]]: index, %[[X:.*]]: f32
// CHECK:         scf.for %[[I:.*]] = %c0 to %c8 step %c1 {
// CHECK-NEXT:      scf.for %[[J:.*]] = %c0 to %[[N]] step %c1 {
// CHECK-NEXT:        memref.store %[[X]], %[[M]][%[[I]], %[[J]]]
// Only `scf.for` is vectorized, so `run -O2` runs this pass first.
// ALONE-NOT:     vector.store
// VECTOR:        vector.store
func.func @two(%m: memref<8x?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %n) step (%c1, %c1) {
    memref.store %x, %m[%i, %j] : memref<8x?xf32>
  }
  return
}

// CHECK-LABEL: func.func @reduced
// CHECK-SAME:    %[[N:.*]]: index, %[[INIT:.*]]: index
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 iter_args(%[[A:.*]] = %[[INIT]]) -> (index) {
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addi %[[A]], %[[I]] : index
// CHECK-NEXT:      scf.yield %[[NEXT]] : index
// CHECK:         return %[[R]]
func.func @reduced(%n: index, %init: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%init) -> index {
    scf.reduce(%i : index) {
    ^bb0(%a: index, %b: index):
      %sum = arith.addi %a, %b : index
      scf.reduce.return %sum : index
    }
  }
  return %r : index
}

// `scf.forall` has a pass of its own.
// CHECK-LABEL: func.func @other
// CHECK:         scf.forall
func.func @other(%m: memref<8xindex>) {
  scf.forall (%i) in (8) {
    memref.store %i, %m[%i] : memref<8xindex>
  }
  return
}
