// Memory that C passes is known to the checker, by checked entries and by the C interface itself.
//
// REQUIRES: cc
// RUN: freehold compile %s --check=accesses --emit=header -o %T/check-arguments.h
// RUN: freehold compile %s --check=accesses --emit=lib -o %T/libcheck-arguments.a
// RUN: cc -std=c11 -Wall -Wextra -Werror -O2 -I %T %S/inputs/check-arguments.c %T/libcheck-arguments.a -lm -o %t
// RUN: not %t 2>&1 | FileCheck %s
//
// CHECK-DAG: {{^}}4{{$}}
// CHECK-DAG: error: out of bounds read of 4 bytes at offset 16 of a buffer of 16 bytes
// CHECK-DAG: {{^}}4{{$}}
// CHECK: memory check: 2 errors

func.func @element(%m: memref<4xf32>, %i: index) -> f32 attributes {llvm.emit_c_interface} {
  %x = memref.load %m[%i] : memref<4xf32>
  return %x : f32
}
