// RUN: freehold opt --memref-expand %s | FileCheck %s

// A floating-point extremum is computed; what machines do atomically stays.
// CHECK-LABEL: func @atomics
// CHECK: %[[OLD:.*]] = memref.generic_atomic_rmw %arg0[%arg2]
// CHECK-NEXT: ^bb0(%[[CURRENT:.*]]: f32):
// CHECK-NEXT: %[[NEXT:.*]] = arith.maximumf %[[CURRENT]], %arg1
// CHECK-NEXT: memref.atomic_yield %[[NEXT]]
// CHECK: arith.minimumf
// CHECK: arith.maxnumf
// CHECK: arith.minnumf
// CHECK: memref.atomic_rmw addf
// CHECK: return %[[OLD]]
func.func @atomics(%m: memref<?xf32>, %f: f32, %i: index) -> f32 {
  %0 = memref.atomic_rmw maximumf %f, %m[%i] : (f32, memref<?xf32>) -> f32
  %1 = memref.atomic_rmw minimumf %f, %m[%i] : (f32, memref<?xf32>) -> f32
  %2 = memref.atomic_rmw maxnumf %f, %m[%i] : (f32, memref<?xf32>) -> f32
  %3 = memref.atomic_rmw minnumf %f, %m[%i] : (f32, memref<?xf32>) -> f32
  %4 = memref.atomic_rmw addf %f, %m[%i] : (f32, memref<?xf32>) -> f32
  return %0 : f32
}

// CHECK-LABEL: func @reshape
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: %[[LOADED:.*]] = memref.load %arg1[%[[ONE]]]
// CHECK: %[[INNER:.*]] = arith.index_cast %[[LOADED]] : i32 to index
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [4, %[[INNER]]], strides: [%[[INNER]], 1]
func.func @reshape(%m: memref<?xf32>, %shape: memref<2xi32>) -> memref<4x?xf32> {
  %0 = memref.reshape %m(%shape) : (memref<?xf32>, memref<2xi32>) -> memref<4x?xf32>
  return %0 : memref<4x?xf32>
}

// CHECK-LABEL: func @products
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[LAST:.*]] = memref.load %arg1[%[[TWO]]]
// CHECK: %[[MIDDLE:.*]] = memref.load
// CHECK: %[[STRIDE:.*]] = arith.muli %[[LAST]], %[[MIDDLE]]
// CHECK: sizes: [%{{.*}}, %[[MIDDLE]], %[[LAST]]], strides: [%[[STRIDE]], %[[LAST]], 1]
func.func @products(%m: memref<?xf32>, %shape: memref<3xindex>) -> memref<?x?x?xf32> {
  %0 = memref.reshape %m(%shape) : (memref<?xf32>, memref<3xindex>) -> memref<?x?x?xf32>
  return %0 : memref<?x?x?xf32>
}

// Without a rank there is no reinterpret_cast.
// CHECK-LABEL: func @unranked
// CHECK: memref.reshape
func.func @unranked(%m: memref<?xf32>, %shape: memref<?xi32>) -> memref<*xf32> {
  %0 = memref.reshape %m(%shape) : (memref<?xf32>, memref<?xi32>) -> memref<*xf32>
  return %0 : memref<*xf32>
}
