// Assertions in plain objects are those of the C library: nothing else has to be linked.
//
// REQUIRES: cc
// RUN: freehold compile %s -o %t.o
// RUN: cc %S/inputs/assert-in-object.c %t.o -o %t
// RUN: %t 3 | FileCheck %s
// RUN: not --crash %t 4 2>&1 | FileCheck %s --check-prefix=FAILED

// CHECK: 3 of 3 elements
// FAILED: assert-in-object.mlir:[[@LINE+7]]: copied: Assertion `dimension #0 of operand #1 of 'memref.copy' is incompatible with dimension #0 of operand #0' failed.

func.func @copied(%x: memref<?xf32>, %n: index) attributes {llvm.emit_c_interface} {
  %e = memref.alloc(%n) : memref<?xf32>
  %c0 = arith.constant 0 : index
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    memref.copy %x, %e : memref<?xf32> to memref<?xf32>
  }
  memref.dealloc %e : memref<?xf32>
  return
}
