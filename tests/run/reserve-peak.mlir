// A function asks malloc at first for the memory of all its buffers: here for more than malloc learns from (80 MB), and for
// too little to ask.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run --stats=json %s 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: freehold run %s --mlir-print-ir-after=reserve-peak 2>&1 | FileCheck %s --check-prefix=PASS
//
// CHECK: 30000000
// CHECK-NEXT: 3
// CHECK-NEXT: 0
// STATS: "allocs": 6,
// PASS: call @malloc(
module {
  func.func private @printI64(i64)
  func.func private @printNewline()

  func.func @sum(%n: index, %m: index) -> i64 attributes {no_inline} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i32
    %a = memref.alloc(%n) : memref<?xi32>
    %b = memref.alloc(%m) : memref<?xi32>
    scf.for %i = %c0 to %n step %c1 {
      memref.store %one, %a[%i] : memref<?xi32>
    }
    // Backwards, so that both loops stay.
    scf.for %i = %c0 to %n step %c1 {
      %last = arith.subi %n, %c1 : index
      %from = arith.subi %last, %i : index
      %x = memref.load %a[%from] : memref<?xi32>
      %twice = arith.addi %x, %x : i32
      memref.store %twice, %b[%i] : memref<?xi32>
    }
    %sum = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %zero) -> i64 {
      %last = arith.subi %n, %c1 : index
      %from = arith.subi %last, %i : index
      %x = memref.load %a[%i] : memref<?xi32>
      %y = memref.load %b[%from] : memref<?xi32>
      %both = arith.addi %x, %y : i32
      %wide = arith.extsi %both : i32 to i64
      %next = arith.addi %sum, %wide : i64
      scf.yield %next : i64
    }
    memref.dealloc %a : memref<?xi32>
    memref.dealloc %b : memref<?xi32>
    return %sum : i64
  }

  func.func @main() {
    %more = arith.constant 10000019 : index
    %large = arith.constant 10000000 : index
    %small = arith.constant 1 : index
    %none = arith.constant 0 : index
    %x = call @sum(%large, %more) : (index, index) -> i64
    call @printI64(%x) : (i64) -> ()
    call @printNewline() : () -> ()
    %y = call @sum(%small, %small) : (index, index) -> i64
    call @printI64(%y) : (i64) -> ()
    call @printNewline() : () -> ()
    %z = call @sum(%none, %small) : (index, index) -> i64
    call @printI64(%z) : (i64) -> ()
    call @printNewline() : () -> ()
    return
  }
}
