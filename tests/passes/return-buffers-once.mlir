// RUN: freehold opt %s --return-buffers-once | FileCheck %s

// The function stays for others; who calls it here gets each buffer once, and none that was passed.
// CHECK-LABEL: func.func @several(
// CHECK:         return %{{.*}}, %{{.*}}, %{{.*}} : memref<4xi64>, memref<?xi64>, memref<4xi64>
// CHECK-LABEL: func.func private @several_once(%arg0: memref<4xi64>) -> memref<4xi64> {
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK:         return %[[A]] : memref<4xi64>
func.func @several(%m: memref<4xi64>) -> (memref<4xi64>, memref<?xi64>, memref<4xi64>) attributes {llvm.emit_c_interface} {
  %a = memref.alloc() : memref<4xi64>
  %c = memref.cast %a : memref<4xi64> to memref<?xi64>
  return %a, %c, %m : memref<4xi64>, memref<?xi64>, memref<4xi64>
}

// CHECK-LABEL: func.func @caller(
// CHECK:         %[[R:.*]] = call @several_once(%arg0) : (memref<4xi64>) -> memref<4xi64>
// CHECK:         %[[C:.*]] = memref.cast %[[R]] : memref<4xi64> to memref<?xi64>
// CHECK:         return %[[R]], %[[C]], %arg0
// CHECK-LABEL: func.func private @caller_once(%arg0: memref<4xi64>) -> memref<4xi64> {
// CHECK:         call @several_once
func.func @caller(%m: memref<4xi64>) -> (memref<4xi64>, memref<?xi64>, memref<4xi64>) {
  %r:3 = call @several(%m) : (memref<4xi64>) -> (memref<4xi64>, memref<?xi64>, memref<4xi64>)
  return %r#0, %r#1, %r#2 : memref<4xi64>, memref<?xi64>, memref<4xi64>
}

// CHECK-LABEL: func.func @outer(
// CHECK:         call @caller_once(%arg0) : (memref<4xi64>) -> memref<4xi64>
func.func @outer(%m: memref<4xi64>) {
  %r:3 = call @caller(%m) : (memref<4xi64>) -> (memref<4xi64>, memref<?xi64>, memref<4xi64>)
  return
}

// Nobody calls it here.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT:   @alone_once
func.func @alone(%m: memref<4xi64>) -> memref<4xi64> {
  return %m : memref<4xi64>
}
