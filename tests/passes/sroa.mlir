// RUN: freehold opt %s --sroa | FileCheck %s
// RUN: freehold opt %s --sroa --mem2reg | FileCheck %s --check-prefix=VALUES

// CHECK-LABEL: func.func @split
// CHECK-DAG:     %[[A:.*]] = memref.alloca() : memref<i32>
// CHECK-DAG:     %[[B:.*]] = memref.alloca() : memref<i32>
// CHECK:         memref.store %arg0, %[[A]][]
// CHECK:         memref.store %arg1, %[[B]][]
// CHECK:         memref.load %[[A]][]
// VALUES-LABEL: func.func @split
// VALUES-NOT:     memref
// VALUES:         return %arg0
func.func @split(%x: i32, %y: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloca() : memref<2x2xi32>
  memref.store %x, %a[%c0, %c1] : memref<2x2xi32>
  memref.store %y, %a[%c1, %c1] : memref<2x2xi32>
  %v = memref.load %a[%c0, %c1] : memref<2x2xi32>
  return %v : i32
}

// A place that is not known, a place outside, a view.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: memref.alloca() : memref<2xi32>
func.func @kept(%i: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloca() : memref<2xi32>
  memref.store %x, %a[%i] : memref<2xi32>
  %b = memref.alloca() : memref<2xi32>
  memref.store %x, %b[%c2] : memref<2xi32>
  %d = memref.alloca() : memref<2xi32>
  memref.store %x, %d[%c0] : memref<2xi32>
  %e = memref.cast %d : memref<2xi32> to memref<?xi32>
  memref.store %x, %e[%i] : memref<?xi32>
  return
}
