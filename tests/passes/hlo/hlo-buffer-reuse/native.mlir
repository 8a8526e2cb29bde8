// Every way to reuse a buffer, with no, one, two and three iterations of the
// loops: the program prints the same, frees everything once and allocates less.
//
// RUN: freehold opt %s --hlo-buffer-reuse=max-stack-bytes=0 | FileCheck %s
// RUN: freehold run %s --dealloc=none --check | FileCheck %s --check-prefix=RESULT
// RUN: freehold opt %s --hlo-buffer-reuse=max-stack-bytes=0 | freehold run --dealloc=none --check - | FileCheck %s --check-prefix=RESULT
// RUN: freehold opt %s --hlo-buffer-reuse | freehold run --dealloc=none --check - | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s -O0 --dealloc=none --stats=json 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: freehold opt %s --hlo-buffer-reuse=max-stack-bytes=0 | freehold run -O0 --dealloc=none --stats=json - 2>&1 | FileCheck %s --check-prefix=HEAP
// RUN: freehold opt %s --hlo-buffer-reuse | freehold run -O0 --dealloc=none --stats=json - 2>&1 | FileCheck %s --check-prefix=STACK
//
// RESULT: 00011
// RESULT-NEXT: 0433241
// RESULT-NEXT: 1133
// RESULT-NEXT: 21123
// RESULT-NEXT: 1044442243241
// RESULT-NEXT: 333333
// RESULT-NEXT: 42235
// RESULT-NEXT: 120444443223241
// RESULT-NEXT: 11333333333333
// RESULT-NEXT: 63347
// RESULT-NEXT: 12004444444422222243241
// BEFORE: "allocs": 168, "frees": 168, {{.*}} "copies": 14,
// HEAP: "allocs": 104, "frees": 104, {{.*}} "copies": 8,
// STACK: "allocs": 42, "frees": 42, {{.*}} "copies": 8,

func.func private @printI64(i64)
func.func private @printNewline()

// Adds one to the first element of another buffer.
func.func private @next(%to: memref<100xi64>, %from: memref<100xi64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %x = memref.load %from[%c0] : memref<100xi64>
  %y = arith.addi %x, %one : i64
  memref.store %y, %to[%c0] : memref<100xi64>
  return
}
func.func private @set(%m: memref<100xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<100xi64>
  return
}
func.func private @show(%m: memref<100xi64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<100xi64>
  call @printI64(%x) : (i64) -> ()
  return
}
func.func private @start() -> memref<100xi64> {
  %zero = arith.constant 0 : i64
  %a = memref.alloc() : memref<100xi64>
  call @set(%a, %zero) : (memref<100xi64>, i64) -> ()
  return %a : memref<100xi64>
}

// Freed, and another one allocated, in a branch.
func.func private @coalesced(%c: i1) {
  %one = arith.constant 1 : i64
  scf.if %c {
    %a = memref.alloc() : memref<100xi64>
    func.call @set(%a, %one) : (memref<100xi64>, i64) -> ()
    func.call @show(%a) : (memref<100xi64>) -> ()
    memref.dealloc %a : memref<100xi64>
    %b = memref.alloc() : memref<100xi64>
    func.call @set(%b, %one) : (memref<100xi64>, i64) -> ()
    func.call @show(%b) : (memref<100xi64>) -> ()
    memref.dealloc %b : memref<100xi64>
  }
  return
}

// A buffer per iteration, of two loops around each other.
func.func private @hoisted(%n: index, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<100xi64>
    func.call @set(%a, %v) : (memref<100xi64>, i64) -> ()
    scf.for %j = %c0 to %n step %c1 {
      %b = memref.alloc() : memref<100xi64>
      func.call @next(%b, %a) : (memref<100xi64>, memref<100xi64>) -> ()
      func.call @show(%b) : (memref<100xi64>) -> ()
      memref.dealloc %b : memref<100xi64>
    }
    memref.dealloc %a : memref<100xi64>
  }
  return
}

