// RUN: freehold opt %s --loop-invariant-code-motion | FileCheck %s

// A slice that certainly lies in the buffer leaves the loop; another one would be checked where the loop does not run.
// CHECK-LABEL: func.func @slices
// CHECK:         memref.subview %arg0[1] [2] [1]
// CHECK:         scf.for
// CHECK:           memref.subview %arg0[%arg1] [2] [1]
func.func @slices(%m: memref<4xf32>, %k: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
    %b = memref.subview %m[%k] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
    memref.copy %a, %b : memref<2xf32, strided<[1], offset: 1>> to memref<2xf32, strided<[1], offset: ?>>
  }
  return
}
