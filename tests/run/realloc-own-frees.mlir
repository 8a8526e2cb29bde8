// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check -O0 | FileCheck %s
// RUN: freehold run %s --check --merge-alloc | FileCheck %s
// RUN: freehold run %s --check --dealloc=clone | FileCheck %s
// RUN: freehold run %s --check --dealloc=copy | FileCheck %s
// RUN: freehold run %s --check --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --check --dealloc=hlo -O0 | FileCheck %s
// RUN: freehold run %s --check --dealloc=none | FileCheck %s

// A program that frees what comes of a realloc counts on the realloc to free what it replaces.

func.func private @printI64(i64)
func.func private @printNewline()

// CHECK: 31
// CHECK: 31
func.func private @maybe_larger(%larger: i1, %n: index) attributes {passthrough = ["noinline"]} {
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %x = arith.constant 31 : i64
  %small = memref.alloc(%n) : memref<?xi64>
  memref.store %x, %small[%c1] : memref<?xi64>
  %buffer = scf.if %larger -> memref<?xi64> {
    %large = memref.realloc %small(%c20) : memref<?xi64> to memref<?xi64>
    scf.yield %large : memref<?xi64>
  } else {
    scf.yield %small : memref<?xi64>
  }
  %y = memref.load %buffer[%c1] : memref<?xi64>
  call @printI64(%y) : (i64) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %buffer : memref<?xi64>
  return
}

// In a loop, each iteration frees the buffer of the one before unless it stays.
// CHECK: 6
func.func private @growing(%end: index) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = memref.alloc(%c1) : memref<?xi64>
  %b = scf.for %i = %c0 to %end step %c1 iter_args(%old = %a) -> (memref<?xi64>) {
    %n = arith.addi %i, %c2 : index
    %new = memref.realloc %old(%n) : memref<?xi64> to memref<?xi64>
    scf.yield %new : memref<?xi64>
  }
  %size = memref.dim %b, %c0 : memref<?xi64>
  %y = arith.index_cast %size : index to i64
  call @printI64(%y) : (i64) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %b : memref<?xi64>
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %c2 = arith.constant 2 : index
  %c5 = arith.constant 5 : index
  call @maybe_larger(%true, %c2) : (i1, index) -> ()
  call @maybe_larger(%false, %c2) : (i1, index) -> ()
  call @growing(%c5) : (index) -> ()
  return
}
