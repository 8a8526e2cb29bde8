// Every shape of program that owners travel through: loops, choices, calls,
// blocks and views. The text shows the owners; the program then runs all of it
// with no, one, two and three iterations.
//
// RUN: freehold opt %s --hlo-deallocate \
// RUN:   | FileCheck %s --implicit-check-not=deallocation.retain --implicit-check-not=memref.dealloc
// RUN: freehold run %s --dealloc=none | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=hlo --stats=json 2>&1 | FileCheck %s --check-prefix=STATS

// RESULT: 8292192421494587496
// STATS: "allocs": [[N:[0-9]+]], "frees": [[N]],

func.func private @printI64(i64)

// A buffer that nobody looks at but us.
func.func private @touch(%m: memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %v = memref.load %m[%c0] : memref<4xi64>
  %w = arith.addi %v, %one : i64
  memref.store %w, %m[%c0] : memref<4xi64>
  return
}

// Sets what alloc leaves undefined.
func.func private @fill(%m: memref<4xi64>, %k: i64) {
  %c0 = arith.constant 0 : index
  memref.store %k, %m[%c0] : memref<4xi64>
  return
}

// A loop carries a buffer of the caller; an inner choice replaces it or keeps
// it. The first owner is null; unused buffers are freed on the spot.
// CHECK-LABEL: func.func private @carried_argument(
// CHECK-SAME:  %[[ARG0:.*]]: memref<4xi64>, %[[ARG1:.*]]: index, %[[ARG2:.*]]: i1, %[[ARG3:.*]]: i64)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:         deallocation.retain() of(%[[V0]]) : (!deallocation.ownership) -> ()
// CHECK:         %[[V1:.*]] = deallocation.null
// CHECK:         %[[V2:.*]]:2 = scf.for %[[ARG4:.*]] = %{{[^ ,)]*}} to %[[ARG1]] step %{{[^ ,)]*}} iter_args(%[[ARG5:.*]] = %[[ARG0]], %[[ARG6:.*]] = %[[V1]]) -> (memref<4xi64>, !deallocation.ownership) {
// CHECK:           %[[V3:.*]]:2 = scf.for %[[ARG7:.*]] = %{{[^ ,)]*}} to %[[ARG1]] step %{{[^ ,)]*}} iter_args(%[[ARG8:.*]] = %[[ARG5]], %[[ARG9:.*]] = %[[ARG6]]) -> (memref<4xi64>, !deallocation.ownership) {
// CHECK:             %[[ALLOC_0:.*]] = memref.alloc() : memref<4xi64>
// CHECK:             %[[V4:.*]] = deallocation.own %[[ALLOC_0]] : memref<4xi64>
// CHECK:             deallocation.retain() of(%[[V4]]) : (!deallocation.ownership) -> ()
// CHECK:             %[[V5:.*]]:2 = scf.if %[[ARG2]] -> (memref<4xi64>, !deallocation.ownership) {
// CHECK:               deallocation.retain() of(%[[ARG9]]) : (!deallocation.ownership) -> ()
// CHECK:               %[[ALLOC_1:.*]] = memref.alloc() : memref<4xi64>
// CHECK:               func.call @fill(%[[ALLOC_1]], %[[ARG3]]) : (memref<4xi64>, i64) -> ()
// CHECK:               %[[V6:.*]] = deallocation.own %[[ALLOC_1]] : memref<4xi64>
// CHECK:               scf.yield %[[ALLOC_1]], %[[V6]] : memref<4xi64>, !deallocation.ownership
// CHECK:             } else {
// CHECK:               scf.yield %[[ARG8]], %[[ARG9]] : memref<4xi64>, !deallocation.ownership
// CHECK:             scf.yield %[[V5]]#0, %[[V5]]#1 : memref<4xi64>, !deallocation.ownership
// CHECK:           scf.yield %[[V3]]#0, %[[V3]]#1 : memref<4xi64>, !deallocation.ownership
// CHECK:         memref.copy %[[V2]]#0, %[[ARG0]] : memref<4xi64> to memref<4xi64>
// CHECK:         deallocation.retain() of(%[[V2]]#1) : (!deallocation.ownership) -> ()
// CHECK:         return
func.func private @carried_argument(%arg: memref<4xi64>, %n: index, %c: i1, %k: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %unused = memref.alloc() : memref<4xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %arg) -> (memref<4xi64>) {
    %s = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<4xi64>) {
      %unused_too = memref.alloc() : memref<4xi64>
      %t = scf.if %c -> (memref<4xi64>) {
        %fresh = memref.alloc() : memref<4xi64>
        func.call @fill(%fresh, %k) : (memref<4xi64>, i64) -> ()
        scf.yield %fresh : memref<4xi64>
      } else {
        scf.yield %b : memref<4xi64>
      }
      scf.yield %t : memref<4xi64>
    }
    scf.yield %s : memref<4xi64>
  }
  memref.copy %r, %arg : memref<4xi64> to memref<4xi64>
  return
}

