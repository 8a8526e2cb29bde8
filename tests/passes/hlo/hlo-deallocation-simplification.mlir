// RUN: freehold opt %s --hlo-deallocation-simplification --allow-unregistered-dialect \
// RUN:   | FileCheck %s --implicit-check-not=deallocation.retain --implicit-check-not=memref.dealloc

func.func private @use(memref<2xi32>)

// The owner is at hand, and so is its buffer.
// CHECK-LABEL: func.func @straight(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<2xi32>
// CHECK:         call @use(%[[ALLOC]]) : (memref<2xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<2xi32>
// CHECK:         return
func.func @straight() {
  %a = memref.alloc() : memref<2xi32>
  %o = deallocation.own %a : memref<2xi32>
  call @use(%a) : (memref<2xi32>) -> ()
  deallocation.retain() of(%o) : (!deallocation.ownership) -> ()
  return
}

// Nothing to retain from.
// CHECK-LABEL: func.func @no_owners(
// CHECK-SAME:  %[[ARG0:.*]]: memref<2xi32>) -> (memref<2xi32>, !deallocation.ownership)
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         return %[[ARG0]], %[[V0]] : memref<2xi32>, !deallocation.ownership
func.func @no_owners(%a: memref<2xi32>) -> (memref<2xi32>, !deallocation.ownership) {
  %o = deallocation.retain(%a) of() : (memref<2xi32>) -> !deallocation.ownership
  return %a, %o : memref<2xi32>, !deallocation.ownership
}

// An owner goes through a loop unchanged: the buffer beside it is freed, and
// nobody asks for the owner any more.
// CHECK-LABEL: func.func @through_loop(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<2xi32>
// CHECK:         %[[V1:.*]]:2 = scf.for %[[ARG1:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} iter_args(%[[ARG2:.*]] = %[[ALLOC]], %[[ARG3:.*]] = %[[V0]]) -> (memref<2xi32>, !deallocation.ownership) {
// CHECK:           func.call @use(%[[ARG2]]) : (memref<2xi32>) -> ()
// CHECK:           scf.yield %[[ARG2]], %[[ARG3]] : memref<2xi32>, !deallocation.ownership
// CHECK:         memref.dealloc %[[V1]]#0 : memref<2xi32>
// CHECK:         return
func.func @through_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi32>
  %o = deallocation.own %a : memref<2xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a, %p = %o) -> (memref<2xi32>, !deallocation.ownership) {
    func.call @use(%b) : (memref<2xi32>) -> ()
    scf.yield %b, %p : memref<2xi32>, !deallocation.ownership
  }
  deallocation.retain() of(%r#1) : (!deallocation.ownership) -> ()
  return
}

// Each iteration frees what it replaces.
// CHECK-LABEL: func.func @replaced_in_loop(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<2xi32>
// CHECK:         %[[V1:.*]]:2 = scf.for %[[ARG1:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} iter_args(%[[ARG2:.*]] = %[[ALLOC]], %[[ARG3:.*]] = %[[V0]]) -> (memref<2xi32>, !deallocation.ownership) {
// CHECK:           %[[ALLOC_0:.*]] = memref.alloc() : memref<2xi32>
// CHECK:           memref.dealloc %[[ARG2]] : memref<2xi32>
// CHECK:           scf.yield %[[ALLOC_0]], %[[V0]] : memref<2xi32>, !deallocation.ownership
// CHECK:         memref.dealloc %[[V1]]#0 : memref<2xi32>
// CHECK:         return
func.func @replaced_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi32>
  %o = deallocation.own %a : memref<2xi32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a, %p = %o) -> (memref<2xi32>, !deallocation.ownership) {
    %d = memref.alloc() : memref<2xi32>
    %q = deallocation.own %d : memref<2xi32>
    deallocation.retain() of(%p) : (!deallocation.ownership) -> ()
    scf.yield %d, %q : memref<2xi32>, !deallocation.ownership
  }
  deallocation.retain() of(%r#1) : (!deallocation.ownership) -> ()
  return
}

