// Calls that return what they are given, or something else, and a buffer that
// only one branch reallocates: who has the owner. The program then runs all of
// it both ways.
//
// RUN: freehold opt %s --hlo-deallocate | FileCheck %s
// RUN: freehold run %s --dealloc=none | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=hlo --stats=json 2>&1 | FileCheck %s --check-prefix=STATS
//
// RESULT: 111312233123312233
// STATS: "allocs": [[N:[0-9]+]], "frees": [[N]],

func.func private @printI64(i64)

// A buffer that nobody looks at but us.
func.func private @read(%m: memref<4xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<4xi64>
  return %x : i64
}

func.func private @fill(%m: memref<4xi64>, %k: i64) {
  linalg.fill ins(%k : i64) outs(%m : memref<4xi64>)
  return
}

// An argument or itself.
// CHECK-LABEL: func.func private @selects_itself(
// CHECK-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK-NEXT:     %[[V0:.*]] = arith.select %[[ARG0]], %[[ARG1]], %[[ARG1]] : memref<4xi64>
// CHECK-NEXT:     %[[V1:.*]] = deallocation.null
// CHECK-NEXT:     return %[[V0]], %[[V1]] : memref<4xi64>, !deallocation.ownership
func.func private @selects_itself(%c: i1, %a: memref<4xi64>) -> memref<4xi64> {
  %r = arith.select %c, %a, %a : memref<4xi64>
  return %r : memref<4xi64>
}

// Regions choose between two arguments: still the caller's.
// CHECK-LABEL: func.func private @chooses_argument(
// CHECK-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK-NEXT:     %[[V0:.*]] = scf.if %[[ARG0]] -> (memref<4xi64>) {
// CHECK-NEXT:       scf.yield %[[ARG1]] : memref<4xi64>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %[[ARG2]] : memref<4xi64>
// CHECK-NEXT:     }
// CHECK-NEXT:     %[[V1:.*]] = deallocation.null
// CHECK-NEXT:     return %[[V0]], %[[V1]] : memref<4xi64>, !deallocation.ownership
func.func private @chooses_argument(%c: i1, %a: memref<4xi64>, %b: memref<4xi64>) -> memref<4xi64> {
  %r = scf.if %c -> (memref<4xi64>) {
    scf.yield %a : memref<4xi64>
  } else {
    scf.yield %b : memref<4xi64>
  }
  return %r : memref<4xi64>
}

