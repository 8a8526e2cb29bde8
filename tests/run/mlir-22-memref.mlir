// What MLIR 22 has of memref besides MLIR 19 runs.
//
// RUN: freehold run %s --entry-point-result=i32 | FileCheck %s

// CHECK: 6
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %five = arith.constant 5 : i32
  %three = arith.constant 3 : i64
  %m = memref.alloc() : memref<1xi32>
  %a = memref.assume_alignment %m, 4 : memref<1xi32>
  memref.store %five, %a[%c0] : memref<1xi32>
  %t = arith.trunci %three overflow<nsw> : i64 to i32
  %old = memref.atomic_rmw xori %t, %a[%c0] : (i32, memref<1xi32>) -> i32
  %new = memref.load %m[%c0] : memref<1xi32>
  return %new : i32
}
