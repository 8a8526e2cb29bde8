// A vector that grows by memref.realloc while numbers are pushed to its end.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --merge-alloc --check | FileCheck %s
// RUN: freehold run %s --check --stats=json 2>&1 | FileCheck %s --check-prefix=STATS

// CHECK: 4950

// STATS: "allocs": 8, "frees": 8

func.func private @printI64(i64)
func.func private @printNewline()

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0 : i64
  %start = memref.alloc(%c1) : memref<?xi64>
  %vector = scf.for %n = %c0 to %c100 step %c1 iter_args(%v = %start) -> (memref<?xi64>) {
    %capacity = memref.dim %v, %c0 : memref<?xi64>
    %full = arith.cmpi eq, %n, %capacity : index
    %room = scf.if %full -> (memref<?xi64>) {
      %double = arith.muli %capacity, %c2 : index
      %grown = memref.realloc %v(%double) : memref<?xi64> to memref<?xi64>
      scf.yield %grown : memref<?xi64>
    } else {
      scf.yield %v : memref<?xi64>
    }
    %value = arith.index_cast %n : index to i64
    memref.store %value, %room[%n] : memref<?xi64>
    scf.yield %room : memref<?xi64>
  }
  %sum = scf.for %i = %c0 to %c100 step %c1 iter_args(%s = %zero) -> (i64) {
    %value = memref.load %vector[%i] : memref<?xi64>
    %next = arith.addi %s, %value : i64
    scf.yield %next : i64
  }
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