// An argument or a new buffer, and a caller that hands its own argument on.
// CHECK-LABEL: func.func private @replaces_or_not(
// CHECK-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK-NEXT:     %[[V0:.*]]:2 = scf.if %[[ARG0]] -> (memref<4xi64>, !deallocation.ownership) {
// CHECK-NEXT:       %[[V1:.*]] = deallocation.null
// CHECK-NEXT:       scf.yield %[[ARG1]], %[[V1]] : memref<4xi64>, !deallocation.ownership
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK-NEXT:       func.call @fill(%[[ALLOC]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK-NEXT:       %[[V1:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK-NEXT:       scf.yield %[[ALLOC]], %[[V1]] : memref<4xi64>, !deallocation.ownership
// CHECK-NEXT:     }
// CHECK-NEXT:     return %[[V0]]#0, %[[V0]]#1 : memref<4xi64>, !deallocation.ownership
func.func private @replaces_or_not(%c: i1, %a: memref<4xi64>, %k: i64) -> memref<4xi64> {
  %r = scf.if %c -> (memref<4xi64>) {
    scf.yield %a : memref<4xi64>
  } else {
    %n = memref.alloc() : memref<4xi64>
    func.call @fill(%n, %k) : (memref<4xi64>, i64) -> ()
    scf.yield %n : memref<4xi64>
  }
  return %r : memref<4xi64>
}
// CHECK-LABEL: func.func private @hands_argument_on(
// CHECK-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK-NEXT:     %[[V0:.*]]:2 = call @replaces_or_not(%[[ARG0]], %[[ARG1]], %[[ARG2]]) : (i1, memref<4xi64>, i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK-NEXT:     return %[[V0]]#0, %[[V0]]#1 : memref<4xi64>, !deallocation.ownership
func.func private @hands_argument_on(%c: i1, %a: memref<4xi64>, %k: i64) -> memref<4xi64> {
  %r = call @replaces_or_not(%c, %a, %k) : (i1, memref<4xi64>, i64) -> memref<4xi64>
  return %r : memref<4xi64>
}

// Writes to the argument that it returns.
// CHECK-LABEL: func.func private @writes_and_returns(
// CHECK-SAME:   %[[ARG0:.*]]: memref<4xi64>, %[[ARG1:.*]]: i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:     memref.store %[[ARG1]], %[[ARG0]][%[[C0]]] : memref<4xi64>
// CHECK-NEXT:     %[[V0:.*]] = deallocation.null
// CHECK-NEXT:     return %[[ARG0]], %[[V0]] : memref<4xi64>, !deallocation.ownership
func.func private @writes_and_returns(%a: memref<4xi64>, %k: i64) -> memref<4xi64> {
  %c0 = arith.constant 0 : index
  memref.store %k, %a[%c0] : memref<4xi64>
  return %a : memref<4xi64>
}

// A new buffer out of a choice, and an argument: one owner and a null; the
// caller hands on all four.
// CHECK-LABEL: func.func private @fresh_and_argument(
// CHECK-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: i64) -> (memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership)
// CHECK-NEXT:     %[[V0:.*]] = scf.if %[[ARG0]] -> (memref<4xi64>) {
// CHECK-NEXT:       %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK-NEXT:       func.call @fill(%[[ALLOC]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK-NEXT:       scf.yield %[[ALLOC]] : memref<4xi64>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK-NEXT:       func.call @fill(%[[ALLOC]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK-NEXT:       scf.yield %[[ALLOC]] : memref<4xi64>
// CHECK-NEXT:     }
// CHECK-NEXT:     %[[V1:.*]] = deallocation.own %[[V0]] : memref<4xi64>
// CHECK-NEXT:     %[[V2:.*]] = deallocation.null
// CHECK-NEXT:     return %[[V0]], %[[ARG1]], %[[V1]], %[[V2]] : memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership
func.func private @fresh_and_argument(%c: i1, %a: memref<4xi64>, %k: i64) -> (memref<4xi64>, memref<4xi64>) {
  %r = scf.if %c -> (memref<4xi64>) {
    %n = memref.alloc() : memref<4xi64>
    func.call @fill(%n, %k) : (memref<4xi64>, i64) -> ()
    scf.yield %n : memref<4xi64>
  } else {
    %n = memref.alloc() : memref<4xi64>
    func.call @fill(%n, %k) : (memref<4xi64>, i64) -> ()
    scf.yield %n : memref<4xi64>
  }
  return %r, %a : memref<4xi64>, memref<4xi64>
}
// CHECK-LABEL: func.func private @hands_both_on(
// CHECK-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: i64) -> (memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership)
// CHECK-NEXT:     %[[V0:.*]]:4 = call @fresh_and_argument(%[[ARG0]], %[[ARG1]], %[[ARG2]]) : (i1, memref<4xi64>, i64) -> (memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership)
// CHECK-NEXT:     return %[[V0]]#0, %[[V0]]#1, %[[V0]]#2, %[[V0]]#3 : memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership
func.func private @hands_both_on(%c: i1, %a: memref<4xi64>, %k: i64) -> (memref<4xi64>, memref<4xi64>) {
  %r:2 = call @fresh_and_argument(%c, %a, %k) : (i1, memref<4xi64>, i64) -> (memref<4xi64>, memref<4xi64>)
  return %r#0, %r#1 : memref<4xi64>, memref<4xi64>
}

// One function returns its arguments, another one new buffers in their place;
// of a caller's own buffers the first one returns what it is told to.
// CHECK-LABEL: func.func private @three_forwarded(
// CHECK-SAME:   %[[ARG0:.*]]: memref<4xi64>, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: memref<4xi64>) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
// CHECK-NEXT:     %[[V0:.*]] = deallocation.null
// CHECK-NEXT:     return %[[ARG0]], %[[ARG1]], %[[ARG2]], %[[V0]], %[[V0]], %[[V0]] : memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership
func.func private @three_forwarded(%a: memref<4xi64>, %b: memref<4xi64>, %c: memref<4xi64>) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>) {
  return %a, %b, %c : memref<4xi64>, memref<4xi64>, memref<4xi64>
}
// CHECK-LABEL: func.func private @three_replaced(
// CHECK-SAME:   %[[ARG0:.*]]: memref<4xi64>, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: memref<4xi64>, %[[ARG3:.*]]: i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
// CHECK-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK-NEXT:     %[[ALLOC_0:.*]] = memref.alloc() : memref<4xi64>
// CHECK-NEXT:     %[[ALLOC_1:.*]] = memref.alloc() : memref<4xi64>
// CHECK-NEXT:     call @fill(%[[ALLOC]], %[[ARG3]]) : (memref<4xi64>, i64) -> ()
// CHECK-NEXT:     call @fill(%[[ALLOC_0]], %[[ARG3]]) : (memref<4xi64>, i64) -> ()
// CHECK-NEXT:     call @fill(%[[ALLOC_1]], %[[ARG3]]) : (memref<4xi64>, i64) -> ()
// CHECK-NEXT:     %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK-NEXT:     %[[V1:.*]] = deallocation.own %[[ALLOC_0]] : memref<4xi64>
// CHECK-NEXT:     %[[V2:.*]] = deallocation.own %[[ALLOC_1]] : memref<4xi64>
// CHECK-NEXT:     return %[[ALLOC]], %[[ALLOC_0]], %[[ALLOC_1]], %[[V0]], %[[V1]], %[[V2]] : memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership
func.func private @three_replaced(%a: memref<4xi64>, %b: memref<4xi64>, %c: memref<4xi64>, %k: i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>) {
  %x = memref.alloc() : memref<4xi64>
  %y = memref.alloc() : memref<4xi64>
  %z = memref.alloc() : memref<4xi64>
  call @fill(%x, %k) : (memref<4xi64>, i64) -> ()
  call @fill(%y, %k) : (memref<4xi64>, i64) -> ()
  call @fill(%z, %k) : (memref<4xi64>, i64) -> ()
  return %x, %y, %z : memref<4xi64>, memref<4xi64>, memref<4xi64>
}
// CHECK-LABEL: func.func private @returns_six(
// CHECK-SAME:   %[[ARG0:.*]]: i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
// CHECK-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK-NEXT:     %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK-NEXT:     %[[ALLOC_0:.*]] = memref.alloc() : memref<4xi64>
// CHECK-NEXT:     %[[V1:.*]] = deallocation.own %[[ALLOC_0]] : memref<4xi64>
// CHECK-NEXT:     %[[ALLOC_1:.*]] = memref.alloc() : memref<4xi64>
// CHECK-NEXT:     %[[V2:.*]] = deallocation.own %[[ALLOC_1]] : memref<4xi64>
// CHECK-NEXT:     call @fill(%[[ALLOC]], %[[ARG0]]) : (memref<4xi64>, i64) -> ()
// CHECK-NEXT:     call @fill(%[[ALLOC_0]], %[[ARG0]]) : (memref<4xi64>, i64) -> ()
// CHECK-NEXT:     call @fill(%[[ALLOC_1]], %[[ARG0]]) : (memref<4xi64>, i64) -> ()
// CHECK-NEXT:     %[[V3:.*]]:6 = call @three_forwarded(%[[ALLOC]], %[[ALLOC_0]], %[[ALLOC_1]]) : (memref<4xi64>, memref<4xi64>, memref<4xi64>) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
// CHECK-NEXT:     %[[V4:.*]]:6 = call @three_replaced(%[[ALLOC]], %[[ALLOC_0]], %[[ALLOC_1]], %[[ARG0]]) : (memref<4xi64>, memref<4xi64>, memref<4xi64>, i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
// CHECK-NEXT:     %[[V5:.*]]:3 = deallocation.retain(%[[V3]]#0, %[[V3]]#1, %[[V3]]#2) of(%[[V0]], %[[V3]]#3, %[[V1]], %[[V3]]#4, %[[V2]], %[[V3]]#5) : (memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
// CHECK-NEXT:     return %[[V3]]#0, %[[V3]]#1, %[[V3]]#2, %[[V4]]#0, %[[V4]]#1, %[[V4]]#2, %[[V5]]#0, %[[V5]]#1, %[[V5]]#2, %[[V4]]#3, %[[V4]]#4, %[[V4]]#5 : memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership
func.func private @returns_six(%k: i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>) {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  %c = memref.alloc() : memref<4xi64>
  call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  call @fill(%b, %k) : (memref<4xi64>, i64) -> ()
  call @fill(%c, %k) : (memref<4xi64>, i64) -> ()
  %f:3 = call @three_forwarded(%a, %b, %c) : (memref<4xi64>, memref<4xi64>, memref<4xi64>) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>)
  %r:3 = call @three_replaced(%a, %b, %c, %k) : (memref<4xi64>, memref<4xi64>, memref<4xi64>, i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>)
  return %f#0, %f#1, %f#2, %r#0, %r#1, %r#2 : memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>
}

// A reallocation in one branch, the buffer itself in the other: the outer owner
// goes to both.
// CHECK-LABEL: func.func private @grows_or_not(
// CHECK-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64) -> i64
// CHECK-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-NEXT:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-NEXT:     %[[C8:.*]] = arith.constant 8 : index
// CHECK-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[C4]]) : memref<?xi64>
// CHECK-NEXT:     memref.store %[[ARG1]], %[[ALLOC]][%[[C0]]] : memref<?xi64>
// CHECK-NEXT:     %[[V0:.*]] = scf.if %[[ARG0]] -> (memref<?xi64>) {
// CHECK-NEXT:       %[[V3:.*]] = memref.realloc %[[ALLOC]](%[[C8]]) : memref<?xi64> to memref<?xi64>
// CHECK-NEXT:       scf.yield %[[V3]] : memref<?xi64>
// CHECK-NEXT:     } else {
// CHECK-NEXT:       scf.yield %[[ALLOC]] : memref<?xi64>
// CHECK-NEXT:     }
// CHECK-NEXT:     %[[V1:.*]] = deallocation.own %[[V0]] : memref<?xi64>
// CHECK-NEXT:     %[[V2:.*]] = memref.load %[[V0]][%[[C0]]] : memref<?xi64>
// CHECK-NEXT:     deallocation.retain() of(%[[V1]]) : (!deallocation.ownership) -> ()
// CHECK-NEXT:     return %[[V2]] : i64
func.func private @grows_or_not(%c: i1, %k: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %a = memref.alloc(%c4) : memref<?xi64>
  memref.store %k, %a[%c0] : memref<?xi64>
  %r = scf.if %c -> (memref<?xi64>) {
    %n = memref.realloc %a(%c8) : memref<?xi64> to memref<?xi64>
    scf.yield %n : memref<?xi64>
  } else {
    scf.yield %a : memref<?xi64>
  }
  %x = memref.load %r[%c0] : memref<?xi64>
  return %x : i64
}

// Runs everything both ways.
func.func private @round(%c: i1) {
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %v3 = arith.constant 3 : i64
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  call @fill(%a, %v1) : (memref<4xi64>, i64) -> ()
  call @fill(%b, %v2) : (memref<4xi64>, i64) -> ()
  %r0 = call @selects_itself(%c, %a) : (i1, memref<4xi64>) -> memref<4xi64>
  %x0 = call @read(%r0) : (memref<4xi64>) -> i64
  call @printI64(%x0) : (i64) -> ()
  %r1 = call @chooses_argument(%c, %a, %b) : (i1, memref<4xi64>, memref<4xi64>) -> memref<4xi64>
  %x1 = call @read(%r1) : (memref<4xi64>) -> i64
  call @printI64(%x1) : (i64) -> ()
  %r2 = call @hands_argument_on(%c, %a, %v3) : (i1, memref<4xi64>, i64) -> memref<4xi64>
  %x2 = call @read(%r2) : (memref<4xi64>) -> i64
  call @printI64(%x2) : (i64) -> ()
  %r3:2 = call @hands_both_on(%c, %a, %v3) : (i1, memref<4xi64>, i64) -> (memref<4xi64>, memref<4xi64>)
  %x3 = call @read(%r3#0) : (memref<4xi64>) -> i64
  call @printI64(%x3) : (i64) -> ()
  %x4 = call @read(%r3#1) : (memref<4xi64>) -> i64
  call @printI64(%x4) : (i64) -> ()
  %r4:6 = call @returns_six(%v2) : (i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>, memref<4xi64>)
  %x5 = call @read(%r4#2) : (memref<4xi64>) -> i64
  call @printI64(%x5) : (i64) -> ()
  %x6 = call @read(%r4#3) : (memref<4xi64>) -> i64
  call @printI64(%x6) : (i64) -> ()
  %x7 = call @grows_or_not(%c, %v3) : (i1, i64) -> i64
  call @printI64(%x7) : (i64) -> ()
  %r5 = call @writes_and_returns(%b, %v3) : (memref<4xi64>, i64) -> memref<4xi64>
  %x8 = call @read(%r5) : (memref<4xi64>) -> i64
  call @printI64(%x8) : (i64) -> ()
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  call @round(%true) : (i1) -> ()
  call @round(%false) : (i1) -> ()
  return
}