// Nested choices between a new buffer and two outer ones, one of which is
// returned besides.
// CHECK-LABEL: func.func private @nested_choices(
// CHECK-SAME:  %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i1, %[[ARG2:.*]]: i64) -> (memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V1:.*]] = deallocation.own %[[ALLOC_0]] : memref<4xi64>
// CHECK:         call @fill(%[[ALLOC]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK:         call @fill(%[[ALLOC_0]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK:         %[[V2:.*]]:2 = scf.if %[[ARG0]] -> (memref<4xi64>, !deallocation.ownership) {
// CHECK:           deallocation.retain() of(%[[V1]]) : (!deallocation.ownership) -> ()
// CHECK:           %[[V4:.*]]:2 = scf.if %[[ARG1]] -> (memref<4xi64>, !deallocation.ownership) {
// CHECK:             %[[ALLOC_1:.*]] = memref.alloc() : memref<4xi64>
// CHECK:             func.call @fill(%[[ALLOC_1]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK:             %[[V5:.*]] = deallocation.own %[[ALLOC_1]] : memref<4xi64>
// CHECK:             scf.yield %[[ALLOC_1]], %[[V5]] : memref<4xi64>, !deallocation.ownership
// CHECK:           } else {
// CHECK:             %[[V5:.*]] = deallocation.null
// CHECK:             scf.yield %[[ALLOC]], %[[V5]] : memref<4xi64>, !deallocation.ownership
// CHECK:           scf.yield %[[V4]]#0, %[[V4]]#1 : memref<4xi64>, !deallocation.ownership
// CHECK:         } else {
// CHECK:           %[[V4:.*]] = deallocation.own %[[ALLOC_0]] : memref<4xi64>
// CHECK:           scf.yield %[[ALLOC_0]], %[[V4]] : memref<4xi64>, !deallocation.ownership
// CHECK:         %[[V3:.*]]:2 = deallocation.retain(%[[ALLOC]], %[[V2]]#0) of(%[[V0]], %[[V2]]#1) : (memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
// CHECK:         return %[[ALLOC]], %[[V2]]#0, %[[V3]]#0, %[[V3]]#1 : memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership
func.func private @nested_choices(%c: i1, %d: i1, %k: i64) -> (memref<4xi64>, memref<4xi64>) {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  func.call @fill(%b, %k) : (memref<4xi64>, i64) -> ()
  %r = scf.if %c -> (memref<4xi64>) {
    %s = scf.if %d -> (memref<4xi64>) {
      %fresh = memref.alloc() : memref<4xi64>
      func.call @fill(%fresh, %k) : (memref<4xi64>, i64) -> ()
      scf.yield %fresh : memref<4xi64>
    } else {
      scf.yield %a : memref<4xi64>
    }
    scf.yield %s : memref<4xi64>
  } else {
    scf.yield %b : memref<4xi64>
  }
  return %a, %r : memref<4xi64>, memref<4xi64>
}

// One buffer three times round a loop that replaces two of the three. The
// original frees it under the value that is carried on; here the first place
// owns it, and pointers are compared where it leaves.
// CHECK-LABEL: func.func private @same_buffer_three_times(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         call @fill(%[[ALLOC]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         %[[V1:.*]]:7 = scf.while (%[[ARG2:.*]] = %[[ALLOC]], %[[ARG3:.*]] = %[[ALLOC]], %[[ARG4:.*]] = %[[ALLOC]], %[[ARG5:.*]] = %{{[^ ,)]*}}, %[[ARG6:.*]] = %[[V0]], %[[ARG7:.*]] = %[[V0]]) : (memref<4xi64>, memref<4xi64>, memref<4xi64>, index, !deallocation.ownership, !deallocation.ownership) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, index, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership) {
// CHECK:           %[[V2:.*]] = deallocation.own %[[ARG2]] : memref<4xi64>
// CHECK:           %[[V3:.*]] = arith.cmpi ult, %[[ARG5]], %[[ARG0]] : index
// CHECK:           %[[V4:.*]]:3 = deallocation.retain(%[[ARG2]], %[[ARG3]], %[[ARG4]]) of(%[[V2]], %[[ARG6]], %[[ARG7]]) : (memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
// CHECK:           scf.condition(%[[V3]]) %[[ARG2]], %[[ARG3]], %[[ARG4]], %[[ARG5]], %[[V4]]#0, %[[V4]]#1, %[[V4]]#2 : memref<4xi64>, memref<4xi64>, memref<4xi64>, index, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership
// CHECK:         } do {
// CHECK:         ^bb0(%[[ARG2:.*]]: memref<4xi64>, %[[ARG3:.*]]: memref<4xi64>, %[[ARG4:.*]]: memref<4xi64>, %[[ARG5:.*]]: index, %[[ARG6:.*]]: !deallocation.ownership, %[[ARG7:.*]]: !deallocation.ownership, %[[ARG8:.*]]: !deallocation.ownership):
// CHECK:           deallocation.retain() of(%[[ARG8]]) : (!deallocation.ownership) -> ()
// CHECK:           %[[ALLOC_0:.*]] = memref.alloc() : memref<4xi64>
// CHECK:           %[[ALLOC_1:.*]] = memref.alloc() : memref<4xi64>
// CHECK:           func.call @fill(%[[ALLOC_0]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:           func.call @fill(%[[ALLOC_1]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:           func.call @touch(%[[ARG2]]) : (memref<4xi64>) -> ()
// CHECK:           %[[V2:.*]] = arith.addi %[[ARG5]]
// CHECK:           %[[V3:.*]] = deallocation.retain(%[[ARG3]]) of(%[[ARG6]], %[[ARG7]]) : (memref<4xi64>, !deallocation.ownership, !deallocation.ownership) -> !deallocation.ownership
// CHECK:           %[[V4:.*]] = deallocation.own %[[ALLOC_1]] : memref<4xi64>
// CHECK:           scf.yield %[[ALLOC_0]], %[[ARG3]], %[[ALLOC_1]], %[[V2]], %[[V3]], %[[V4]] : memref<4xi64>, memref<4xi64>, memref<4xi64>, index, !deallocation.ownership, !deallocation.ownership
// CHECK:         %[[V5:.*]]:3 = deallocation.retain(%[[V1]]#0, %[[V1]]#1, %[[V1]]#2) of(%[[V1]]#4, %[[V1]]#5, %[[V1]]#6) : (memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
// CHECK:         return %[[V1]]#0, %[[V1]]#1, %[[V1]]#2, %[[V5]]#0, %[[V5]]#1, %[[V5]]#2 : memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership
func.func private @same_buffer_three_times(%n: index, %k: i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi64>
  func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  %r:4 = scf.while (%x = %a, %y = %a, %z = %a, %i = %c0) : (memref<4xi64>, memref<4xi64>, memref<4xi64>, index) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, index) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %x, %y, %z, %i : memref<4xi64>, memref<4xi64>, memref<4xi64>, index
  } do {
  ^bb0(%x: memref<4xi64>, %y: memref<4xi64>, %z: memref<4xi64>, %i: index):
    %f = memref.alloc() : memref<4xi64>
    %g = memref.alloc() : memref<4xi64>
    func.call @fill(%f, %k) : (memref<4xi64>, i64) -> ()
    func.call @fill(%g, %k) : (memref<4xi64>, i64) -> ()
    func.call @touch(%x) : (memref<4xi64>) -> ()
    %j = arith.addi %i, %c1 : index
    scf.yield %f, %y, %g, %j : memref<4xi64>, memref<4xi64>, memref<4xi64>, index
  }
  return %r#0, %r#1, %r#2 : memref<4xi64>, memref<4xi64>, memref<4xi64>
}

