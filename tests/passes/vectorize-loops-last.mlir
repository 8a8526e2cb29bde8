// RUN: freehold opt %s --vectorize-loops="vector-bits=512" --canonicalize | FileCheck %s

// What is left over runs as one vector that begins before it, if iterations may run twice.

// CHECK-LABEL: func.func @again(
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C15:.*]] = arith.constant 15 : index
// CHECK: vector.load %{{.*}}[%[[C0]]] : memref<31xf32>, vector<16xf32>
// CHECK: vector.store %{{.*}}[%[[C0]]] : memref<31xf32>, vector<16xf32>
// CHECK: vector.load %{{.*}}[%[[C15]]] : memref<31xf32>, vector<16xf32>
// CHECK: vector.store %{{.*}}[%[[C15]]] : memref<31xf32>, vector<16xf32>
// CHECK-NOT: memref.load
// CHECK: return
func.func @again(%a: memref<31xf32>, %f: f32) -> memref<31xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %b = memref.alloc() : memref<31xf32>
  scf.for %i = %c0 to %c31 step %c1 {
    %x = memref.load %a[%i] : memref<31xf32>
    %y = arith.mulf %x, %f : f32
    memref.store %y, %b[%i] : memref<31xf32>
  }
  return %b : memref<31xf32>
}

// Not if it loads what it stores, and not for less than three vectors and single iterations.

// CHECK-LABEL: func.func @in_place(
// CHECK: vector<16xf32>
// CHECK: vector<8xf32>
// CHECK: vector<4xf32>
// CHECK: memref.store
func.func @in_place(%a: memref<31xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  scf.for %i = %c0 to %c31 step %c1 {
    %x = memref.load %a[%i] : memref<31xf32>
    %y = arith.mulf %x, %f : f32
    memref.store %y, %a[%i] : memref<31xf32>
  }
  return
}

// CHECK-LABEL: func.func @two(
// CHECK: vector.store %{{.*}} : memref<18xf32>, vector<16xf32>
// CHECK: scf.for
// CHECK: memref.store
func.func @two(%a: memref<18xf32>, %f: f32) -> memref<18xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c18 = arith.constant 18 : index
  %b = memref.alloc() : memref<18xf32>
  scf.for %i = %c0 to %c18 step %c1 {
    %x = memref.load %a[%i] : memref<18xf32>
    %y = arith.mulf %x, %f : f32
    memref.store %y, %b[%i] : memref<18xf32>
  }
  return %b : memref<18xf32>
}

// The two arguments may be one buffer.

// CHECK-LABEL: func.func @may_overlap(
// CHECK: memref.store
func.func @may_overlap(%a: memref<31xf32>, %b: memref<31xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  scf.for %i = %c0 to %c31 step %c1 {
    %x = memref.load %a[%i] : memref<31xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%i] : memref<31xf32>
  }
  return
}
