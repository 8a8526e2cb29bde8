// RUN: freehold opt %s --convert-bufferization-to-memref | FileCheck %s

// CHECK-LABEL: func.func @dynamic
// CHECK:         %[[D:.*]] = memref.dim %arg0
// CHECK:         %[[A:.*]] = memref.alloc(%[[D]]) : memref<?x4xf32>
// CHECK:         memref.copy %arg0, %[[A]]
// CHECK:         return %[[A]]
func.func @dynamic(%m: memref<?x4xf32>) -> memref<?x4xf32> {
  %c = bufferization.clone %m : memref<?x4xf32> to memref<?x4xf32>
  return %c : memref<?x4xf32>
}

// CHECK-LABEL: func.func @strided_dynamic
// CHECK:         %[[A:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         %[[C:.*]] = memref.cast %[[A]]
// CHECK:         memref.copy %arg0, %[[C]]
func.func @strided_dynamic(%m: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
  %c = bufferization.clone %m : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  return %c : memref<?xf32, strided<[?], offset: ?>>
}

// A known layout that is not row-major, which upstream rejects.
// CHECK-LABEL: func.func @strided_static
// CHECK:         %[[A:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         %[[C:.*]] = memref.reinterpret_cast %[[A]] to offset: [3], sizes: [4], strides: [2]
// CHECK:         memref.copy %arg0, %[[C]]
func.func @strided_static(%m: memref<4xf32, strided<[2], offset: 3>>) -> memref<4xf32, strided<[2], offset: 3>> {
  %c = bufferization.clone %m : memref<4xf32, strided<[2], offset: 3>> to memref<4xf32, strided<[2], offset: 3>>
  return %c : memref<4xf32, strided<[2], offset: 3>>
}

// CHECK-LABEL: func.func @unranked
// CHECK:         memref.rank
// CHECK:         scf.for
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         %[[R:.*]] = memref.reshape %[[A]]
// CHECK:         memref.copy %arg0, %[[R]]
func.func @unranked(%m: memref<*xf32>) -> memref<*xf32> {
  %c = bufferization.clone %m : memref<*xf32> to memref<*xf32>
  return %c : memref<*xf32>
}
