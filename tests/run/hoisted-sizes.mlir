// Allocations that are hoisted out of loops that do not run have whatever size their operands say: one that is
// negative is empty.
//
// RUN: freehold run %s --dealloc=clone --check -O0 | FileCheck %s
// RUN: freehold run %s --dealloc=clone --check -O2 | FileCheck %s
// RUN: freehold run %s --dealloc=copy --check | FileCheck %s
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s
// RUN: freehold run %s --check | FileCheck %s

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @sum_of_squares(%n: index) -> i64 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %zero) -> (i64) {
    %buffer = memref.alloc(%n) : memref<?xi64>
    %x = arith.index_cast %i : index to i64
    memref.store %x, %buffer[%i] : memref<?xi64>
    %y = memref.load %buffer[%i] : memref<?xi64>
    %square = arith.muli %x, %y : i64
    %after = arith.addi %before, %square : i64
    scf.yield %after : i64
  }
  return %sum : i64
}

func.func @main() {
  %c4 = arith.constant 4 : index
  %negative = arith.constant -1000000000000000 : index
  // CHECK: 14
  // CHECK-NEXT: 0
  %x = call @sum_of_squares(%c4) : (index) -> i64
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  %y = call @sum_of_squares(%negative) : (index) -> i64
  call @printI64(%y) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
