// A program that crashes says how, and is not taken for a compiler that does.
//
// RUN: not freehold run -e overflow %s 2>&1 | FileCheck %s --check-prefix=OVERFLOW
// RUN: not freehold run -e wild %s 2>&1 | FileCheck %s --check-prefix=WILD
// RUN: not freehold run -e asserts %s 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: not freehold run -O0 --check=accesses -e wild %s 2>&1 | FileCheck %s --check-prefix=CHECKED
// RUN: not freehold run -O0 --check=accesses -e wild_store %s 2>&1 | FileCheck %s --check-prefix=STORE

// OVERFLOW: error: the program overflowed its stack
func.func private @recurse(%n: i64) -> i64 attributes {passthrough = ["noinline"]} {
  %c1 = arith.constant 1 : i64
  %m = arith.addi %n, %c1 : i64
  %r = call @recurse(%m) : (i64) -> i64
  %s = arith.addi %r, %m : i64
  return %s : i64
}

func.func private @printI64(i64)

func.func @overflow() {
  %c = arith.constant 0 : i64
  %r = call @recurse(%c) : (i64) -> i64
  call @printI64(%r) : (i64) -> ()
  return
}

// WILD: error: the program accessed memory that is not there
// WILD-NEXT: note: 'freehold run -O0 --check=accesses' names the first wrong access
// CHECKED: crashes.mlir:[[#@LINE+6]]:{{[0-9]+}}: error:
func.func private @printF32(f32)

func.func @wild() {
  %i = arith.constant 100000000000 : index
  %a = memref.alloc() : memref<4xf32>
  %v = memref.load %a[%i] : memref<4xf32>
  call @printF32(%v) : (f32) -> ()
  return
}

// STORE: crashes.mlir:[[#@LINE+6]]:3: error: out of bounds write of 4 bytes at offset 400000000000 of a buffer of 16 bytes
// STORE: error: the program accessed memory that is not there
func.func @wild_store() {
  %i = arith.constant 100000000000 : index
  %a = memref.alloc() : memref<4xf32>
  %v = arith.constant 1.0 : f32
  memref.store %v, %a[%i] : memref<4xf32>
  return
}

// ASSERT: crashes.mlir:[[#@LINE+4]]:3: error: assertion failed: must hold
// ASSERT-NEXT: error: the program aborted
func.func @asserts() {
  %f = arith.constant false
  cf.assert %f, "must hold"
  return
}
