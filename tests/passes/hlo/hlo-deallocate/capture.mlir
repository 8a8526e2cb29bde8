// Buffers that the program frees or reallocates itself: these operations take
// the buffer from the block that owns it.
//
// RUN: freehold opt %s --hlo-deallocate \
// RUN:   | FileCheck %s --implicit-check-not=deallocation.retain --implicit-check-not=memref.dealloc
// RUN: freehold run %s --dealloc=none | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s --check-prefix=RESULT

// RESULT: 7777777777777777777777777777

func.func private @printI64(i64)

func.func private @read(%m: memref<?xi64>) -> i64 {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<?xi64>
  return %v : i64
}

// A vector that grows whenever it is full: the loop owns it, the branch that
// grows it captures it, the other one hands it on.
// CHECK-LABEL: func.func private @grow(
// CHECK-SAME:  %[[ARG0:.*]]: index) -> i64
// CHECK:         %[[ALLOC:.*]] = memref.alloc(%{{[^ ,)]*}}) : memref<?xi64>
// CHECK:         %[[V0:.*]] = scf.for %[[ARG1:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} iter_args(%[[ARG2:.*]] = %[[ALLOC]]) -> (memref<?xi64>) {
// CHECK:           %[[V4:.*]] = scf.if %{{[^ ,)]*}} -> (memref<?xi64>) {
// CHECK:             %[[V7:.*]] = memref.realloc %[[ARG2]](%{{[^ ,)]*}}) : memref<?xi64> to memref<?xi64>
// CHECK:             scf.yield %[[V7]] : memref<?xi64>
// CHECK:           } else {
// CHECK:             scf.yield %[[ARG2]] : memref<?xi64>
// CHECK:           %[[V5:.*]] = func.call @read(%[[V4]]) : (memref<?xi64>) -> i64
// CHECK:           scf.yield %[[V4]] : memref<?xi64>
// CHECK:         %[[V1:.*]] = deallocation.own %[[V0]] : memref<?xi64>
// CHECK:         %[[V2:.*]] = call @read(%[[V0]]) : (memref<?xi64>) -> i64
// CHECK:         deallocation.retain() of(%[[V1]]) : (!deallocation.ownership) -> ()
// CHECK:         return %[[V2]] : i64
func.func private @grow(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %k = arith.constant 7 : i64
  %a = memref.alloc(%c1) : memref<?xi64>
  memref.store %k, %a[%c0] : memref<?xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %a) -> (memref<?xi64>) {
    %size = memref.dim %v, %c0 : memref<?xi64>
    %full = arith.cmpi ule, %size, %i : index
    %m = scf.if %full -> (memref<?xi64>) {
      %twice = arith.muli %size, %c2 : index
      %b = memref.realloc %v(%twice) : memref<?xi64> to memref<?xi64>
      scf.yield %b : memref<?xi64>
    } else {
      scf.yield %v : memref<?xi64>
    }
    %u = func.call @read(%m) : (memref<?xi64>) -> i64
    scf.yield %m : memref<?xi64>
  }
  %v = func.call @read(%r) : (memref<?xi64>) -> i64
  return %v : i64
}

// Unconditionally: only the new buffer is left to be freed.
// CHECK-LABEL: func.func private @realloc(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         %[[ALLOC:.*]] = memref.alloc(%[[ARG0]]) : memref<?xi64>
// CHECK:         %[[V0:.*]] = memref.realloc %[[ALLOC]](%[[ARG0]]) : memref<?xi64> to memref<?xi64>
// CHECK:         %[[V1:.*]] = deallocation.own %[[V0]] : memref<?xi64>
// CHECK:         deallocation.retain() of(%[[V1]]) : (!deallocation.ownership) -> ()
// CHECK:         return
func.func private @realloc(%n: index) {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  %b = memref.realloc %a(%n) : memref<?xi64> to memref<?xi64>
  memref.store %k, %b[%c0] : memref<?xi64>
  return
}

// The other branch has a buffer of its own and frees the outer one.
// CHECK-LABEL: func.func private @realloc_or_fresh(
// CHECK-SAME:  %[[ARG0:.*]]: i1, %[[ARG1:.*]]: index) -> i64
// CHECK:         %[[ALLOC:.*]] = memref.alloc(%[[ARG1]]) : memref<?xi64>
// CHECK:         %[[V0:.*]] = scf.if %[[ARG0]] -> (memref<?xi64>) {
// CHECK:           %[[V3:.*]] = memref.realloc %[[ALLOC]](%[[ARG1]]) : memref<?xi64> to memref<?xi64>
// CHECK:           scf.yield %[[V3]] : memref<?xi64>
// CHECK:         } else {
// CHECK:           scf.yield %[[ALLOC]] : memref<?xi64>
// CHECK:         %[[V1:.*]] = deallocation.own %[[V0]] : memref<?xi64>
// CHECK:         %[[V2:.*]] = call @read(%[[V0]]) : (memref<?xi64>) -> i64
// CHECK:         deallocation.retain() of(%[[V1]]) : (!deallocation.ownership) -> ()
// CHECK:         return %[[V2]] : i64
func.func private @realloc_or_fresh(%c: i1, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  memref.store %k, %a[%c0] : memref<?xi64>
  %r = scf.if %c -> (memref<?xi64>) {
    %b = memref.realloc %a(%n) : memref<?xi64> to memref<?xi64>
    scf.yield %b : memref<?xi64>
  } else {
    scf.yield %a : memref<?xi64>
  }
  %v = func.call @read(%r) : (memref<?xi64>) -> i64
  return %v : i64
}

