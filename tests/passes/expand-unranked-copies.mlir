// Copies of buffers of any rank become copies of buffers of each rank.
// RUN: freehold opt %s --expand-unranked-copies | FileCheck %s

// CHECK-LABEL: func.func @unranked
// CHECK:         %[[RANK:.*]] = memref.rank %{{.*}} : memref<*xf32>
// CHECK:         arith.cmpi eq, %[[RANK]]
// CHECK:         scf.if
// CHECK-COUNT-9: memref.copy
// CHECK-NOT:     memref.copy
// CHECK:         cf.assert %{{.*}}, "memref.copy of more than 8 dimensions without the runtime"
func.func @unranked(%a: memref<*xf32>, %b: memref<*xf32>) {
  memref.copy %a, %b : memref<*xf32> to memref<*xf32>
  return
}

// The rank of one is that of the other.
// CHECK-LABEL: func.func @half
// CHECK-NOT:     scf.if
// CHECK:         memref.cast %{{.*}} : memref<*xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK:         memref.copy
func.func @half(%a: memref<*xf32>, %b: memref<2x3xf32>) {
  memref.copy %a, %b : memref<*xf32> to memref<2x3xf32>
  return
}