// Only one branch has a buffer.
// CHECK-LABEL: func.func private @if_without_else(
// CHECK-SAME:  %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64)
// CHECK:         scf.if %[[ARG0]] {
// CHECK:           %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:           %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:           func.call @fill(%[[ALLOC]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:           deallocation.retain() of(%[[V0]]) : (!deallocation.ownership) -> ()
// CHECK:         return
func.func private @if_without_else(%c: i1, %k: i64) {
  scf.if %c {
    %a = memref.alloc() : memref<4xi64>
    func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  }
  return
}

// One outer buffer yielded twice by a region: the outer block keeps it, so no
// owners travel.
// CHECK-LABEL: func.func private @yields_outer_twice(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: i64)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:         call @fill(%[[ALLOC]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:         %[[V1:.*]]:3 = scf.while (%[[ARG2:.*]] = %[[ALLOC]], %[[ARG3:.*]] = %[[ALLOC]], %[[ARG4:.*]] = %{{[^ ,)]*}}) : (memref<4xi64>, memref<4xi64>, index) -> (memref<4xi64>, memref<4xi64>, index) {
// CHECK:           %[[V2:.*]] = arith.cmpi ult, %[[ARG4]], %[[ARG0]] : index
// CHECK:           scf.condition(%[[V2]]) %[[ARG2]], %[[ARG3]], %[[ARG4]] : memref<4xi64>, memref<4xi64>, index
// CHECK:         } do {
// CHECK:         ^bb0(%[[ARG2:.*]]: memref<4xi64>, %[[ARG3:.*]]: memref<4xi64>, %[[ARG4:.*]]: index):
// CHECK:           func.call @touch(%[[ARG2]]) : (memref<4xi64>) -> ()
// CHECK:           func.call @touch(%[[ARG3]]) : (memref<4xi64>) -> ()
// CHECK:           scf.yield %[[ALLOC]], %[[ALLOC]], %[[V2]] : memref<4xi64>, memref<4xi64>, index
// CHECK:         call @touch(%[[V1]]#1) : (memref<4xi64>) -> ()
// CHECK:         deallocation.retain() of(%[[V0]]) : (!deallocation.ownership) -> ()
// CHECK:         return
func.func private @yields_outer_twice(%n: index, %k: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi64>
  func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  %r:3 = scf.while (%x = %a, %y = %a, %i = %c0) : (memref<4xi64>, memref<4xi64>, index) -> (memref<4xi64>, memref<4xi64>, index) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %x, %y, %i : memref<4xi64>, memref<4xi64>, index
  } do {
  ^bb0(%x: memref<4xi64>, %y: memref<4xi64>, %i: index):
    func.call @touch(%x) : (memref<4xi64>) -> ()
    func.call @touch(%y) : (memref<4xi64>) -> ()
    %j = arith.addi %i, %c1 : index
    scf.yield %a, %a, %j : memref<4xi64>, memref<4xi64>, index
  }
  func.call @touch(%r#1) : (memref<4xi64>) -> ()
  return
}

// The body yields a view of a view of its own buffer.
// CHECK-LABEL: func.func private @yields_view(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: i64)
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         %[[V1:.*]]:2 = scf.for %[[ARG3:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} iter_args(%[[ARG4:.*]] = %[[ARG1]], %[[ARG5:.*]] = %[[V0]]) -> (memref<4xi64>, !deallocation.ownership) {
// CHECK:           func.call @touch(%[[ARG4]]) : (memref<4xi64>) -> ()
// CHECK:           deallocation.retain() of(%[[ARG5]]) : (!deallocation.ownership) -> ()
// CHECK:           %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:           func.call @fill(%[[ALLOC]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK:           %[[V2:.*]] = deallocation.own %{{[^ ,)]*}} : memref<4xi64>
// CHECK:           scf.yield %{{[^ ,)]*}}, %[[V2]] : memref<4xi64>, !deallocation.ownership
// CHECK:         call @touch(%[[V1]]#0) : (memref<4xi64>) -> ()
// CHECK:         deallocation.retain() of(%[[V1]]#1) : (!deallocation.ownership) -> ()
// CHECK:         return
func.func private @yields_view(%n: index, %init: memref<4xi64>, %k: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %init) -> (memref<4xi64>) {
    func.call @touch(%m) : (memref<4xi64>) -> ()
    %a = memref.alloc() : memref<4xi64>
    func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
    %v = memref.cast %a : memref<4xi64> to memref<?xi64>
    %w = memref.cast %v : memref<?xi64> to memref<4xi64>
    scf.yield %w : memref<4xi64>
  }
  func.call @touch(%r) : (memref<4xi64>) -> ()
  return
}

// A buffer per iteration of a parallel loop.
// CHECK-LABEL: func.func private @in_parallel_loop(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: i64)
// CHECK:         scf.parallel (%[[ARG2:.*]]) = (%{{[^ ,)]*}}) to (%[[ARG0]]) step (%{{[^ ,)]*}}) {
// CHECK:           %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:           %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:           func.call @fill(%[[ALLOC]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:           deallocation.retain() of(%[[V0]]) : (!deallocation.ownership) -> ()
// CHECK:           scf.reduce
// CHECK:         return
func.func private @in_parallel_loop(%n: index, %k: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<4xi64>
    func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  }
  return
}

