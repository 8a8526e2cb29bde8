// The header has a checked entry for functions with the C interface: ranks, sizes, strides, types and addresses
// of arrays are compared before anything runs, in C and C++, under sanitizers too.
//
// REQUIRES: cc
// RUN: freehold compile %s -o %T/checked.h
// RUN: FileCheck %s --input-file=%T/checked.h --check-prefix=HEADER
// RUN: freehold compile %s -o %T/checked.o
// RUN: cc -std=c11 -Wall -Wextra -Werror -O2 -I %T %S/inputs/checked.c %T/checked.o -lm -o %t && %t | FileCheck %s
// RUN: cc -std=c11 -g -fsanitize=address,undefined -fno-sanitize-recover=all -I %T %S/inputs/checked.c %T/checked.o -lm -o %t && %t | FileCheck %s
// RUN: cc -x c++ -fsyntax-only -Wall -Werror %T/checked.h
//
// HEADER: static inline int total_checked(float *result, const freehold_array *a0, float a1, char *message, size_t length)
// HEADER: static inline int doubled_checked(freehold_memref_f32_1d *result, const freehold_array *a0, char *message, size_t length)
//
// CHECK: 42
// CHECK-NEXT: argument #0 of function 'total' is memref<?x3xf32>, not 2x3xf32 with such strides
// CHECK-NEXT: argument #0 of function 'total' is memref<?x3xf32>, not 2x4xf32
// CHECK-NEXT: argument #0 of function 'total' is memref<?x3xf32>, not -1x3xf32
// CHECK-NEXT: argument #0 of function 'total' is memref<?x3xf32>, not 9223372036854775807x3xf32, which is too large
// CHECK-NEXT: argument #0 of function 'total' is memref<?x3xf32>, not 2x3xf64
// CHECK-NEXT: argument #0 of function 'total' is memref<?x3xf32>, not 2xf32
// CHECK-NEXT: argument #0 of function 'total' is memref<?x3xf32>, not 2x3xf32 without memory
// CHECK-NEXT: argument #0 of function 'total' is memref<?x3xf32>, not 2x3xf32 at such an address
// CHECK-NEXT: argument #0 of function 'total' is memref<?x3xf32>, not nothing
// CHECK-NEXT: 2 10 18
// CHECK-NEXT: some are accepted
// CHECK-NEXT: function 'window' cannot take such arguments: dimension {{[01]}} of argument #0 is {{[0-9]+}} and must be at least (dimension {{[01]}} of argument #2) + (dimension {{[01]}} of argument #1) - 1, which is {{[0-9]+}}
// CHECK: some windows are accepted

func.func @total(%x: memref<?x3xf32>, %factor: f32) -> f32 attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %x, %c0 : memref<?x3xf32>
  %sum = affine.for %i = 0 to %n iter_args(%s = %zero) -> f32 {
    %row = affine.for %j = 0 to 3 iter_args(%t = %s) -> f32 {
      %e = affine.load %x[%i, %j] : memref<?x3xf32>
      %u = arith.addf %t, %e : f32
      affine.yield %u : f32
    }
    affine.yield %row : f32
  }
  %r = arith.mulf %sum, %factor : f32
  return %r : f32
}

func.func @window(%x: memref<?x?xf32>, %k: memref<?x?xf32>, %o: memref<?x?xf32>) attributes {llvm.emit_c_interface} {
  linalg.conv_2d ins(%x, %k : memref<?x?xf32>, memref<?x?xf32>) outs(%o : memref<?x?xf32>)
  return
}

func.func @doubled(%x: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32, strided<[?], offset: ?>>
  %r = memref.alloc(%n) : memref<?xf32>
  affine.for %i = 0 to %n {
    %e = memref.load %x[%i] : memref<?xf32, strided<[?], offset: ?>>
    %d = arith.addf %e, %e : f32
    memref.store %d, %r[%i] : memref<?xf32>
  }
  return %r : memref<?xf32>
}