// In the second region of a while loop.
// CHECK-LABEL: func.func private @hoisted_from_while(
// CHECK-SAME:   %[[ARG0:.*]]: index, %[[ARG1:.*]]: i64)
// CHECK-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<100xi64>
// CHECK-NEXT:     %[[V0:.*]] = scf.while (%[[ARG2:.*]] = %[[C0]]) : (index) -> index {
// CHECK-NEXT:       %[[V1:.*]] = arith.cmpi ult, %[[ARG2]], %[[ARG0]] : index
// CHECK-NEXT:       scf.condition(%[[V1]]) %[[ARG2]] : index
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%[[ARG2:.*]]: index):
// CHECK-NEXT:       func.call @set(%[[ALLOC]], %[[ARG1]]) : (memref<100xi64>, i64) -> ()
// CHECK-NEXT:       func.call @show(%[[ALLOC]]) : (memref<100xi64>) -> ()
// CHECK-NEXT:       %[[V1:.*]] = arith.addi %[[ARG2]], %[[C1]] : index
// CHECK-NEXT:       scf.yield %[[V1]] : index
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.dealloc %[[ALLOC]] : memref<100xi64>
// CHECK-NEXT:     return
func.func private @hoisted_from_while(%n: index, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    %a = memref.alloc() : memref<100xi64>
    func.call @set(%a, %v) : (memref<100xi64>, i64) -> ()
    func.call @show(%a) : (memref<100xi64>) -> ()
    memref.dealloc %a : memref<100xi64>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}

// A parallel loop keeps its buffers.
// CHECK-LABEL: func.func private @parallel(
// CHECK-SAME:   %[[ARG0:.*]]: index, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<i64>)
// CHECK-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:     scf.parallel (%[[ARG3:.*]]) = (%[[C0]]) to (%[[ARG0]]) step (%[[C1]]) {
// CHECK-NEXT:       %[[ALLOC:.*]] = memref.alloc() : memref<100xi64>
// CHECK-NEXT:       func.call @set(%[[ALLOC]], %[[ARG1]]) : (memref<100xi64>, i64) -> ()
// CHECK-NEXT:       %[[V0:.*]] = memref.load %[[ALLOC]][%[[C0]]] : memref<100xi64>
// CHECK-NEXT:       %[[V1:.*]] = memref.load %[[ARG2]][] : memref<i64>
// CHECK-NEXT:       %[[V2:.*]] = arith.addi %[[V0]], %[[V1]] : i64
// CHECK-NEXT:       memref.store %[[V2]], %[[ARG2]][] : memref<i64>
// CHECK-NEXT:       memref.dealloc %[[ALLOC]] : memref<100xi64>
// CHECK-NEXT:       scf.reduce
// CHECK-NEXT:     }
// CHECK-NEXT:     return
func.func private @parallel(%n: index, %v: i64, %sum: memref<i64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<100xi64>
    func.call @set(%a, %v) : (memref<100xi64>, i64) -> ()
    %x = memref.load %a[%c0] : memref<100xi64>
    %y = memref.load %sum[] : memref<i64>
    %z = arith.addi %x, %y : i64
    memref.store %z, %sum[] : memref<i64>
    memref.dealloc %a : memref<100xi64>
  }
  return
}

// Two buffers take turns in a counted loop.
func.func private @double_buffer(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @start() : () -> memref<100xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<100xi64>) {
    %t = memref.alloc() : memref<100xi64>
    func.call @next(%t, %x) : (memref<100xi64>, memref<100xi64>) -> ()
    memref.dealloc %x : memref<100xi64>
    scf.yield %t : memref<100xi64>
  }
  call @show(%r) : (memref<100xi64>) -> ()
  memref.dealloc %r : memref<100xi64>
  return
}

// In the second region of a while loop.
func.func private @double_buffer_after(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @start() : () -> memref<100xi64>
  %r:2 = scf.while (%x = %a, %i = %c0) : (memref<100xi64>, index) -> (memref<100xi64>, index) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %x, %i : memref<100xi64>, index
  } do {
  ^bb0(%x: memref<100xi64>, %i: index):
    %t = memref.alloc() : memref<100xi64>
    func.call @next(%t, %x) : (memref<100xi64>, memref<100xi64>) -> ()
    memref.dealloc %x : memref<100xi64>
    %next = arith.addi %i, %c1 : index
    scf.yield %t, %next : memref<100xi64>, index
  }
  call @show(%r#0) : (memref<100xi64>) -> ()
  memref.dealloc %r#0 : memref<100xi64>
  return
}