// The same, but the first buffer is the caller's: that the owner may be null
// stays.
// CHECK-LABEL: func.func @argument_in_loop(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: memref<2xi32>)
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         %[[V1:.*]]:2 = scf.for %[[ARG2:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} iter_args(%[[ARG3:.*]] = %[[ARG1]], %[[ARG4:.*]] = %[[V0]]) -> (memref<2xi32>, !deallocation.ownership) {
// CHECK:           %[[ALLOC:.*]] = memref.alloc() : memref<2xi32>
// CHECK:           %[[V2:.*]] = deallocation.own %[[ALLOC]] : memref<2xi32>
// CHECK:           deallocation.retain() of(%[[ARG4]]) : (!deallocation.ownership) -> ()
// CHECK:           scf.yield %[[ALLOC]], %[[V2]] : memref<2xi32>, !deallocation.ownership
// CHECK:         deallocation.retain() of(%[[V1]]#1) : (!deallocation.ownership) -> ()
// CHECK:         return
func.func @argument_in_loop(%n: index, %a: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = deallocation.null
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a, %p = %o) -> (memref<2xi32>, !deallocation.ownership) {
    %d = memref.alloc() : memref<2xi32>
    %q = deallocation.own %d : memref<2xi32>
    deallocation.retain() of(%p) : (!deallocation.ownership) -> ()
    scf.yield %d, %q : memref<2xi32>, !deallocation.ownership
  }
  deallocation.retain() of(%r#1) : (!deallocation.ownership) -> ()
  return
}

// Three owners change places with their buffers.
// CHECK-LABEL: func.func @permuted(
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<2xi32>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<2xi32>
// CHECK:         %[[ALLOC_1:.*]] = memref.alloc() : memref<2xi32>
// CHECK:         %[[V1:.*]]:6 = scf.while (%[[ARG0:.*]] = %[[ALLOC]], %[[ARG1:.*]] = %[[ALLOC_0]], %[[ARG2:.*]] = %[[ALLOC_1]], %[[ARG3:.*]] = %[[V0]], %[[ARG4:.*]] = %[[V0]], %[[ARG5:.*]] = %[[V0]]) : (memref<2xi32>, memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership) -> (memref<2xi32>, memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership) {
// CHECK:           %[[V2:.*]] = "test.condition"() : () -> i1
// CHECK:           scf.condition(%[[V2]]) %[[ARG1]], %[[ARG0]], %[[ARG2]], %[[ARG4]], %[[ARG3]], %[[ARG5]] : memref<2xi32>, memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership
// CHECK:         } do {
// CHECK:         ^bb0(%[[ARG0:.*]]: memref<2xi32>, %[[ARG1:.*]]: memref<2xi32>, %[[ARG2:.*]]: memref<2xi32>, %[[ARG3:.*]]: !deallocation.ownership, %[[ARG4:.*]]: !deallocation.ownership, %[[ARG5:.*]]: !deallocation.ownership):
// CHECK:           scf.yield %[[ARG2]], %[[ARG1]], %[[ARG0]], %[[ARG5]], %[[ARG4]], %[[ARG3]] : memref<2xi32>, memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership
// CHECK:         call @use(%[[V1]]#0) : (memref<2xi32>) -> ()
// CHECK:         memref.dealloc %[[V1]]#0 : memref<2xi32>
// CHECK:         memref.dealloc %[[V1]]#1 : memref<2xi32>
// CHECK:         memref.dealloc %[[V1]]#2 : memref<2xi32>
// CHECK:         return
func.func @permuted() {
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  %c = memref.alloc() : memref<2xi32>
  %oa = deallocation.own %a : memref<2xi32>
  %ob = deallocation.own %b : memref<2xi32>
  %oc = deallocation.own %c : memref<2xi32>
  %r:6 = scf.while (%x = %a, %y = %b, %z = %c, %ox = %oa, %oy = %ob, %oz = %oc) : (memref<2xi32>, memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership) -> (memref<2xi32>, memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership) {
    %go = "test.condition"() : () -> i1
    scf.condition(%go) %y, %x, %z, %oy, %ox, %oz : memref<2xi32>, memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership
  } do {
  ^bb0(%x: memref<2xi32>, %y: memref<2xi32>, %z: memref<2xi32>, %ox: !deallocation.ownership, %oy: !deallocation.ownership, %oz: !deallocation.ownership):
    scf.yield %z, %y, %x, %oz, %oy, %ox : memref<2xi32>, memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership
  }
  call @use(%r#0) : (memref<2xi32>) -> ()
  deallocation.retain() of(%r#3) : (!deallocation.ownership) -> ()
  deallocation.retain() of(%r#4) : (!deallocation.ownership) -> ()
  deallocation.retain() of(%r#5) : (!deallocation.ownership) -> ()
  return
}

// The buffers change places but the owners do not: which buffer an owner is
// of, the position does not tell, so nothing is freed by it.
// CHECK-LABEL: func.func @out_of_step(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<2xi32>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<2xi32>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<2xi32>
// CHECK:         %[[V1:.*]] = deallocation.own %[[ALLOC_0]] : memref<2xi32>
// CHECK:         %[[V2:.*]]:4 = scf.for %[[ARG1:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} iter_args(%[[ARG2:.*]] = %[[ALLOC]], %[[ARG3:.*]] = %[[ALLOC_0]], %[[ARG4:.*]] = %[[V0]], %[[ARG5:.*]] = %[[V1]]) -> (memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership) {
// CHECK:           scf.yield %[[ARG3]], %[[ARG2]], %[[ARG4]], %[[ARG5]] : memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership
// CHECK:         deallocation.retain() of(%[[V2]]#2) : (!deallocation.ownership) -> ()
// CHECK:         deallocation.retain() of(%[[V2]]#3) : (!deallocation.ownership) -> ()
// CHECK:         return
func.func @out_of_step(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  %oa = deallocation.own %a : memref<2xi32>
  %ob = deallocation.own %b : memref<2xi32>
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %ox = %oa, %oy = %ob) -> (memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership) {
    scf.yield %y, %x, %ox, %oy : memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership
  }
  deallocation.retain() of(%r#2) : (!deallocation.ownership) -> ()
  deallocation.retain() of(%r#3) : (!deallocation.ownership) -> ()
  return
}

// Nulls change places for ever.
// CHECK-LABEL: func.func @nulls(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: memref<2xi32>, %[[ARG2:.*]]: memref<2xi32>)
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         %[[V1:.*]]:4 = scf.for %[[ARG3:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} iter_args(%[[ARG4:.*]] = %[[ARG1]], %[[ARG5:.*]] = %[[ARG2]], %[[ARG6:.*]] = %[[V0]], %[[ARG7:.*]] = %[[V0]]) -> (memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership) {
// CHECK:           scf.yield %[[ARG5]], %[[ARG4]], %[[V0]], %[[V0]] : memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership
// CHECK:         return
func.func @nulls(%n: index, %a: memref<2xi32>, %b: memref<2xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = deallocation.null
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b, %ox = %o, %oy = %o) -> (memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership) {
    %px = deallocation.retain(%x) of(%ox) : (memref<2xi32>, !deallocation.ownership) -> !deallocation.ownership
    deallocation.retain() of(%oy) : (!deallocation.ownership) -> ()
    scf.yield %y, %x, %px, %o : memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership
  }
  deallocation.retain() of(%r#2, %r#3) : (!deallocation.ownership, !deallocation.ownership) -> ()
  return
}

// A view of the buffer has its owner; the other one is freed.
// CHECK-LABEL: func.func @view(
// CHECK-SAME:  %[[ARG0:.*]]: !deallocation.ownership) -> (memref<1xi32, strided<[1], offset: 1>>, !deallocation.ownership)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<2xi32>
// CHECK:         %[[V0:.*]] = deallocation.own %[[ALLOC]] : memref<2xi32>
// CHECK:         deallocation.retain() of(%[[ARG0]]) : (!deallocation.ownership) -> ()
// CHECK:         return %{{[^ ,)]*}}, %[[V0]] : memref<1xi32, strided<[1], offset: 1>>, !deallocation.ownership
func.func @view(%p: !deallocation.ownership) -> (memref<1xi32, strided<[1], offset: 1>>, !deallocation.ownership) {
  %a = memref.alloc() : memref<2xi32>
  %o = deallocation.own %a : memref<2xi32>
  %v = memref.subview %a[1] [1] [1] : memref<2xi32> to memref<1xi32, strided<[1], offset: 1>>
  %k = deallocation.retain(%v) of(%p, %o) : (memref<1xi32, strided<[1], offset: 1>>, !deallocation.ownership, !deallocation.ownership) -> !deallocation.ownership
  return %v, %k : memref<1xi32, strided<[1], offset: 1>>, !deallocation.ownership
}
