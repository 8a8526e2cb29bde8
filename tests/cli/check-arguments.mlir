// Memory that callers pass is known to the checker, with its sizes: on the command line of `run` and of executables,
// and through the C interface.

// RUN: not freehold run -e element --check=accesses --input 4xf32=1,2,3,4 --input index=10 %s 2>&1 | FileCheck %s
// RUN: freehold run -e element --check=accesses --input 4xf32=1,2,3,4 --input index=3 %s 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not freehold run -e element -O2 --check=accesses --input 4xf32=1,2,3,4 --input index=4 %s 2>&1 | FileCheck %s --check-prefix=BEHIND
// RUN: not freehold run -e part --check=accesses --input 4xf32=1,2,3,4 --input index=4 %s 2>&1 | FileCheck %s --check-prefix=PART
// Without --check=accesses, nobody looks.
// RUN: freehold run -e part --check --input 4xf32=1,2,3,4 --input index=2 %s 2>&1 | FileCheck %s --check-prefix=UNCHECKED
//
// RUN: freehold compile %s --emit=exe -e element --check=accesses -o %t
// RUN: not %t --input=4xf32=1,2,3,4 --input=index=10 2>&1 | FileCheck %s
// RUN: %t --input=4xf32=1,2,3,4 --input=index=3 2>&1 | FileCheck %s --check-prefix=INSIDE
//
// CHECK: [[@LINE+17]]:8: error: out of bounds read of 4 bytes at offset 40 of a buffer of 16 bytes
// CHECK: note: passed by the caller
// CHECK: memory check: 1 error
//
// INSIDE: result #0: f32 = 4
// INSIDE-NOT: error
//
// BEHIND: error: out of bounds read of 4 bytes at offset 16 of a buffer of 16 bytes
//
// A view of what was passed has the same bounds.
// PART: error: out of bounds write of 4 bytes at offset 20 of a buffer of 16 bytes
// PART: memory check: 1 error
//
// UNCHECKED: argument #0: 4xf32 = [1.0, 2.0, 3.0, 7.0]
// UNCHECKED-NOT: error

func.func @element(%m: memref<4xf32>, %i: index) -> f32 attributes {llvm.emit_c_interface} {
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}

func.func @part(%m: memref<4xf32>, %i: index) attributes {llvm.emit_c_interface} {
  %x = arith.constant 7.0 : f32
  %v = memref.subview %m[1] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1], offset: 1>>
  memref.store %x, %v[%i] : memref<3xf32, strided<[1], offset: 1>>
  return
}
