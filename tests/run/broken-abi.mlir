// A function written in C hands out its own argument, although every returned
// buffer belongs to the caller: caught at run time, with the place of the call.
//
// REQUIRES: cc
// RUN: cc -shared -fPIC %S/inputs/broken_abi.c -o %t
// RUN: not freehold run %s --check -shared-libs=%t 2>&1 | FileCheck %s

func.func private @same(memref<4xf32>) -> memref<4xf32>

// CHECK: broken-abi.mlir:[[@LINE+6]]:8: error: external function returned a buffer it does not own
// CHECK-NEXT: broken-abi.mlir:[[@LINE+4]]:8: note: allocated here
// CHECK-NEXT: broken-abi.mlir:[[@LINE+4]]:8: error: double free
func.func @main() {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<4xf32>
  %r = call @same(%a) : (memref<4xf32>) -> memref<4xf32>
  %x = memref.load %r[%i] : memref<4xf32>
  return
}
