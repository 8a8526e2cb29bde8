// A library and its header, used by a C program on this machine and on AArch64.
//
// REQUIRES: cc
// RUN: freehold compile %s --emit=header -o %T/library.h
// RUN: FileCheck %s --input-file=%T/library.h
// RUN: freehold compile %s --emit=lib -o %T/liblibrary.a
// RUN: cc -std=c11 -Wall -Wextra -Werror -O2 -I %T %S/inputs/library.c %T/liblibrary.a -lm -o %t
// RUN: %t | FileCheck %s --check-prefix=OUT
// RUN: cc -x c++ -fsyntax-only -Wall -Werror %T/library.h
//
// Counting costs nothing but a flag; the header says how to get at the numbers.
// RUN: freehold compile %s --emit=header --stats | FileCheck %s --check-prefix=STATS
// STATS: void freehold_stats_report(bool json);

// CHECK: #ifndef FREEHOLD_LIBRARY_H
// CHECK: typedef struct {
// CHECK-NEXT: float *allocated;
// CHECK-NEXT: float *aligned;
// CHECK-NEXT: int64_t offset;
// CHECK-NEXT: int64_t sizes[2];
// CHECK-NEXT: int64_t strides[2];
// CHECK-NEXT: } freehold_memref_f32_2d;

// Globals are arrays.
// CHECK: extern const int32_t primes[2][2];
memref.global constant @primes : memref<2x2xi32> = dense<[[2, 3], [5, 7]]>
// CHECK: extern double factor;
memref.global @factor : memref<f64> = dense<0.5>
memref.global "private" @hidden : memref<4xf32> = dense<1.0>

func.func @iota(%m: index, %n: index) -> memref<?x?xf32> attributes {llvm.emit_c_interface} {
  %r = memref.alloc(%m, %n) : memref<?x?xf32>
  affine.for %i = 0 to %m {
    affine.for %j = 0 to %n {
      %linear = affine.apply affine_map<(i, j)[n] -> (i * n + j)>(%i, %j)[%n]
      %integer = arith.index_cast %linear : index to i64
      %element = arith.sitofp %integer : i64 to f32
      memref.store %element, %r[%i, %j] : memref<?x?xf32>
    }
  }
  return %r : memref<?x?xf32>
}

// Without it, descriptors are expanded.
// CHECK: float trace(float *a0_allocated, float *a0_aligned, int64_t a0_offset, int64_t a0_size0, int64_t a0_size1, int64_t a0_stride0, int64_t a0_stride1);
func.func @trace(%m: memref<?x?xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %m, %c0 : memref<?x?xf32>
  %sum = affine.for %i = 0 to %n iter_args(%sum = %zero) -> f32 {
    %element = memref.load %m[%i, %i] : memref<?x?xf32>
    %next = arith.addf %sum, %element : f32
    affine.yield %next : f32
  }
  return %sum : f32
}

// Two registers, and memory: C does the same.
// CHECK: typedef struct {
// CHECK-NEXT: int64_t r0;
// CHECK-NEXT: int64_t r1;
// CHECK-NEXT: } div_rem_results;
// CHECK: div_rem_results div_rem(int64_t a0, int64_t a1);
func.func @div_rem(%a: i64, %b: i64) -> (i64, i64) {
  %quotient = arith.divsi %a, %b : i64
  %remainder = arith.remsi %a, %b : i64
  return %quotient, %remainder : i64, i64
}

// CHECK: many_results many(bool a0, int8_t a1, double a2, double a3_re, double a3_im);
func.func @many(%a: i1, %b: i8, %c: f64, %d: complex<f64>)
    -> (i1, i8, f64, complex<f64>, i64, i64, i64, i64, i64, i64, i64) {
  %n = arith.constant 7 : i64
  %e = complex.neg %d : complex<f64>
  return %a, %b, %c, %e, %n, %n, %n, %n, %n, %n, %n
    : i1, i8, f64, complex<f64>, i64, i64, i64, i64, i64, i64, i64
}

// Here it does not: three words in registers.
// CHECK: /* scalar() -> (memref<f32>) */
// CHECK-NEXT: C cannot call this symbol
func.func @scalar() -> memref<f32> {
  %one = arith.constant 1.0 : f32
  %m = memref.alloc() : memref<f32>
  memref.store %one, %m[] : memref<f32>
  return %m : memref<f32>
}

// Any name will do.
// CHECK: int64_t triple_2(int64_t a0) __asm__("triple.2");
func.func @triple.2(%x: index) -> index {
  %c3 = arith.constant 3 : index
  %r = arith.muli %x, %c3 : index
  return %r : index
}
// CHECK: int32_t int_(int32_t a0) __asm__("int");
func.func @int(%x: i32) -> i32 {
  return %x : i32
}

// CHECK: bool any(int64_t a0_rank, void *a0_descriptor);
func.func @any(%m: memref<*xi8>) -> i1 {
  %rank = memref.rank %m : memref<*xi8>
  %c3 = arith.constant 3 : index
  %r = arith.cmpi eq, %rank, %c3 : index
  return %r : i1
}

// Struct results go through a pointer in the C interface.
// CHECK: void _mlir_ciface_iota(freehold_memref_f32_2d *result, int64_t a0, int64_t a1);

// CHECK-NOT: secret
func.func private @secret() {
  return
}

// The runtime has this.
func.func private @printI64(i64)

// CHECK: To be defined by the program.
// CHECK: int64_t _mlir_ciface_count(freehold_memref_f32_2d *a0);
func.func private @count(memref<?x?xf32>) -> index attributes {llvm.emit_c_interface}

func.func @count_twice(%m: memref<?x?xf32>) {
  %n = call @count(%m) : (memref<?x?xf32>) -> index
  %twice = arith.addi %n, %n : index
  %r = arith.index_cast %twice : index to i64
  call @printI64(%r) : (i64) -> ()
  return
}

// OUT: 17 0.5
// OUT: trace 8
// OUT: 6 remainder 1
// OUT: many 1 -3 0.25 -1 2 7
// OUT: 21 9 1
// OUT: 18
