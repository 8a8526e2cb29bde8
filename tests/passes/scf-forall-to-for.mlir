// `scf.forall` in order, as `mlir-opt --scf-forall-to-for` has it.

// RUN: freehold opt %s --scf-forall-to-for --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @nested
// CHECK-SAME:    %[[M:.*]]: memref<8x?xindex>, %[[N:.*]]: index
// CHECK:         scf.for %[[I:.*]] = %c2 to %c8 step %c3 {
// CHECK:           scf.for %[[J:.*]] = %c0{{.*}} to %[[N]] step %c1
// CHECK-NEXT:        memref.store %[[I]], %[[M]][%[[I]], %[[J]]]
// CHECK-NOT:     scf.forall
// CHECK:         scf.parallel
func.func @nested(%m: memref<8x?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) = (2) to (8) step (3) {
    scf.forall (%j) in (%n) {
      memref.store %i, %m[%i, %j] : memref<8x?xindex>
    }
  }
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    memref.store %i, %m[%c0, %i] : memref<8x?xindex>
  }
  return
}

// -----

func.func @tensors(%t: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'scf.forall' op only fully bufferized scf.forall ops can be lowered}}
  %r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<4xf32> {
    scf.forall.in_parallel {
    }
  }
  return %r : tensor<4xf32>
}
