// RUN: freehold opt %s --vectorize-loops | FileCheck %s

// Buffers whose last dimensions have size 1 are rows of elements.

// CHECK-LABEL: func.func @column(
// CHECK-SAME: %[[A:.*]]: memref<64x1xf32>, %[[B:.*]]: memref<64x1x1xf32>)
// CHECK-DAG: %[[FROM:.*]] = memref.collapse_shape %[[A]] {{\[}}[0, 1]] : memref<64x1xf32> into memref<64xf32>
// CHECK-DAG: %[[TO:.*]] = memref.collapse_shape %[[B]] {{\[}}[0, 1, 2]] : memref<64x1x1xf32> into memref<64xf32>
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK: vector.load %[[FROM]][%[[I]]] : memref<64xf32>, vector<4xf32>
// CHECK: vector.store %{{.*}}, %[[TO]][%[[I]]] : memref<64xf32>, vector<4xf32>
func.func @column(%a: memref<64x1xf32>, %b: memref<64x1x1xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i, %c0] : memref<64x1xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%i, %c0, %c0] : memref<64x1x1xf32>
  }
  return
}

// Sizes and strides of other dimensions may be anything.

// CHECK-LABEL: func.func @rows(
// CHECK: memref.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : memref<?x?x1xf32, strided<[?, 1, ?], offset: ?>> into memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK: vector.load %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x?xf32, strided<[?, 1], offset: ?>>, vector<4xf32>
func.func @rows(%a: memref<?x?x1xf32, strided<[?, 1, ?], offset: ?>>, %n: index, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%at, %i, %c0] : memref<?x?x1xf32, strided<[?, 1, ?], offset: ?>>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%at, %i, %c0] : memref<?x?x1xf32, strided<[?, 1, ?], offset: ?>>
  }
  return
}

// Elements that are apart keep all subscripts, as do those behind a subscript that is not known to be 0.

// CHECK-LABEL: func.func @stays(
// CHECK-NOT: memref.collapse_shape
// CHECK: return
func.func @stays(%a: memref<64x1xf32, strided<[3, 1]>>, %b: memref<64x1xf32>, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i, %c0] : memref<64x1xf32, strided<[3, 1]>>
    memref.store %x, %b[%i, %at] : memref<64x1xf32>
  }
  return
}