// A stack buffer is nobody's to free.
// CHECK-LABEL: func.func private @alloca(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: i64)
// CHECK:         %[[ALLOCA:.*]] = memref.alloca() : memref<4xi64>
// CHECK:         call @fill(%[[ALLOCA]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:         %[[V0:.*]] = scf.for %[[ARG2:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} iter_args(%[[ARG3:.*]] = %[[ALLOCA]]) -> (memref<4xi64>) {
// CHECK:           scf.yield %[[ARG3]] : memref<4xi64>
// CHECK:         call @touch(%[[V0]]) : (memref<4xi64>) -> ()
// CHECK:         return
func.func private @alloca(%n: index, %k: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloca() : memref<4xi64>
  func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%m = %a) -> (memref<4xi64>) {
    scf.yield %m : memref<4xi64>
  }
  func.call @touch(%r) : (memref<4xi64>) -> ()
  return
}

// A view of another shape keeps the buffer alive.
// CHECK-LABEL: func.func private @expanded(
// CHECK-SAME:  %[[ARG0:.*]]: i64)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<i64>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<i64>
// CHECK:         deallocation.retain() of(%[[V0]]) : (!deallocation.ownership) -> ()
// CHECK:         return
func.func private @expanded(%k: i64) {
  %a = memref.alloc() : memref<i64>
  %v = memref.expand_shape %a [] output_shape [1, 1] : memref<i64> into memref<1x1xi64>
  %c0 = arith.constant 0 : index
  memref.store %k, %v[%c0, %c0] : memref<1x1xi64>
  return
}

// Returns what belongs to the caller: its owner is null.
// CHECK-LABEL: func.func private @identity(
// CHECK-SAME:  %[[ARG0:.*]]: memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         call @touch(%[[ARG0]]) : (memref<4xi64>) -> ()
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         return %[[ARG0]], %[[V0]] : memref<4xi64>, !deallocation.ownership
func.func private @identity(%a: memref<4xi64>) -> memref<4xi64> {
  func.call @touch(%a) : (memref<4xi64>) -> ()
  return %a : memref<4xi64>
}

// CHECK-LABEL: func.func private @calls_identity(
// CHECK-SAME:  %[[ARG0:.*]]: memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         %[[V0:.*]]:2 = call @identity(%[[ARG0]]) : (memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         return %[[V0]]#0, %[[V0]]#1 : memref<4xi64>, !deallocation.ownership
func.func private @calls_identity(%a: memref<4xi64>) -> memref<4xi64> {
  %r = func.call @identity(%a) : (memref<4xi64>) -> memref<4xi64>
  return %r : memref<4xi64>
}

// The same by choice of an argument or itself.
// CHECK-LABEL: func.func private @selects_argument(
// CHECK-SAME:  %[[ARG0:.*]]: i1, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         %[[V0:.*]] = arith.select %[[ARG0]], %[[ARG1]], %[[ARG2]] : memref<4xi64>
// CHECK:         %[[V1:.*]] = deallocation.null
// CHECK:         return %[[V0]], %[[V1]] : memref<4xi64>, !deallocation.ownership
func.func private @selects_argument(%c: i1, %a: memref<4xi64>, %b: memref<4xi64>) -> memref<4xi64> {
  %r = arith.select %c, %a, %b : memref<4xi64>
  return %r : memref<4xi64>
}

// An argument or a new buffer.
// CHECK-LABEL: func.func private @argument_or_fresh(
// CHECK-SAME:  %[[ARG0:.*]]: i1, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         %[[V0:.*]]:2 = scf.if %[[ARG0]] -> (memref<4xi64>, !deallocation.ownership) {
// CHECK:           %[[V1:.*]] = deallocation.null
// CHECK:           scf.yield %[[ARG1]], %[[V1]] : memref<4xi64>, !deallocation.ownership
// CHECK:         } else {
// CHECK:           %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:           func.call @fill(%[[ALLOC]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK:           %[[V1:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:           scf.yield %[[ALLOC]], %[[V1]] : memref<4xi64>, !deallocation.ownership
// CHECK:         return %[[V0]]#0, %[[V0]]#1 : memref<4xi64>, !deallocation.ownership
func.func private @argument_or_fresh(%c: i1, %a: memref<4xi64>, %k: i64) -> memref<4xi64> {
  %r = scf.if %c -> (memref<4xi64>) {
    scf.yield %a : memref<4xi64>
  } else {
    %f = memref.alloc() : memref<4xi64>
    func.call @fill(%f, %k) : (memref<4xi64>, i64) -> ()
    scf.yield %f : memref<4xi64>
  }
  return %r : memref<4xi64>
}

// Whether the result is the caller's own buffer, pointers tell.
// CHECK-LABEL: func.func private @calls_with_own_buffer(
// CHECK-SAME:  %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:         call @fill(%[[ALLOC]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:         %[[V1:.*]]:2 = call @argument_or_fresh(%[[ARG0]], %[[ALLOC]], %[[ARG1]]) : (i1, memref<4xi64>, i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         %[[V2:.*]] = deallocation.retain(%[[V1]]#0) of(%[[V0]], %[[V1]]#1) : (memref<4xi64>, !deallocation.ownership, !deallocation.ownership) -> !deallocation.ownership
// CHECK:         return %[[V1]]#0, %[[V2]] : memref<4xi64>, !deallocation.ownership
func.func private @calls_with_own_buffer(%c: i1, %k: i64) -> memref<4xi64> {
  %a = memref.alloc() : memref<4xi64>
  func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  %r = func.call @argument_or_fresh(%c, %a, %k) : (i1, memref<4xi64>, i64) -> memref<4xi64>
  return %r : memref<4xi64>
}

