// Parallel loops as functions. What a call of such a function does is what the loop did, so the
// program runs as before without knowing of threads.

// RUN: freehold opt %s --outline-parallel-loops --canonicalize | FileCheck %s
// RUN: freehold opt %s --outline-parallel-loops --mlir-pass-statistics -o %t.out 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STATISTICS
// STATISTICS: 6 loops outlined

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

// Sums of floats stay as they are: the order would matter. So do others of which one does not know, and
// all results of a loop with one of these.
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

// CHECK-LABEL: func.func @unknown
// CHECK-COUNT-2: scf.parallel
func.func @unknown(%m: memref<?xf32>, %k: memref<?xi64>, %n: index, %one: i64) -> (f32, i64, f32, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i64
  %most, %mixed = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero, %none) -> (f32, i64) {
    %x = memref.load %m[%i] : memref<?xf32>
    %y = memref.load %k[%i] : memref<?xi64>
    scf.reduce(%x, %y : f32, i64) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      scf.reduce.return %c : f32
    }, {
    ^bb0(%a: i64, %b: i64):
      %c = arith.addi %a, %b : i64
      scf.reduce.return %c : i64
    }
  }
  %least, %counted = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero, %none) -> (f32, i64) {
    %x = memref.load %m[%i] : memref<?xf32>
    %y = memref.load %k[%i] : memref<?xi64>
    scf.reduce(%x, %y : f32, i64) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.minimumf %a, %b : f32
      scf.reduce.return %c : f32
    }, {
    ^bb0(%a: i64, %b: i64):
      %c = arith.addi %a, %one : i64
      scf.reduce.return %c : i64
    }
  }
  return %most, %mixed, %least, %counted : f32, i64, f32, i64
}

// Slices are added up on their own, from zero, and then together.
// CHECK-LABEL: func.func @sum
// CHECK-SAME:  (%[[M:.*]]: memref<?xi64>, %[[N:.*]]: index, %[[INIT:.*]]: i64)
// CHECK:       %[[PARTS:.*]] = memref.alloca() : memref<256xi64>
// CHECK:       %[[LENGTH:.*]] = arith.maxsi
// CHECK:       %[[SLICES:.*]] = arith.ceildivsi %{{.*}}, %[[LENGTH]]
// CHECK:       call @sum_parallel_0(%c0, %[[SLICES]],
// CHECK:       %[[SUM:.*]] = scf.for %[[S:.*]] = %c0 to %[[SLICES]] step %c1 iter_args(%[[BEFORE:.*]] = %[[INIT]]) -> (i64) {
// CHECK-NEXT:    %[[PART:.*]] = memref.load %[[PARTS]][%[[S]]]
// CHECK-NEXT:    %[[AFTER:.*]] = arith.addi %[[BEFORE]], %[[PART]]
// CHECK-NEXT:    scf.yield %[[AFTER]]
// CHECK:       return %[[SUM]]
func.func @sum(%m: memref<?xi64>, %n: index, %init: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%init) -> i64 {
    %x = memref.load %m[%i] : memref<?xi64>
    scf.reduce(%x : i64) {
    ^bb0(%a: i64, %b: i64):
      %c = arith.addi %a, %b : i64
      scf.reduce.return %c : i64
    }
  }
  return %sum : i64
}

// The largest of a slice may be compared with where all start.
// CHECK-LABEL: func.func @largest
// CHECK:       call @largest_parallel_0(
// CHECK:       arith.maximumf
func.func @largest(%m: memref<?x?xf32>, %n: index, %init: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %most = scf.parallel (%i, %j) = (%c3, %c0) to (%n, %n) step (%c3, %c3) init (%init) -> f32 {
    %x = memref.load %m[%i, %j] : memref<?x?xf32>
    scf.reduce(%x : f32) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.maximumf %a, %b : f32
      scf.reduce.return %c : f32
    }
  }
  return %most : f32
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

// CHECK-LABEL: func.func private @sum_parallel_0
// CHECK-SAME:  (%[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index,
// CHECK:       scf.for %[[S:.*]] = %[[BEGIN]] to %[[END]] step %c1 {
// CHECK:         %[[LAST:.*]] = arith.minsi
// CHECK:         %[[PART:.*]] = scf.for %[[I:.*]] = %{{.*}} to %[[LAST]] step %c1 iter_args(%{{.*}} = %c0_i64) -> (i64) {
// CHECK-NEXT:      memref.load %{{.*}}[%[[I]]]
// CHECK-NEXT:      arith.addi
// CHECK:         memref.store %[[PART]], %{{.*}}[%[[S]]] : memref<256xi64>

// CHECK-LABEL: func.func private @largest_parallel_0
// CHECK-SAME:  %[[INIT:[a-z0-9]+]]: f32
// CHECK:       scf.for
// CHECK:         scf.for {{.*}} iter_args({{.*}} = %[[INIT]])
// CHECK:           scf.for
