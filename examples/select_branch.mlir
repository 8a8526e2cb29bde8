// A buffer chosen by a select, used after a branch whose two edges lead to one
// block with different buffers.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --merge-alloc --check | FileCheck %s
// RUN: freehold run %s --check --stats=json 2>&1 | FileCheck %s --check-prefix=STATS

// CHECK: 7
// CHECK-NEXT: 3

// STATS: "allocs": [[#ALLOCS:]],
// STATS-SAME: "frees": [[#ALLOCS]],
// STATS-SAME: "clones": 0

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @choose(%cond: i1, %argument: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %three = arith.constant 3 : i64
  %four = arith.constant 4 : i64
  %heap = memref.alloc(%c1) : memref<?xi64>
  %stack = memref.alloca(%c1) : memref<?xi64>
  memref.store %three, %heap[%c0] : memref<?xi64>
  memref.store %four, %stack[%c0] : memref<?xi64>
  %chosen = arith.select %cond, %heap, %stack : memref<?xi64>
  cf.cond_br %cond, ^bb1(%argument : memref<?xi64>), ^bb1(%heap : memref<?xi64>)
^bb1(%buffer: memref<?xi64>):
  %a = memref.load %buffer[%c0] : memref<?xi64>
  %b = memref.load %chosen[%c0] : memref<?xi64>
  %sum = arith.addi %a, %b : i64
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %false = arith.constant false
  %true = arith.constant true
  %argument = memref.alloc(%c1) : memref<?xi64>
  memref.store %zero, %argument[%c0] : memref<?xi64>
  call @choose(%false, %argument) : (i1, memref<?xi64>) -> ()
  call @choose(%true, %argument) : (i1, memref<?xi64>) -> ()
  return
}