// A function that shuffles its arguments round in calls of itself: its result
// may be any of those it passes on, but not the one that it only reads.
// CHECK-LABEL: func.func private @shuffle(
// CHECK-SAME:  %[[ARG0:.*]]: i64, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: memref<4xi64>, %[[ARG3:.*]]: memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         %[[V0:.*]] = arith.cmpi eq, %[[ARG0]], %{{[^ ,)]*}} : i64
// CHECK:         %[[V1:.*]]:2 = scf.if %[[V0]] -> (memref<4xi64>, !deallocation.ownership) {
// CHECK:           %[[V2:.*]] = deallocation.null
// CHECK:           scf.yield %[[ARG1]], %[[V2]] : memref<4xi64>, !deallocation.ownership
// CHECK:         } else {
// CHECK:           %[[V3:.*]]:2 = func.call @shuffle(%[[V2]], %[[ARG2]], %[[ARG1]], %[[ARG3]]) : (i64, memref<4xi64>, memref<4xi64>, memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:           scf.yield %[[V3]]#0, %[[V3]]#1 : memref<4xi64>, !deallocation.ownership
// CHECK:         return %[[V1]]#0, %[[V1]]#1 : memref<4xi64>, !deallocation.ownership
func.func private @shuffle(%n: i64, %a: memref<4xi64>, %b: memref<4xi64>, %read: memref<4xi64>) -> memref<4xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %done = arith.cmpi eq, %n, %zero : i64
  %r = scf.if %done -> (memref<4xi64>) {
    scf.yield %a : memref<4xi64>
  } else {
    %m = arith.subi %n, %one : i64
    %s = func.call @shuffle(%m, %b, %a, %read) : (i64, memref<4xi64>, memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    scf.yield %s : memref<4xi64>
  }
  return %r : memref<4xi64>
}

// CHECK-LABEL: func.func private @calls_shuffle(
// CHECK-SAME:  %[[ARG0:.*]]: i64, %[[ARG1:.*]]: i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V1:.*]] = deallocation.own %[[ALLOC_0]] : memref<4xi64>
// CHECK:         %[[ALLOC_1:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V2:.*]] = deallocation.own %[[ALLOC_1]] : memref<4xi64>
// CHECK:         call @fill(%[[ALLOC]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:         call @fill(%[[ALLOC_0]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:         call @fill(%[[ALLOC_1]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:         %[[V3:.*]]:2 = call @shuffle(%[[ARG0]], %[[ALLOC]], %[[ALLOC_0]], %[[ALLOC_1]]) : (i64, memref<4xi64>, memref<4xi64>, memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         deallocation.retain() of(%[[V2]]) : (!deallocation.ownership) -> ()
// CHECK:         %[[V4:.*]] = deallocation.retain(%[[V3]]#0) of(%[[V0]], %[[V1]], %[[V3]]#1) : (memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership) -> !deallocation.ownership
// CHECK:         return %[[V3]]#0, %[[V4]] : memref<4xi64>, !deallocation.ownership
func.func private @calls_shuffle(%n: i64, %k: i64) -> memref<4xi64> {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  %c = memref.alloc() : memref<4xi64>
  func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  func.call @fill(%b, %k) : (memref<4xi64>, i64) -> ()
  func.call @fill(%c, %k) : (memref<4xi64>, i64) -> ()
  %r = func.call @shuffle(%n, %a, %b, %c) : (i64, memref<4xi64>, memref<4xi64>, memref<4xi64>) -> memref<4xi64>
  return %r : memref<4xi64>
}

// The second argument comes back. Of two calls that share a buffer the first
// result gets its owner.
// CHECK-LABEL: func.func private @second(
// CHECK-SAME:  %[[ARG0:.*]]: memref<4xi64>, %[[ARG1:.*]]: memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         return %[[ARG1]], %[[V0]] : memref<4xi64>, !deallocation.ownership
func.func private @second(%a: memref<4xi64>, %b: memref<4xi64>) -> memref<4xi64> {
  return %b : memref<4xi64>
}

// CHECK-LABEL: func.func private @calls_share(
// CHECK-SAME:  %[[ARG0:.*]]: i64) -> (memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V1:.*]] = deallocation.own %[[ALLOC_0]] : memref<4xi64>
// CHECK:         %[[ALLOC_1:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V2:.*]] = deallocation.own %[[ALLOC_1]] : memref<4xi64>
// CHECK:         call @fill(%[[ALLOC_1]], %[[ARG0]]) : (memref<4xi64>, i64) -> ()
// CHECK:         %[[V3:.*]]:2 = call @second(%[[ALLOC]], %[[ALLOC_1]]) : (memref<4xi64>, memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         deallocation.retain() of(%[[V0]]) : (!deallocation.ownership) -> ()
// CHECK:         %[[V4:.*]]:2 = call @second(%[[ALLOC_0]], %[[ALLOC_1]]) : (memref<4xi64>, memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         deallocation.retain() of(%[[V1]]) : (!deallocation.ownership) -> ()
// CHECK:         %[[V5:.*]]:2 = deallocation.retain(%[[V3]]#0, %[[V4]]#0) of(%[[V2]], %[[V3]]#1, %[[V4]]#1) : (memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
// CHECK:         return %[[V3]]#0, %[[V4]]#0, %[[V5]]#0, %[[V5]]#1 : memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership
func.func private @calls_share(%k: i64) -> (memref<4xi64>, memref<4xi64>) {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  %shared = memref.alloc() : memref<4xi64>
  func.call @fill(%shared, %k) : (memref<4xi64>, i64) -> ()
  %r = func.call @second(%a, %shared) : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
  %s = func.call @second(%b, %shared) : (memref<4xi64>, memref<4xi64>) -> memref<4xi64>
  return %r, %s : memref<4xi64>, memref<4xi64>
}

// One buffer returned twice: the first result has the owner. (The original
// loses it.)
// CHECK-LABEL: func.func private @returns_twice(
// CHECK-SAME:  %[[ARG0:.*]]: i64) -> (memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         call @fill(%[[ALLOC]], %[[ARG0]]) : (memref<4xi64>, i64) -> ()
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:         %[[V1:.*]] = deallocation.null
// CHECK:         return %[[ALLOC]], %[[ALLOC]], %[[V0]], %[[V1]] : memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership
func.func private @returns_twice(%k: i64) -> (memref<4xi64>, memref<4xi64>) {
  %a = memref.alloc() : memref<4xi64>
  func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  return %a, %a : memref<4xi64>, memref<4xi64>
}

