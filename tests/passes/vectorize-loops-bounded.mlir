// RUN: freehold opt %s --vectorize-loops="vector-bits=512" | FileCheck %s

// A loop has at most as many iterations as there are elements for: loops in vectors for more are not made.

// CHECK-LABEL: func.func @up_to_nine(
// CHECK-NOT: vector<16xf32>
// CHECK: vector.load %{{.*}} : memref<3x9xf32>, vector<4xf32>
// CHECK: return
func.func @up_to_nine(%a: memref<3x9xf32>, %from: index, %to: index, %f: f32) {
  %c1 = arith.constant 1 : index
  scf.for %i = %from to %to step %c1 {
    %x = memref.load %a[%c1, %i] : memref<3x9xf32>
    %y = arith.mulf %x, %f : f32
    memref.store %y, %a[%c1, %i] : memref<3x9xf32>
  }
  return
}

// CHECK-LABEL: func.func @up_to_three(
// CHECK-NOT: vector
// CHECK: return
func.func @up_to_three(%a: memref<9x3xf32>, %from: index, %to: index, %f: f32) {
  %c1 = arith.constant 1 : index
  scf.for %i = %from to %to step %c1 {
    %x = memref.load %a[%c1, %i] : memref<9x3xf32>
    %y = arith.mulf %x, %f : f32
    memref.store %y, %a[%c1, %i] : memref<9x3xf32>
  }
  return
}

// What happens in some iterations only says nothing about their number.

// CHECK-LABEL: func.func @some(
// CHECK: vector.load %{{.*}} : memref<?xf32>, vector<16xf32>
func.func @some(%a: memref<?xf32>, %b: memref<3xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %sum = scf.for %k = %c0 to %m step %c1 iter_args(%s = %x) -> f32 {
      %y = memref.load %b[%k] : memref<3xf32>
      %z = arith.addf %s, %y : f32
      scf.yield %z : f32
    }
    memref.store %sum, %a[%i] : memref<?xf32>
  }
  return
}