// In the first one.
// CHECK-LABEL: func.func private @double_buffer_before(
// CHECK-SAME:   %[[ARG0:.*]]: index)
// CHECK-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:     %[[V0:.*]] = call @start() : () -> memref<100xi64>
// CHECK-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<100xi64>
// CHECK-NEXT:     %[[V1:.*]]:3 = scf.while (%[[ARG1:.*]] = %[[V0]], %[[ARG2:.*]] = %[[C0]], %[[ARG3:.*]] = %[[ALLOC]]) : (memref<100xi64>, index, memref<100xi64>) -> (memref<100xi64>, index, memref<100xi64>) {
// CHECK-NEXT:       func.call @next(%[[ARG3]], %[[ARG1]]) : (memref<100xi64>, memref<100xi64>) -> ()
// CHECK-NEXT:       %[[V2:.*]] = arith.cmpi ult, %[[ARG2]], %[[ARG0]] : index
// CHECK-NEXT:       scf.condition(%[[V2]]) %[[ARG3]], %[[ARG2]], %[[ARG1]] : memref<100xi64>, index, memref<100xi64>
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%[[ARG1:.*]]: memref<100xi64>, %[[ARG2:.*]]: index, %[[ARG3:.*]]: memref<100xi64>):
// CHECK-NEXT:       %[[V2:.*]] = arith.addi %[[ARG2]], %[[C1]] : index
// CHECK-NEXT:       scf.yield %[[ARG1]], %[[V2]], %[[ARG3]] : memref<100xi64>, index, memref<100xi64>
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.dealloc %[[V1]]#2 : memref<100xi64>
// CHECK-NEXT:     call @show(%[[V1]]#0) : (memref<100xi64>) -> ()
// CHECK-NEXT:     memref.dealloc %[[V1]]#0 : memref<100xi64>
// CHECK-NEXT:     return
func.func private @double_buffer_before(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @start() : () -> memref<100xi64>
  %r:2 = scf.while (%x = %a, %i = %c0) : (memref<100xi64>, index) -> (memref<100xi64>, index) {
    %t = memref.alloc() : memref<100xi64>
    func.call @next(%t, %x) : (memref<100xi64>, memref<100xi64>) -> ()
    memref.dealloc %x : memref<100xi64>
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %t, %i : memref<100xi64>, index
  } do {
  ^bb0(%x: memref<100xi64>, %i: index):
    %next = arith.addi %i, %c1 : index
    scf.yield %x, %next : memref<100xi64>, index
  }
  call @show(%r#0) : (memref<100xi64>) -> ()
  memref.dealloc %r#0 : memref<100xi64>
  return
}

// In both: two are enough.
func.func private @double_buffer_both(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @start() : () -> memref<100xi64>
  %r:2 = scf.while (%x = %a, %i = %c0) : (memref<100xi64>, index) -> (memref<100xi64>, index) {
    %t = memref.alloc() : memref<100xi64>
    func.call @next(%t, %x) : (memref<100xi64>, memref<100xi64>) -> ()
    memref.dealloc %x : memref<100xi64>
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %t, %i : memref<100xi64>, index
  } do {
  ^bb0(%x: memref<100xi64>, %i: index):
    %t = memref.alloc() : memref<100xi64>
    func.call @next(%t, %x) : (memref<100xi64>, memref<100xi64>) -> ()
    memref.dealloc %x : memref<100xi64>
    %next = arith.addi %i, %c1 : index
    scf.yield %t, %next : memref<100xi64>, index
  }
  call @show(%r#0) : (memref<100xi64>) -> ()
  memref.dealloc %r#0 : memref<100xi64>
  return
}

// Three buffers change places, and nobody looks which is which afterwards.
// CHECK-LABEL: func.func private @moved_round(
// CHECK-SAME:   %[[ARG0:.*]]: index)
// CHECK-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:     %[[C1:.*]] = arith.constant 1 : index
// CHECK-NEXT:     %[[V0:.*]] = call @start() : () -> memref<100xi64>
// CHECK-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<100xi64>
// CHECK-NEXT:     %[[ALLOC_0:.*]] = memref.alloc() : memref<100xi64>
// CHECK-NEXT:     call @next(%[[ALLOC]], %[[V0]]) : (memref<100xi64>, memref<100xi64>) -> ()
// CHECK-NEXT:     call @next(%[[ALLOC_0]], %[[ALLOC]]) : (memref<100xi64>, memref<100xi64>) -> ()
// CHECK-NEXT:     %[[V1:.*]]:4 = scf.while (%[[ARG1:.*]] = %[[V0]], %[[ARG2:.*]] = %[[ALLOC]], %[[ARG3:.*]] = %[[ALLOC_0]], %[[ARG4:.*]] = %[[C0]]) : (memref<100xi64>, memref<100xi64>, memref<100xi64>, index) -> (memref<100xi64>, memref<100xi64>, memref<100xi64>, index) {
// CHECK-NEXT:       %[[V2:.*]] = arith.cmpi ult, %[[ARG4]], %[[ARG0]] : index
// CHECK-NEXT:       scf.condition(%[[V2]]) %[[ARG2]], %[[ARG3]], %[[ARG1]], %[[ARG4]] : memref<100xi64>, memref<100xi64>, memref<100xi64>, index
// CHECK-NEXT:     } do {
// CHECK-NEXT:     ^bb0(%[[ARG1:.*]]: memref<100xi64>, %[[ARG2:.*]]: memref<100xi64>, %[[ARG3:.*]]: memref<100xi64>, %[[ARG4:.*]]: index):
// CHECK-NEXT:       func.call @show(%[[ARG1]]) : (memref<100xi64>) -> ()
// CHECK-NEXT:       %[[V2:.*]] = arith.addi %[[ARG4]], %[[C1]] : index
// CHECK-NEXT:       scf.yield %[[ARG1]], %[[ARG2]], %[[ARG3]], %[[V2]] : memref<100xi64>, memref<100xi64>, memref<100xi64>, index
// CHECK-NEXT:     }
// CHECK-NEXT:     memref.dealloc %[[V0]] : memref<100xi64>
// CHECK-NEXT:     memref.dealloc %[[ALLOC]] : memref<100xi64>
// CHECK-NEXT:     memref.dealloc %[[ALLOC_0]] : memref<100xi64>
// CHECK-NEXT:     return
func.func private @moved_round(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @start() : () -> memref<100xi64>
  %b = memref.alloc() : memref<100xi64>
  %c = memref.alloc() : memref<100xi64>
  call @next(%b, %a) : (memref<100xi64>, memref<100xi64>) -> ()
  call @next(%c, %b) : (memref<100xi64>, memref<100xi64>) -> ()
  %r:4 = scf.while (%x = %a, %y = %b, %z = %c, %i = %c0)
      : (memref<100xi64>, memref<100xi64>, memref<100xi64>, index) -> (memref<100xi64>, memref<100xi64>, memref<100xi64>, index) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %y, %z, %x, %i : memref<100xi64>, memref<100xi64>, memref<100xi64>, index
  } do {
  ^bb0(%x: memref<100xi64>, %y: memref<100xi64>, %z: memref<100xi64>, %i: index):
    func.call @show(%x) : (memref<100xi64>) -> ()
    %next = arith.addi %i, %c1 : index
    scf.yield %x, %y, %z, %next : memref<100xi64>, memref<100xi64>, memref<100xi64>, index
  }
  memref.dealloc %r#0 : memref<100xi64>
  memref.dealloc %r#1 : memref<100xi64>
  memref.dealloc %r#2 : memref<100xi64>
  return
}

// One buffer after the other, the middle one in a loop.
func.func private @one_after_the_other(%n: index, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = call @start() : () -> memref<100xi64>
  call @show(%a) : (memref<100xi64>) -> ()
  memref.dealloc %a : memref<100xi64>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<100xi64>
    func.call @set(%b, %v) : (memref<100xi64>, i64) -> ()
    func.call @show(%b) : (memref<100xi64>) -> ()
    memref.dealloc %b : memref<100xi64>
    %c = memref.alloc() : memref<100xi64>
    func.call @set(%c, %v) : (memref<100xi64>, i64) -> ()
    func.call @show(%c) : (memref<100xi64>) -> ()
    memref.dealloc %c : memref<100xi64>
  }
  %d = memref.alloc() : memref<100xi64>
  call @set(%d, %v) : (memref<100xi64>, i64) -> ()
  call @show(%d) : (memref<100xi64>) -> ()
  memref.dealloc %d : memref<100xi64>
  return
}

