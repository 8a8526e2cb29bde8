// Bare pointers: C functions that take and are given 'double *' for memrefs, in memory and in objects.
//
// REQUIRES: cc
// RUN: freehold opt %s --convert-func-to-llvm=use-bare-ptr-memref-call-conv=1 -o %t.mlir
// RUN: cc -shared -fPIC %S/inputs/bare.c -o %t.so
// RUN: freehold run %t.mlir --shared-libs=%t.so --check -e test | FileCheck %s
// RUN: freehold compile %t.mlir -o %T/bare.h
// RUN: FileCheck %s --input-file=%T/bare.h --check-prefix=HEADER
// RUN: freehold compile %t.mlir -o %t.o
// RUN: cc -DMAIN -I %T %S/inputs/bare.c %t.o -o %t && %t | FileCheck %s
// RUN: freehold compile %t.mlir -o %t.multi.o --multiversion=x86-64-v3
// RUN: cc -DMAIN -I %T %S/inputs/bare.c %t.multi.o -o %t.multi && %t.multi | FileCheck %s
//
// HEADER: double ends(double *a0, int64_t a1);
// HEADER: void fill(double *a0, double a1);
// CHECK: {{^(result #0: f64 = )?9}}

func.func private @fill(memref<4xf64>, f64)
func.func @ends(%m: memref<4xf64>, %last: index) -> f64 {
  %c0 = arith.constant 0 : index
  %a = memref.load %m[%c0] : memref<4xf64>
  %b = memref.load %m[%last] : memref<4xf64>
  %s = arith.addf %a, %b : f64
  return %s : f64
}
func.func @test() -> f64 {
  %m = memref.alloc() : memref<4xf64>
  %c3 = arith.constant 3 : index
  %x = arith.constant 3.0 : f64
  call @fill(%m, %x) : (memref<4xf64>, f64) -> ()
  %s = call @ends(%m, %c3) : (memref<4xf64>, index) -> f64
  return %s : f64
}
