// Layouts that say nothing, and views of buffers without dimensions.

// RUN: freehold opt %s | freehold opt | FileCheck %s

// A symbol that the layout does not use needs no operand.
// CHECK-LABEL: func.func @unused_symbol
func.func @unused_symbol(%n: index) {
  // CHECK: memref.alloc(%{{.*}}) : memref<?xf32>
  %0 = memref.alloc(%n)[] : memref<?xf32, affine_map<(i)[M] -> (i)>>
  return
}

// CHECK-LABEL: func.func @no_dimensions
func.func @no_dimensions(%a: memref<i8, strided<[], offset: ?>>) -> memref<1x1xi8, strided<[1, 1], offset: ?>> {
  // CHECK: memref.expand_shape %{{.*}} [] output_shape [1, 1] : memref<i8, strided<[], offset: ?>> into memref<1x1xi8, strided<[1, 1], offset: ?>>
  %0 = memref.expand_shape %a [] output_shape [1, 1] : memref<i8, strided<[], offset: ?>> into memref<1x1xi8, strided<[1, 1], offset: ?>>
  return %0 : memref<1x1xi8, strided<[1, 1], offset: ?>>
}

// Strides may be zero, as for MLIR 22.
// CHECK-LABEL: func.func @repeated
// CHECK-SAME:      memref<2x3xf32, strided<[0, 1]>>
// CHECK-SAME:      memref<2x3xf32, strided<[0, ?], offset: ?>>
func.func @repeated(%a: memref<2x3xf32, strided<[0, 1]>>, %b: memref<2x3xf32, strided<[0, ?], offset: ?>>) {
  return
}