// A new buffer in one branch, an outer one used in the other and freed where
// it is not.
// CHECK-LABEL: func.func private @used_in_one_branch(
// CHECK-SAME:  %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:         call @fill(%[[ALLOC]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:         scf.if %[[ARG0]] {
// CHECK:           deallocation.retain() of(%[[V0]]) : (!deallocation.ownership) -> ()
// CHECK:           %[[ALLOC_0:.*]] = memref.alloc() : memref<4xi64>
// CHECK:           %[[V1:.*]] = deallocation.own %[[ALLOC_0]] : memref<4xi64>
// CHECK:           func.call @fill(%[[ALLOC_0]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:           deallocation.retain() of(%[[V1]]) : (!deallocation.ownership) -> ()
// CHECK:         } else {
// CHECK:           func.call @touch(%[[ALLOC]]) : (memref<4xi64>) -> ()
// CHECK:           deallocation.retain() of(%[[V0]]) : (!deallocation.ownership) -> ()
// CHECK:         return
func.func private @used_in_one_branch(%c: i1, %k: i64) {
  %a = memref.alloc() : memref<4xi64>
  func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  scf.if %c {
    %b = memref.alloc() : memref<4xi64>
    func.call @fill(%b, %k) : (memref<4xi64>, i64) -> ()
  } else {
    func.call @touch(%a) : (memref<4xi64>) -> ()
  }
  return
}

// Frees in the input stay, and nothing is added.
// CHECK-LABEL: func.func private @freed_already(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: i64)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         call @fill(%[[ALLOC]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:         scf.for %[[ARG2:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} {
// CHECK:           %[[ALLOC_0:.*]] = memref.alloc() : memref<4xi64>
// CHECK:           func.call @fill(%[[ALLOC_0]], %[[ARG1]]) : (memref<4xi64>, i64) -> ()
// CHECK:           func.call @touch(%[[ALLOC]]) : (memref<4xi64>) -> ()
// CHECK:           memref.dealloc %[[ALLOC_0]] : memref<4xi64>
// CHECK:         memref.dealloc %[[ALLOC]] : memref<4xi64>
// CHECK:         return
func.func private @freed_already(%n: index, %k: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xi64>
  func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloc() : memref<4xi64>
    func.call @fill(%b, %k) : (memref<4xi64>, i64) -> ()
    func.call @touch(%a) : (memref<4xi64>) -> ()
    memref.dealloc %b : memref<4xi64>
  }
  memref.dealloc %a : memref<4xi64>
  return
}

