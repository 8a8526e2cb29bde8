// Buffers of run-time size through scf.if, scf.while and scf.index_switch.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --merge-alloc --check | FileCheck %s
// RUN: freehold run %s --check --stats=json 2>&1 | FileCheck %s --check-prefix=STATS

// CHECK: 16
// CHECK-NEXT: 5
// CHECK-NEXT: 1

// STATS: "allocs": [[#ALLOCS:]],
// STATS-SAME: "frees": [[#ALLOCS]],
// STATS-SAME: "live_allocs_at_exit": 0

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @print(%v: index) {
  %i = arith.index_cast %v : index to i64
  call @printI64(%i) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// Doubles a buffer until it holds at least `%at_least` elements.
func.func private @grow(%at_least: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %start = memref.alloc(%c1) : memref<?xf32>
  %grown = scf.while (%b = %start) : (memref<?xf32>) -> memref<?xf32> {
    %size = memref.dim %b, %c0 : memref<?xf32>
    %small = arith.cmpi ult, %size, %at_least : index
    scf.condition(%small) %b : memref<?xf32>
  } do {
  ^bb0(%b: memref<?xf32>):
    %size = memref.dim %b, %c0 : memref<?xf32>
    %double = arith.muli %size, %c2 : index
    %next = memref.alloc(%double) : memref<?xf32>
    scf.yield %next : memref<?xf32>
  }
  return %grown : memref<?xf32>
}

func.func private @pick(%which: index, %given: memref<?xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %picked = scf.index_switch %which -> memref<?xf32>
  case 0 {
    %five = memref.alloc(%c5) : memref<?xf32>
    scf.yield %five : memref<?xf32>
  }
  default {
    scf.yield %given : memref<?xf32>
  }
  %size = memref.dim %picked, %c0 : memref<?xf32>
  return %size : index
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %big = call @grow(%c9) : (index) -> memref<?xf32>
  %size = memref.dim %big, %c0 : memref<?xf32>
  call @print(%size) : (index) -> ()
  %one = memref.alloc(%c1) : memref<?xf32>
  %s0 = call @pick(%c0, %one) : (index, memref<?xf32>) -> index
  call @print(%s0) : (index) -> ()
  %s1 = call @pick(%c1, %one) : (index, memref<?xf32>) -> index
  call @print(%s1) : (index) -> ()
  return
}