// One branch captures and yields something else, the other one yields it.
// CHECK-LABEL: func.func private @captured_not_yielded(
// CHECK-SAME:  %[[ARG0:.*]]: i1, %[[ARG1:.*]]: index) -> i64
// CHECK:         %[[ALLOC:.*]] = memref.alloc(%[[ARG1]]) : memref<?xi64>
// CHECK:         %[[V0:.*]] = scf.if %[[ARG0]] -> (memref<?xi64>) {
// CHECK:           memref.dealloc %[[ALLOC]] : memref<?xi64>
// CHECK:           %[[ALLOC_0:.*]] = memref.alloc(%[[ARG1]]) : memref<?xi64>
// CHECK:           scf.yield %[[ALLOC_0]] : memref<?xi64>
// CHECK:         } else {
// CHECK:           scf.yield %[[ALLOC]] : memref<?xi64>
// CHECK:         %[[V1:.*]] = deallocation.own %[[V0]] : memref<?xi64>
// CHECK:         %[[V2:.*]] = call @read(%[[V0]]) : (memref<?xi64>) -> i64
// CHECK:         deallocation.retain() of(%[[V1]]) : (!deallocation.ownership) -> ()
// CHECK:         return %[[V2]] : i64
func.func private @captured_not_yielded(%c: i1, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  memref.store %k, %a[%c0] : memref<?xi64>
  %r = scf.if %c -> (memref<?xi64>) {
    memref.dealloc %a : memref<?xi64>
    %b = memref.alloc(%n) : memref<?xi64>
    memref.store %k, %b[%c0] : memref<?xi64>
    scf.yield %b : memref<?xi64>
  } else {
    scf.yield %a : memref<?xi64>
  }
  %v = func.call @read(%r) : (memref<?xi64>) -> i64
  return %v : i64
}

// Both branches free it.
// CHECK-LABEL: func.func private @both(
// CHECK-SAME:  %[[ARG0:.*]]: i1, %[[ARG1:.*]]: index) -> i64
// CHECK:         %[[ALLOC:.*]] = memref.alloc(%[[ARG1]]) : memref<?xi64>
// CHECK:         %[[V0:.*]] = scf.if %[[ARG0]] -> (i64) {
// CHECK:           %[[V1:.*]] = func.call @read(%[[ALLOC]]) : (memref<?xi64>) -> i64
// CHECK:           memref.dealloc %[[ALLOC]] : memref<?xi64>
// CHECK:           scf.yield %[[V1]] : i64
// CHECK:         } else {
// CHECK:           memref.dealloc %[[ALLOC]] : memref<?xi64>
// CHECK:           scf.yield %{{[^ ,)]*}} : i64
// CHECK:         return %[[V0]] : i64
func.func private @both(%c: i1, %n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %k = arith.constant 7 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  memref.store %k, %a[%c0] : memref<?xi64>
  %v = scf.if %c -> (i64) {
    %u = func.call @read(%a) : (memref<?xi64>) -> i64
    memref.dealloc %a : memref<?xi64>
    scf.yield %u : i64
  } else {
    memref.dealloc %a : memref<?xi64>
    scf.yield %k : i64
  }
  return %v : i64
}

// Frees between an allocation and a loop that uses it, and in the loop.
// CHECK-LABEL: func.func private @after_loop(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         %[[ALLOC:.*]] = memref.alloc(%{{[^ ,)]*}}) : memref<?xi64>
// CHECK:         scf.for %[[ARG1:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} {
// CHECK:           %[[ALLOC_0:.*]] = memref.alloc(%{{[^ ,)]*}}) : memref<?xi64>
// CHECK:           memref.copy %[[ALLOC_0]], %[[ALLOC]] : memref<?xi64> to memref<?xi64>
// CHECK:           memref.dealloc %[[ALLOC_0]] : memref<?xi64>
// CHECK:         memref.dealloc %[[ALLOC]] : memref<?xi64>
// CHECK:         return
func.func private @after_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 7 : i64
  %a = memref.alloc(%c1) : memref<?xi64>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc(%c1) : memref<?xi64>
    memref.store %k, %b[%c0] : memref<?xi64>
    memref.copy %b, %a : memref<?xi64> to memref<?xi64>
    memref.dealloc %b : memref<?xi64>
  }
  memref.dealloc %a : memref<?xi64>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %false = arith.constant false
  %true = arith.constant true
  scf.for %n = %c0 to %c4 step %c1 {
    %size = arith.addi %n, %c1 : index
    %v = func.call @grow(%n) : (index) -> i64
    func.call @realloc(%size) : (index) -> ()
    %w = func.call @realloc_or_fresh(%true, %size) : (i1, index) -> i64
    %x = func.call @realloc_or_fresh(%false, %size) : (i1, index) -> i64
    %y = func.call @captured_not_yielded(%true, %size) : (i1, index) -> i64
    %z = func.call @captured_not_yielded(%false, %size) : (i1, index) -> i64
    %s = func.call @both(%true, %size) : (i1, index) -> i64
    %t = func.call @both(%false, %size) : (i1, index) -> i64
    func.call @after_loop(%n) : (index) -> ()
    func.call @printI64(%v) : (i64) -> ()
    func.call @printI64(%w) : (i64) -> ()
    func.call @printI64(%x) : (i64) -> ()
    func.call @printI64(%y) : (i64) -> ()
    func.call @printI64(%z) : (i64) -> ()
    func.call @printI64(%s) : (i64) -> ()
    func.call @printI64(%t) : (i64) -> ()
  }
  return
}