// Blocks, one of which has two ways in: the owner comes along as an argument.
// CHECK-LABEL: func.func private @blocks(
// CHECK-SAME:  %[[ARG0:.*]]: i1, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         cf.cond_br %[[ARG0]], ^bb1, ^bb2(%[[ARG1]], %[[V0]] : memref<4xi64>, !deallocation.ownership)
// CHECK:       ^bb1:  // pred: ^bb0
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         call @fill(%[[ALLOC]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK:         %[[V1:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:         cf.br ^bb2(%[[ALLOC]], %[[V1]] : memref<4xi64>, !deallocation.ownership)
// CHECK:       ^bb2(%[[V2:.*]]: memref<4xi64>, %[[V3:.*]]: !deallocation.ownership):  // 2 preds: ^bb0, ^bb1
// CHECK:         call @touch(%[[V2]]) : (memref<4xi64>) -> ()
// CHECK:         return %[[V2]], %[[V3]] : memref<4xi64>, !deallocation.ownership
func.func private @blocks(%c: i1, %arg: memref<4xi64>, %k: i64) -> memref<4xi64> {
  cf.cond_br %c, ^fresh, ^join(%arg : memref<4xi64>)
^fresh:
  %a = memref.alloc() : memref<4xi64>
  func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
  cf.br ^join(%a : memref<4xi64>)
^join(%m: memref<4xi64>):
  func.call @touch(%m) : (memref<4xi64>) -> ()
  return %m : memref<4xi64>
}

// Any operation that hands buffers to its regions and out of them.
// CHECK-LABEL: func.func private @index_switch(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: memref<4xi64>, %[[ARG2:.*]]: i64)
// CHECK:         %[[V0:.*]]:2 = scf.index_switch %[[ARG0]] -> memref<4xi64>, !deallocation.ownership
// CHECK:           %[[V1:.*]] = deallocation.null
// CHECK:           scf.yield %[[ARG1]], %[[V1]] : memref<4xi64>, !deallocation.ownership
// CHECK:           %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:           func.call @fill(%[[ALLOC]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK:           %[[V1:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:           scf.yield %[[ALLOC]], %[[V1]] : memref<4xi64>, !deallocation.ownership
// CHECK:           %[[V1:.*]] = scf.execute_region -> memref<4xi64> {
// CHECK:             %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:             func.call @fill(%[[ALLOC]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK:             scf.yield %[[ALLOC]] : memref<4xi64>
// CHECK:           %[[V2:.*]] = deallocation.own %[[V1]] : memref<4xi64>
// CHECK:           scf.yield %[[V1]], %[[V2]] : memref<4xi64>, !deallocation.ownership
// CHECK:         call @touch(%[[V0]]#0) : (memref<4xi64>) -> ()
// CHECK:         deallocation.retain() of(%[[V0]]#1) : (!deallocation.ownership) -> ()
// CHECK:         return
func.func private @index_switch(%n: index, %arg: memref<4xi64>, %k: i64) {
  %r = scf.index_switch %n -> memref<4xi64>
  case 0 {
    scf.yield %arg : memref<4xi64>
  }
  case 1 {
    %a = memref.alloc() : memref<4xi64>
    func.call @fill(%a, %k) : (memref<4xi64>, i64) -> ()
    scf.yield %a : memref<4xi64>
  }
  default {
    %s = scf.execute_region -> memref<4xi64> {
      %b = memref.alloc() : memref<4xi64>
      func.call @fill(%b, %k) : (memref<4xi64>, i64) -> ()
      scf.yield %b : memref<4xi64>
    }
    scf.yield %s : memref<4xi64>
  }
  func.call @touch(%r) : (memref<4xi64>) -> ()
  return
}

// Runs everything with no, one, two and three iterations.
// CHECK-LABEL: func.func @main(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<i64>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<i64>
// CHECK:         scf.for %[[ARG0:.*]] = %{{[^ ,)]*}} to %{{[^ ,)]*}} step %{{[^ ,)]*}} {
// CHECK:           func.call @round(%[[ARG0]], %{{[^ ,)]*}}, %{{[^ ,)]*}}, %[[ALLOC]]) : (index, i1, i64, memref<i64>) -> ()
// CHECK:           func.call @round(%[[ARG0]], %{{[^ ,)]*}}, %{{[^ ,)]*}}, %[[ALLOC]]) : (index, i1, i64, memref<i64>) -> ()
// CHECK:         deallocation.retain() of(%[[V0]]) : (!deallocation.ownership) -> ()
// CHECK:         call @printI64(%{{[^ ,)]*}}) : (i64) -> ()
// CHECK:         return
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %false = arith.constant false
  %true = arith.constant true
  %total = memref.alloc() : memref<i64>
  memref.store %zero, %total[] : memref<i64>
  scf.for %n = %c0 to %c4 step %c1 {
    %k = arith.index_cast %n : index to i64
    func.call @round(%n, %false, %k, %total) : (index, i1, i64, memref<i64>) -> ()
    func.call @round(%n, %true, %k, %total) : (index, i1, i64, memref<i64>) -> ()
  }
  %v = memref.load %total[] : memref<i64>
  call @printI64(%v) : (i64) -> ()
  return
}

func.func private @add(%m: memref<4xi64>, %total: memref<i64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<4xi64>
  %t = memref.load %total[] : memref<i64>
  %three = arith.constant 3 : i64
  %u = arith.muli %t, %three : i64
  %w = arith.addi %u, %v : i64
  memref.store %w, %total[] : memref<i64>
  return
}

// CHECK-LABEL: func.func private @round(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: i1, %[[ARG2:.*]]: i64, %[[ARG3:.*]]: memref<i64>)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<4xi64>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<4xi64>
// CHECK:         %[[V1:.*]] = deallocation.own %[[ALLOC_0]] : memref<4xi64>
// CHECK:         call @fill(%[[ALLOC]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK:         call @fill(%[[ALLOC_0]], %[[ARG2]]) : (memref<4xi64>, i64) -> ()
// CHECK:         call @carried_argument(%[[ALLOC]], %[[ARG0]], %[[ARG1]], %[[ARG2]]) : (memref<4xi64>, index, i1, i64) -> ()
// CHECK:         call @add(%[[ALLOC]], %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         %[[V2:.*]]:4 = call @nested_choices(%[[ARG1]], %[[ARG1]], %[[ARG2]]) : (i1, i1, i64) -> (memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership)
// CHECK:         call @touch(%[[V2]]#0) : (memref<4xi64>) -> ()
// CHECK:         call @add(%[[V2]]#1, %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         deallocation.retain() of(%[[V2]]#2) : (!deallocation.ownership) -> ()
// CHECK:         deallocation.retain() of(%[[V2]]#3) : (!deallocation.ownership) -> ()
// CHECK:         %[[V3:.*]]:6 = call @same_buffer_three_times(%[[ARG0]], %[[ARG2]]) : (index, i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
// CHECK:         call @touch(%[[V3]]#0) : (memref<4xi64>) -> ()
// CHECK:         call @touch(%[[V3]]#1) : (memref<4xi64>) -> ()
// CHECK:         call @add(%[[V3]]#2, %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         deallocation.retain() of(%[[V3]]#5) : (!deallocation.ownership) -> ()
// CHECK:         call @add(%[[V3]]#1, %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         deallocation.retain() of(%[[V3]]#3) : (!deallocation.ownership) -> ()
// CHECK:         deallocation.retain() of(%[[V3]]#4) : (!deallocation.ownership) -> ()
// CHECK:         call @if_without_else(%[[ARG1]], %[[ARG2]]) : (i1, i64) -> ()
// CHECK:         call @yields_outer_twice(%[[ARG0]], %[[ARG2]]) : (index, i64) -> ()
// CHECK:         call @yields_view(%[[ARG0]], %[[ALLOC]], %[[ARG2]]) : (index, memref<4xi64>, i64) -> ()
// CHECK:         call @add(%[[ALLOC]], %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         call @in_parallel_loop(%[[ARG0]], %[[ARG2]]) : (index, i64) -> ()
// CHECK:         call @alloca(%[[ARG0]], %[[ARG2]]) : (index, i64) -> ()
// CHECK:         call @expanded(%[[ARG2]]) : (i64) -> ()
// CHECK:         %[[V4:.*]]:2 = call @calls_identity(%[[ALLOC]]) : (memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         call @add(%[[V4]]#0, %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         %[[V5:.*]]:2 = call @selects_argument(%[[ARG1]], %[[V4]]#0, %[[ALLOC_0]]) : (i1, memref<4xi64>, memref<4xi64>) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         call @touch(%[[V5]]#0) : (memref<4xi64>) -> ()
// CHECK:         deallocation.retain() of(%[[V4]]#1) : (!deallocation.ownership) -> ()
// CHECK:         deallocation.retain() of(%[[V5]]#1) : (!deallocation.ownership) -> ()
// CHECK:         call @add(%[[ALLOC_0]], %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         deallocation.retain() of(%[[V1]]) : (!deallocation.ownership) -> ()
// CHECK:         %[[V6:.*]]:2 = call @calls_with_own_buffer(%[[ARG1]], %[[ARG2]]) : (i1, i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         call @add(%[[V6]]#0, %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         deallocation.retain() of(%[[V6]]#1) : (!deallocation.ownership) -> ()
// CHECK:         %[[V7:.*]]:2 = call @calls_shuffle(%[[ARG2]], %[[ARG2]]) : (i64, i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         call @add(%[[V7]]#0, %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         deallocation.retain() of(%[[V7]]#1) : (!deallocation.ownership) -> ()
// CHECK:         %[[V8:.*]]:4 = call @calls_share(%[[ARG2]]) : (i64) -> (memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership)
// CHECK:         call @touch(%[[V8]]#0) : (memref<4xi64>) -> ()
// CHECK:         call @add(%[[V8]]#1, %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         deallocation.retain() of(%[[V8]]#2) : (!deallocation.ownership) -> ()
// CHECK:         deallocation.retain() of(%[[V8]]#3) : (!deallocation.ownership) -> ()
// CHECK:         %[[V9:.*]]:4 = call @returns_twice(%[[ARG2]]) : (i64) -> (memref<4xi64>, memref<4xi64>, !deallocation.ownership, !deallocation.ownership)
// CHECK:         call @touch(%[[V9]]#0) : (memref<4xi64>) -> ()
// CHECK:         call @add(%[[V9]]#1, %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         deallocation.retain() of(%[[V9]]#2) : (!deallocation.ownership) -> ()
// CHECK:         deallocation.retain() of(%[[V9]]#3) : (!deallocation.ownership) -> ()
// CHECK:         call @used_in_one_branch(%[[ARG1]], %[[ARG2]]) : (i1, i64) -> ()
// CHECK:         call @freed_already(%[[ARG0]], %[[ARG2]]) : (index, i64) -> ()
// CHECK:         %[[V10:.*]]:2 = call @blocks(%[[ARG1]], %[[ALLOC]], %[[ARG2]]) : (i1, memref<4xi64>, i64) -> (memref<4xi64>, !deallocation.ownership)
// CHECK:         call @add(%[[V10]]#0, %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         deallocation.retain() of(%[[V10]]#1) : (!deallocation.ownership) -> ()
// CHECK:         call @index_switch(%[[ARG0]], %[[ALLOC]], %[[ARG2]]) : (index, memref<4xi64>, i64) -> ()
// CHECK:         call @add(%[[ALLOC]], %[[ARG3]]) : (memref<4xi64>, memref<i64>) -> ()
// CHECK:         deallocation.retain() of(%[[V0]]) : (!deallocation.ownership) -> ()
// CHECK:         return
func.func private @round(%n: index, %c: i1, %k: i64, %total: memref<i64>) {
  %c0 = arith.constant 0 : index
  %mine = memref.alloc() : memref<4xi64>
  %other = memref.alloc() : memref<4xi64>
  func.call @fill(%mine, %k) : (memref<4xi64>, i64) -> ()
  func.call @fill(%other, %k) : (memref<4xi64>, i64) -> ()
  func.call @carried_argument(%mine, %n, %c, %k) : (memref<4xi64>, index, i1, i64) -> ()
  func.call @add(%mine, %total) : (memref<4xi64>, memref<i64>) -> ()
  %nested:2 = func.call @nested_choices(%c, %c, %k) : (i1, i1, i64) -> (memref<4xi64>, memref<4xi64>)
  func.call @touch(%nested#0) : (memref<4xi64>) -> ()
  func.call @add(%nested#1, %total) : (memref<4xi64>, memref<i64>) -> ()
  %three:3 = func.call @same_buffer_three_times(%n, %k) : (index, i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>)
  func.call @touch(%three#0) : (memref<4xi64>) -> ()
  func.call @touch(%three#1) : (memref<4xi64>) -> ()
  func.call @add(%three#2, %total) : (memref<4xi64>, memref<i64>) -> ()
  func.call @add(%three#1, %total) : (memref<4xi64>, memref<i64>) -> ()
  func.call @if_without_else(%c, %k) : (i1, i64) -> ()
  func.call @yields_outer_twice(%n, %k) : (index, i64) -> ()
  func.call @yields_view(%n, %mine, %k) : (index, memref<4xi64>, i64) -> ()
  func.call @add(%mine, %total) : (memref<4xi64>, memref<i64>) -> ()
  func.call @in_parallel_loop(%n, %k) : (index, i64) -> ()
  func.call @alloca(%n, %k) : (index, i64) -> ()
  func.call @expanded(%k) : (i64) -> ()
  %same = func.call @calls_identity(%mine) : (memref<4xi64>) -> memref<4xi64>
  func.call @add(%same, %total) : (memref<4xi64>, memref<i64>) -> ()
  %selected = func.call @selects_argument(%c, %same, %other) : (i1, memref<4xi64>, memref<4xi64>) -> memref<4xi64>
  func.call @touch(%selected) : (memref<4xi64>) -> ()
  func.call @add(%other, %total) : (memref<4xi64>, memref<i64>) -> ()
  %own = func.call @calls_with_own_buffer(%c, %k) : (i1, i64) -> memref<4xi64>
  func.call @add(%own, %total) : (memref<4xi64>, memref<i64>) -> ()
  %shuffled = func.call @calls_shuffle(%k, %k) : (i64, i64) -> memref<4xi64>
  func.call @add(%shuffled, %total) : (memref<4xi64>, memref<i64>) -> ()
  %shared:2 = func.call @calls_share(%k) : (i64) -> (memref<4xi64>, memref<4xi64>)
  func.call @touch(%shared#0) : (memref<4xi64>) -> ()
  func.call @add(%shared#1, %total) : (memref<4xi64>, memref<i64>) -> ()
  %twice:2 = func.call @returns_twice(%k) : (i64) -> (memref<4xi64>, memref<4xi64>)
  func.call @touch(%twice#0) : (memref<4xi64>) -> ()
  func.call @add(%twice#1, %total) : (memref<4xi64>, memref<i64>) -> ()
  func.call @used_in_one_branch(%c, %k) : (i1, i64) -> ()
  func.call @freed_already(%n, %k) : (index, i64) -> ()
  %joined = func.call @blocks(%c, %mine, %k) : (i1, memref<4xi64>, i64) -> memref<4xi64>
  func.call @add(%joined, %total) : (memref<4xi64>, memref<i64>) -> ()
  func.call @index_switch(%n, %mine, %k) : (index, memref<4xi64>, i64) -> ()
  func.call @add(%mine, %total) : (memref<4xi64>, memref<i64>) -> ()
  return
}
