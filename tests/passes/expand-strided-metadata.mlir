// RUN: freehold opt --expand-strided-metadata --split-input-file %s | FileCheck %s
// RUN: freehold opt --expand-strided-metadata --split-input-file %s | freehold opt --expand-strided-metadata --split-input-file - | FileCheck %s

// Offsets and strides of a subview follow from those of its source; numbers
// that the types tell stay numbers.
// CHECK: #[[MUL:.*]] = affine_map<()[s0, s1] -> (s0 * s1)>
// CHECK-LABEL: func @subview_of_dynamic
// CHECK: %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK-NEXT: %[[STRIDE:.*]] = affine.apply #[[MUL]]()[%arg2, %[[STRIDES]]#1]
// CHECK-NEXT: %[[FIRST:.*]] = affine.apply #{{.*}}()[%[[OFFSET]], %arg1, %[[STRIDES]]#0, %[[STRIDES]]#1]
// CHECK-NEXT: memref.reinterpret_cast %[[BASE]] to offset: [%[[FIRST]]], sizes: [%arg2, 4], strides: [%[[STRIDES]]#0, %[[STRIDE]]]
// CHECK-NOT: subview
func.func @subview_of_dynamic(%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %at: index, %n: index)
    -> memref<?x4xf32, strided<[?, ?], offset: ?>> {
  %v = memref.subview %m[%at, 2] [%n, 4] [1, %n]
    : memref<?x?xf32, strided<[?, ?], offset: ?>> to memref<?x4xf32, strided<[?, ?], offset: ?>>
  return %v : memref<?x4xf32, strided<[?, ?], offset: ?>>
}

// A view of a view is computed from the allocation, and a dimension that is
// dropped takes its stride along.
// CHECK-LABEL: func @view_of_view
// CHECK: %[[ALLOC:.*]] = memref.alloc
// CHECK-NEXT: %[[BASE:.*]] = memref.reinterpret_cast %[[ALLOC]] to offset: [0], sizes: [], strides: []
// CHECK-NEXT: memref.reinterpret_cast %[[BASE]] to offset: [7], sizes: [2, 3], strides: [6, 2]
// CHECK-NEXT: %[[ROW:.*]] = memref.reinterpret_cast %[[BASE]] to offset: [13], sizes: [3], strides: [2]
// CHECK-NEXT: return %[[ROW]]
func.func @view_of_view() -> memref<3xf32, strided<[2], offset: 13>> {
  %m = memref.alloc() : memref<4x6xf32>
  %v = memref.subview %m[1, 1] [2, 3] [1, 2] : memref<4x6xf32> to memref<2x3xf32, strided<[6, 2], offset: 7>>
  %row = memref.subview %v[1, 0] [1, 3] [1, 1]
    : memref<2x3xf32, strided<[6, 2], offset: 7>> to memref<3xf32, strided<[2], offset: 13>>
  return %row : memref<3xf32, strided<[2], offset: 13>>
}

// Metadata of what is allocated here, and of what is cast, needs no operation.
// CHECK-LABEL: func @of_allocation
// CHECK: %[[ALLOC:.*]] = memref.alloc(%arg0)
// CHECK-NOT: extract_strided_metadata
// CHECK: return %arg0, %arg0
func.func @of_allocation(%n: index) -> (index, index) {
  %m = memref.alloc(%n) : memref<4x?xf32>
  %c = memref.cast %m : memref<4x?xf32> to memref<?x?xf32>
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %c
    : memref<?x?xf32> -> memref<f32>, index, index, index, index, index
  return %sizes#1, %strides#0 : index, index
}

// Views share the aligned pointer of what they view, except for memref.view.
// CHECK-LABEL: func @pointers
// CHECK: %[[VIEW:.*]] = memref.view %arg0
// CHECK: %[[FIRST:.*]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK: %[[SECOND:.*]] = memref.extract_aligned_pointer_as_index %[[VIEW]]
// CHECK: return %[[FIRST]], %[[SECOND]]
func.func @pointers(%bytes: memref<64xi8>, %shift: index) -> (index, index) {
  %part = memref.subview %bytes[4] [8] [2] : memref<64xi8> to memref<8xi8, strided<[2], offset: 4>>
  %view = memref.view %bytes[%shift][] : memref<64xi8> to memref<4xf32>
  %0 = memref.extract_aligned_pointer_as_index %part : memref<8xi8, strided<[2], offset: 4>> -> index
  %1 = memref.extract_aligned_pointer_as_index %view : memref<4xf32> -> index
  return %0, %1 : index, index
}

