// RUN: freehold opt %s --expand-realloc | FileCheck %s
// RUN: freehold opt %s --expand-realloc="emit-deallocs=false" | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: func.func @dynamic
// CHECK:         %[[OLD:.*]] = memref.dim %arg0
// CHECK:         %[[GROWS:.*]] = arith.cmpi ult, %[[OLD]], %arg1
// CHECK:         scf.if %[[GROWS]]
// CHECK:           %[[NEW:.*]] = memref.alloc(%arg1) {alignment = 16 : i64}
// CHECK:           %[[PART:.*]] = memref.subview %[[NEW]][0] [%[[OLD]]] [1]
// CHECK:           memref.copy %arg0, %[[PART]]
// CHECK:           memref.dealloc %arg0
// CHECK:           scf.yield %[[NEW]]
// CHECK:         } else {
// CHECK:           %[[VIEW:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [%arg1], strides: [1]
// CHECK:           scf.yield %[[VIEW]]
// KEEP-NOT: memref.dealloc
func.func @dynamic(%m: memref<?xi32>, %n: index) -> memref<?xi32> {
  %r = memref.realloc %m(%n) {alignment = 16 : i64} : memref<?xi32> to memref<?xi32>
  return %r : memref<?xi32>
}

// CHECK-LABEL: func.func @static
// CHECK:         memref.subview %{{.*}}[0] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1]>>
func.func @static(%m: memref<2xi32>) -> memref<4xi32> {
  %r = memref.realloc %m : memref<2xi32> to memref<4xi32>
  return %r : memref<4xi32>
}
