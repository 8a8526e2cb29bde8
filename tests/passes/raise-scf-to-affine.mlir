// RUN: freehold opt %s --raise-scf-to-affine | FileCheck %s

// CHECK-LABEL: func.func @sum
// CHECK-NEXT:    %[[Z:.*]] = arith.constant 0.0{{.*}} : f32
// CHECK-NEXT:    %[[S:.*]] = affine.for %[[I:.*]] = 0 to %arg1 step 2 iter_args(%[[A:.*]] = %[[Z]]) -> (f32) {
// CHECK-NEXT:      %[[V:.*]] = affine.load %arg0[%[[I]] * 3 + symbol(%arg1) + 1]
// CHECK-NEXT:      %[[T:.*]] = arith.addf %[[A]], %[[V]]
// CHECK-NEXT:      affine.yield %[[T]]
func.func @sum(%m: memref<?xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%s = %z) -> f32 {
    %t = arith.muli %i, %c3 : index
    %j = arith.addi %t, %c1 : index
    %k = arith.addi %j, %n : index
    %v = memref.load %m[%k] : memref<?xf32>
    %w = arith.addf %s, %v : f32
    scf.yield %w : f32
  }
  return %r : f32
}

// A step that is not known, and a subscript that is read from memory.
// CHECK-LABEL: func.func @kept
// CHECK:         scf.for
// CHECK:         affine.for
// CHECK:           memref.load %arg0
func.func @kept(%m: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %n {
    memref.store %i, %m[%i] : memref<?xindex>
  }
  scf.for %i = %c0 to %n step %c1 {
    %j = memref.load %m[%i] : memref<?xindex>
    %k = memref.load %m[%j] : memref<?xindex>
    memref.store %k, %m[%i] : memref<?xindex>
  }
  return
}