// Any number of dynamic sizes per group: they are in the operation itself.
// CHECK-LABEL: func @expand_shape
// CHECK: %[[BASE:.*]], %{{.*}}, %{{.*}}, %[[STRIDE:.*]] = memref.extract_strided_metadata %arg0
// CHECK: %[[INNER:.*]] = affine.apply #{{.*}}()[%[[STRIDE]]]
// CHECK: %[[OUTER:.*]] = affine.apply #{{.*}}()[%[[STRIDE]], %arg2]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%arg1, %arg2, 2], strides: [%[[OUTER]], %[[INNER]], %[[STRIDE]]]
func.func @expand_shape(%m: memref<?xf32, strided<[?]>>, %a: index, %b: index)
    -> memref<?x?x2xf32, strided<[?, ?, ?]>> {
  %v = memref.expand_shape %m [[0, 1, 2]] output_shape [%a, %b, 2]
    : memref<?xf32, strided<[?]>> into memref<?x?x2xf32, strided<[?, ?, ?]>>
  return %v : memref<?x?x2xf32, strided<[?, ?, ?]>>
}

// The size is the product of the sizes, the stride the smallest.
// CHECK-LABEL: func @collapse_shape
// CHECK: %[[BASE:.*]], %{{.*}}, %[[SIZES:.*]]:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %arg0
// CHECK: %[[SIZE:.*]] = affine.apply #{{.*}}()[%[[SIZES]]#1]
// CHECK: %[[STRIDE:.*]] = affine.min #{{.*}}()[%[[STRIDES]]#0]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[SIZE]]], strides: [%[[STRIDE]]]
func.func @collapse_shape(%m: memref<4x?xf32>) -> memref<?xf32> {
  %v = memref.collapse_shape %m [[0, 1]] : memref<4x?xf32> into memref<?xf32>
  return %v : memref<?xf32>
}

// CHECK-LABEL: func @rank_zero
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [1, 1], strides: [1, 1]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [], strides: []
func.func @rank_zero(%m: memref<f32>, %ones: memref<1x1xf32>) -> (memref<1x1xf32>, memref<f32>) {
  %0 = memref.expand_shape %m [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
  %1 = memref.collapse_shape %ones [] : memref<1x1xf32> into memref<f32>
  return %0, %1 : memref<1x1xf32>, memref<f32>
}

// -----

// The size of a view may be a symbol where that of a reinterpret_cast may not, casts in between or not.
// CHECK-LABEL: func @dim_is_symbol
// CHECK: affine.for
// CHECK: %[[N:.*]] = memref.dim %arg0
// CHECK: memref.reinterpret_cast
// CHECK: affine.for %{{.*}} = 0 to %[[N]]
// CHECK: affine.for %{{.*}} = 0 to %{{c2.*}} {
func.func @dim_is_symbol(%m: memref<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  affine.for %i = 0 to 3 {
    %s = memref.dim %m, %c0 : memref<?x?xi32>
    %v = memref.subview %m[0, 0] [%s, 2] [1, 1] : memref<?x?xi32> to memref<?x2xi32, strided<[?, 1]>>
    %w = memref.cast %v : memref<?x2xi32, strided<[?, 1]>> to memref<?x?xi32, strided<[?, ?], offset: ?>>
    %n = memref.dim %v, %c0 : memref<?x2xi32, strided<[?, 1]>>
    %k = memref.dim %w, %c1 : memref<?x?xi32, strided<[?, ?], offset: ?>>
    affine.for %j = 0 to %n {
      %x = affine.load %m[%j, 0] : memref<?x?xi32>
      memref.store %x, %w[%j, %c0] : memref<?x?xi32, strided<[?, ?], offset: ?>>
    }
    affine.for %j = 0 to %k {
      %x = affine.load %m[0, %j] : memref<?x?xi32>
      memref.store %x, %w[%c0, %j] : memref<?x?xi32, strided<[?, ?], offset: ?>>
    }
  }
  return
}

// An offset that is wrong, in code that need not run.
// CHECK-LABEL: func.func @before
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%c-3{{.*}}], sizes: [4], strides: [1]
func.func @before(%m: memref<16xf32>) -> memref<4xf32, strided<[1], offset: ?>> {
  %c = arith.constant -3 : index
  %0 = memref.subview %m[%c] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  return %0 : memref<4xf32, strided<[1], offset: ?>>
}

// -----

// A memref without elements: strides are those of the type.
// CHECK-LABEL: func.func @without_elements
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [0, 2], strides: [2, 1]
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [%arg1, 0, 2], strides: [0, 2, 1]
func.func @without_elements(%m: memref<?x0x2xf32>, %n: index) -> memref<?x0x2xf32> {
  %c = memref.collapse_shape %m [[0, 1], [2]] : memref<?x0x2xf32> into memref<?x2xf32>
  %e = memref.expand_shape %c [[0, 1], [2]] output_shape [%n, 0, 2] : memref<?x2xf32> into memref<?x0x2xf32>
  return %e : memref<?x0x2xf32>
}