// Different buffers in two branches.
func.func private @branches(%c: i1, %v: i64) {
  scf.if %c {
    %a = memref.alloc() : memref<100xi64>
    %b = memref.alloc() : memref<100xi64>
    func.call @set(%a, %v) : (memref<100xi64>, i64) -> ()
    func.call @next(%b, %a) : (memref<100xi64>, memref<100xi64>) -> ()
    func.call @show(%b) : (memref<100xi64>) -> ()
    memref.dealloc %a : memref<100xi64>
    memref.dealloc %b : memref<100xi64>
  } else {
    %a = memref.alloc() : memref<100xi64>
    %s = memref.alloc() : memref<i64>
    func.call @set(%a, %v) : (memref<100xi64>, i64) -> ()
    memref.store %v, %s[] : memref<i64>
    %x = memref.load %s[] : memref<i64>
    func.call @printI64(%x) : (i64) -> ()
    memref.dealloc %a : memref<100xi64>
    memref.dealloc %s : memref<i64>
  }
  return
}

// Choices in a loop.
func.func private @choices_in_loop(%n: index, %c: i1, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      %a = memref.alloc() : memref<100xi64>
      func.call @set(%a, %v) : (memref<100xi64>, i64) -> ()
      func.call @show(%a) : (memref<100xi64>) -> ()
      memref.dealloc %a : memref<100xi64>
    }
    %b = memref.alloc() : memref<100xi64>
    func.call @set(%b, %v) : (memref<100xi64>, i64) -> ()
    func.call @show(%b) : (memref<100xi64>) -> ()
    memref.dealloc %b : memref<100xi64>
  }
  return
}

