// RUN: freehold opt %s --flatten-memref | FileCheck %s
// RUN: freehold opt %s --flatten-memref | freehold run - | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT

// CHECK-LABEL: func.func @load
// CHECK:         %[[AT:.*]] = affine.apply #{{.*}}()[%arg1, %arg2]
// CHECK:         %[[FLAT:.*]] = memref.reinterpret_cast %arg0 to offset: [3], sizes: [32], strides: [1]
// CHECK:         memref.load %[[FLAT]][%[[AT]]]
func.func @load(%m: memref<8x4xindex, strided<[4, 1], offset: 3>>, %i: index, %j: index) -> index {
  %v = memref.load %m[%i, %j] : memref<8x4xindex, strided<[4, 1], offset: 3>>
  return %v : index
}

// Sizes that are not known, and rows that do not lie one after the other.
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     reinterpret_cast
// CHECK:         return
func.func @kept(%m: memref<?x4xf32>, %t: memref<4x4xf32, strided<[1, 4]>>, %i: index) -> (f32, f32) {
  %v = memref.load %m[%i, %i] : memref<?x4xf32>
  %w = memref.load %t[%i, %i] : memref<4x4xf32, strided<[1, 4]>>
  return %v, %w : f32, f32
}

// OUT: 14
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c35 = arith.constant 35 : index
  %m = memref.alloc() : memref<35xindex>
  scf.for %i = %c0 to %c35 step %c1 {
    memref.store %i, %m[%i] : memref<35xindex>
  }
  %v = memref.reinterpret_cast %m to offset: [3], sizes: [8, 4], strides: [4, 1] : memref<35xindex> to memref<8x4xindex, strided<[4, 1], offset: 3>>
  %x = func.call @load(%v, %c2, %c3) : (memref<8x4xindex, strided<[4, 1], offset: 3>>, index, index) -> index
  vector.print %x : index
  memref.dealloc %m : memref<35xindex>
  return
}
