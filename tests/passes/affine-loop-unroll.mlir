// RUN: freehold opt %s --affine-loop-unroll | FileCheck %s
// RUN: freehold opt %s --affine-loop-unroll=unroll-full | FileCheck %s --check-prefix=FULL
// RUN: freehold opt %s --affine-loop-unroll | freehold run - | FileCheck %s --check-prefix=OUT
// RUN: freehold opt %s --affine-loop-unroll="unroll-factor=3 unroll-up-to-factor" | freehold run - | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT

// What is left over begins at the lower bound if the upper one is less than that.
// CHECK-DAG:   #[[WHOLE:.*]] = affine_map<()[s0] -> ((s0 floordiv 4) * 4)>
// CHECK-DAG:   #[[REST:.*]] = affine_map<()[s0] -> ((s0 floordiv 4) * 4, 0)>
// CHECK-LABEL: func.func @unknown
// CHECK:         affine.for %[[I:.*]] = 0 to #[[WHOLE]]()[%arg1] step 4 {
// CHECK-COUNT-4:   affine.load
// CHECK:         affine.for %{{.*}} = max #[[REST]]()[%arg1] to %arg1 {
// CHECK-COUNT-1:   affine.load
// FULL-LABEL: func.func @unknown
// FULL-COUNT-1: affine.load
func.func @unknown(%m: memref<?xindex>, %n: index) {
  affine.for %i = 0 to %n {
    %v = affine.load %m[%i] : memref<?xindex>
    %w = arith.addi %v, %i : index
    affine.store %w, %m[%i] : memref<?xindex>
  }
  return
}

// CHECK-LABEL: func.func @known
// CHECK:         %[[S:.*]] = affine.for %{{.*}} = 2 to 18 step 8 iter_args
// CHECK:         affine.for %{{.*}} = 18 to 21 step 2 iter_args(%{{.*}} = %[[S]])
// FULL-LABEL: func.func @known
// FULL-NOT:      affine.for
// FULL-COUNT-10: arith.addi
// FULL-NEXT:     return
func.func @known() -> index {
  %c0 = arith.constant 0 : index
  %r = affine.for %i = 2 to 21 step 2 iter_args(%s = %c0) -> index {
    %t = arith.addi %s, %i : index
    affine.yield %t : index
  }
  return %r : index
}

// OUT:      110
// OUT-NEXT: 45
// OUT-NEXT: 45
func.func @main() {
  %r = func.call @known() : () -> index
  vector.print %r : index
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %m1 = arith.constant -1 : index
  %m = memref.alloc() : memref<10xindex>
  affine.for %i = 0 to 10 {
    affine.store %c0, %m[%i] : memref<10xindex>
  }
  %d = memref.cast %m : memref<10xindex> to memref<?xindex>
  func.call @unknown(%d, %c10) : (memref<?xindex>, index) -> ()
  %s = affine.for %i = 0 to 10 iter_args(%s = %c0) -> index {
    %v = affine.load %m[%i] : memref<10xindex>
    %t = arith.addi %s, %v : index
    affine.yield %t : index
  }
  vector.print %s : index
  // No iteration, and nothing before the buffer either.
  func.call @unknown(%d, %m1) : (memref<?xindex>, index) -> ()
  %s2 = affine.for %i = 0 to 10 iter_args(%s2 = %c0) -> index {
    %v = affine.load %m[%i] : memref<10xindex>
    %t = arith.addi %s2, %v : index
    affine.yield %t : index
  }
  vector.print %s2 : index
  memref.dealloc %m : memref<10xindex>
  return
}
