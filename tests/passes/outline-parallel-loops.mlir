// Parallel loops as functions. What a call of such a function does is what the loop did, so the
// program runs as before without knowing of threads.

// RUN: freehold opt %s --outline-parallel-loops --canonicalize | FileCheck %s
// RUN: freehold opt %s --outline-parallel-loops --mlir-pass-statistics -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STATISTICS
// STATISTICS: 4 loops outlined

// Captured values are arguments, constants are copied.
// CHECK-LABEL: func.func @one
// CHECK-SAME:  (%[[M:.*]]: memref<?xf32>, %[[N:.*]]: index, %[[X:.*]]: f32)
// CHECK:       call @one_parallel_0(%c0, %{{.*}}, %[[M]], %[[X]]) : (index, index, memref<?xf32>, f32) -> ()
// CHECK-NEXT:  return
func.func @one(%m: memref<?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %old = memref.load %m[%i] : memref<?xf32>
    %y = arith.mulf %old, %two : f32
    %z = arith.addf %y, %x : f32
    memref.store %z, %m[%i] : memref<?xf32>
  }
  return
}

// The first dimension is counted, the others are loops inside.
// CHECK-LABEL: func.func @two
// CHECK:       call @two_parallel_0(
// CHECK-NOT:   scf.
func.func @two(%m: memref<?x?xf32>, %low: index, %high: index, %step: index, %x: f32) {
  scf.parallel (%i, %j) = (%low, %low) to (%high, %high) step (%step, %step) {
    memref.store %x, %m[%i, %j] : memref<?x?xf32>
  }
  return
}

// CHECK-LABEL: func.func @forall
// CHECK:       call @forall_parallel_0(%c0, %c8, %{{.*}}) : (index, index, memref<8xindex>) -> ()
func.func @forall(%m: memref<8xindex>) {
  scf.forall (%i) in (8) {
    memref.store %i, %m[%i] : memref<8xindex>
  }
  return
}

// Only the loop outside becomes a function; the name that is taken is left alone.
// CHECK-LABEL: func.func @nested
// CHECK:       call @nested_parallel_1(
func.func @nested(%m: memref<?x?xf32>, %n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    scf.parallel (%j) = (%c0) to (%n) step (%c1) {
      memref.store %x, %m[%i, %j] : memref<?x?xf32>
    }
  }
  return
}
func.func private @nested_parallel_0()

// Sums stay as they are.
// CHECK-LABEL: func.func @reduces
// CHECK:       scf.parallel
func.func @reduces(%m: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> f32 {
    %x = memref.load %m[%i] : memref<?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      scf.reduce.return %c : f32
    }
  }
  return %sum : f32
}

// CHECK-LABEL: func.func private @one_parallel_0
// CHECK-SAME:  (%[[BEGIN:.*]]: index, %[[END:.*]]: index, %[[M:.*]]: memref<?xf32>, %[[X:.*]]: f32) attributes {freehold.parallel}
// CHECK:       scf.for %[[I:.*]] = %[[BEGIN]] to %[[END]] step %c1 {
// CHECK-NEXT:    %[[OLD:.*]] = memref.load %[[M]][%[[I]]] : memref<?xf32>
// CHECK-NEXT:    %[[Y:.*]] = arith.mulf %[[OLD]], %cst : f32
// CHECK-NEXT:    %[[Z:.*]] = arith.addf %[[Y]], %[[X]] : f32
// CHECK-NEXT:    memref.store %[[Z]], %[[M]][%[[I]]] : memref<?xf32>

// CHECK-LABEL: func.func private @two_parallel_0
// CHECK:       scf.for %[[K:.*]] = %{{.*}} to %{{.*}} step %c1 {
// CHECK-NEXT:    %[[OFFSET:.*]] = arith.muli %[[K]], %[[STEP:.*]] : index
// CHECK-NEXT:    %[[I:.*]] = arith.addi %[[LOW:.*]], %[[OFFSET]] : index
// CHECK-NEXT:    scf.for %[[J:.*]] = %[[LOW]] to %{{.*}} step %[[STEP]] {
// CHECK-NEXT:      memref.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]] : memref<?x?xf32>

// CHECK-LABEL: func.func private @nested_parallel_1
// CHECK:       scf.for
// CHECK:       scf.parallel