// A buffer that is copied to another one and freed, in any block.
func.func private @copied(%c: i1, %v: i64) {
  scf.if %c {
    %a = memref.alloc() : memref<100xi64>
    linalg.fill ins(%v : i64) outs(%a : memref<100xi64>)
    %b = memref.alloc() : memref<100xi64>
    memref.copy %a, %b : memref<100xi64> to memref<100xi64>
    memref.dealloc %a : memref<100xi64>
    func.call @show(%b) : (memref<100xi64>) -> ()
    memref.dealloc %b : memref<100xi64>
  }
  return
}

// Not if the source changes after the copy.
func.func private @changed_after_copy(%v: i64, %w: i64) {
  %a = memref.alloc() : memref<100xi64>
  linalg.fill ins(%v : i64) outs(%a : memref<100xi64>)
  %b = memref.alloc() : memref<100xi64>
  memref.copy %a, %b : memref<100xi64> to memref<100xi64>
  call @set(%a, %w) : (memref<100xi64>, i64) -> ()
  call @show(%a) : (memref<100xi64>) -> ()
  memref.dealloc %a : memref<100xi64>
  call @show(%b) : (memref<100xi64>) -> ()
  memref.dealloc %b : memref<100xi64>
  return
}

// Arguments that are no other buffer take the place of what is copied to them.
func.func private @restricted(%t: memref<100xi64> {deallocation.restrict = true}, %u: memref<100xi64> {deallocation.restrict = true}, %v: i64) {
  %a = memref.alloc() : memref<100xi64>
  linalg.fill ins(%v : i64) outs(%a : memref<100xi64>)
  memref.copy %a, %t : memref<100xi64> to memref<100xi64>
  memref.copy %a, %u : memref<100xi64> to memref<100xi64>
  memref.dealloc %a : memref<100xi64>
  %one = arith.constant 1 : i64
  call @set(%u, %one) : (memref<100xi64>, i64) -> ()
  return
}

// Everything with this many iterations.
func.func private @round(%n: index, %c: i1) {
  %v2 = arith.constant 2 : i64
  %v3 = arith.constant 3 : i64
  %v4 = arith.constant 4 : i64
  call @coalesced(%c) : (i1) -> ()
  call @hoisted(%n, %v2) : (index, i64) -> ()
  call @hoisted_from_while(%n, %v3) : (index, i64) -> ()
  call @printNewline() : () -> ()
  %sum = memref.alloc() : memref<i64>
  %zero = arith.constant 0 : i64
  memref.store %zero, %sum[] : memref<i64>
  call @parallel(%n, %v2, %sum) : (index, i64, memref<i64>) -> ()
  %s = memref.load %sum[] : memref<i64>
  memref.dealloc %sum : memref<i64>
  call @printI64(%s) : (i64) -> ()
  call @double_buffer(%n) : (index) -> ()
  call @double_buffer_after(%n) : (index) -> ()
  call @double_buffer_before(%n) : (index) -> ()
  call @double_buffer_both(%n) : (index) -> ()
  call @printNewline() : () -> ()
  call @moved_round(%n) : (index) -> ()
  call @one_after_the_other(%n, %v4) : (index, i64) -> ()
  call @branches(%c, %v3) : (i1, i64) -> ()
  call @choices_in_loop(%n, %c, %v2) : (index, i1, i64) -> ()
  call @copied(%c, %v4) : (i1, i64) -> ()
  call @changed_after_copy(%v2, %v3) : (i64, i64) -> ()
  %t = memref.alloc() : memref<100xi64>
  %u = memref.alloc() : memref<100xi64>
  call @restricted(%t, %u, %v4) : (memref<100xi64>, memref<100xi64>, i64) -> ()
  call @show(%t) : (memref<100xi64>) -> ()
  call @show(%u) : (memref<100xi64>) -> ()
  memref.dealloc %t : memref<100xi64>
  memref.dealloc %u : memref<100xi64>
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %true = arith.constant true
  %false = arith.constant false
  call @round(%c0, %false) : (index, i1) -> ()
  call @round(%c1, %true) : (index, i1) -> ()
  call @round(%c2, %false) : (index, i1) -> ()
  call @round(%c3, %true) : (index, i1) -> ()
  return
}
