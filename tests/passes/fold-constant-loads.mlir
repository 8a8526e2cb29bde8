// Loads from known places of constants are constants; those from others, from variables and beyond the end stay.
//
// RUN: freehold opt %s --fold-constant-loads | FileCheck %s

memref.global "private" constant @table : memref<2x4xi8> = dense<[[3, 2, 1, 0], [7, 6, 5, 4]]>
memref.global "private" constant @same : memref<8xf32> = dense<1.5>
memref.global "private" @variable : memref<4xi8> = dense<[3, 2, 1, 0]>
memref.global "private" constant @elsewhere : memref<4xi8>

// CHECK-LABEL: func.func @loads
func.func @loads(%i: index) -> (i8, vector<4xi8>, i8, f32, i8, i8, i8, i8, vector<4xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %c9 = arith.constant 9 : index
  %t = memref.get_global @table : memref<2x4xi8>
  // CHECK: %[[A:.*]] = arith.constant 5 : i8
  %a = memref.load %t[%c1, %c2] : memref<2x4xi8>
  // CHECK: %[[B:.*]] = arith.constant dense<[1, 0, 7, 6]> : vector<4xi8>
  %b = vector.load %t[%c0, %c2] : memref<2x4xi8>, vector<4xi8>
  %flat = memref.collapse_shape %t [[0, 1]] : memref<2x4xi8> into memref<8xi8>
  // CHECK: %[[C:.*]] = arith.constant 5 : i8
  %c = memref.load %flat[%c6] : memref<8xi8>
  %s = memref.get_global @same : memref<8xf32>
  // CHECK: %[[D:.*]] = arith.constant 1.500000e+00 : f32
  %d = memref.load %s[%c2] : memref<8xf32>
  // CHECK: memref.load
  %e = memref.load %t[%c1, %i] : memref<2x4xi8>
  %v = memref.get_global @variable : memref<4xi8>
  // CHECK: memref.load
  %f = memref.load %v[%c1] : memref<4xi8>
  %o = memref.get_global @elsewhere : memref<4xi8>
  // CHECK: memref.load
  %g = memref.load %o[%c1] : memref<4xi8>
  // CHECK: memref.load
  %h = memref.load %flat[%c9] : memref<8xi8>
  // CHECK: vector.load
  %w = vector.load %flat[%c6] : memref<8xi8>, vector<4xi8>
  // CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
  return %a, %b, %c, %d, %e, %f, %g, %h, %w : i8, vector<4xi8>, i8, f32, i8, i8, i8, i8, vector<4xi8>
}
