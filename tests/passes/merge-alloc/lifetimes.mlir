// RUN: freehold opt %s --merge-alloc="analysis-only" --allow-unregistered-dialect | FileCheck %s

// Which scope an allocation belongs to, and the first and last tick of its lifetime.

// CHECK-LABEL: func.func @basic
// CHECK-SAME:    attributes {__mergealloc_scope = 0 : i64}
func.func @basic(%n: index, %zero: index, %one: index, %cond: i1) -> memref<8x64xf32> {
  // Returned: it cannot be followed.
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, -2, -2>}
  %b = memref.alloc() : memref<8x64xf32>
  // Used again after the next one died.
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 6, 8>}
  %c = memref.alloc() : memref<8x64xf32>
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 7, 7>}
  %d = memref.alloc() : memref<8x64xf32>
  "x.use"(%b) : (memref<8x64xf32>) -> ()
  "x.use"(%c) : (memref<8x64xf32>) -> ()
  "x.use"(%d) : (memref<8x64xf32>) -> ()
  "x.use"(%c) : (memref<8x64xf32>) -> ()
  // Used in a loop, allocated outside: live through all of it.
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 11, 16>}
  %e = memref.alloc() : memref<8x64xf32>
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 11, 16>}
  %f = memref.alloc() : memref<8x64xf32>
  scf.for %i = %zero to %n step %one {
    "x.use"(%e) : (memref<8x64xf32>) -> ()
    // Allocated in the loop: a new one each time.
    // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 14, 14>}
    %g = memref.alloc() : memref<8x64xf32>
    "x.use"(%g) : (memref<8x64xf32>) -> ()
    "x.use"(%f) : (memref<8x64xf32>) -> ()
  }
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 18, 31>}
  %h = memref.alloc() : memref<8x64xf32>
  scf.forall (%i) in (4) {
    // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 1, 28, 28>}
    %k = memref.alloc() : memref<8x64xf32>
    // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 1, 21, 21>}
    %l = memref.alloc() : memref<8x64xf32>
    "x.use"(%l) : (memref<8x64xf32>) -> ()
    "x.use"(%h) : (memref<8x64xf32>) -> ()
    scf.if %cond {
      // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 1, 25, 25>}
      %j = memref.alloc() : memref<8x64xf32>
      "x.use"(%j) : (memref<8x64xf32>) -> ()
      "x.nothing"() : () -> ()
    } else {
      // Used in one branch only: not live in the other.
      "x.use"(%k) : (memref<8x64xf32>) -> ()
    }
    "x.use"(%h) : (memref<8x64xf32>) -> ()
  // CHECK: } {__mergealloc_scope = 1 : i64}
  }
  return %b : memref<8x64xf32>
}

func.func private @keep(index)

// Views of views count as accesses, asking for a size does not, an address that others get to know cannot
// be followed.
// CHECK-LABEL: func.func @views
func.func @views() {
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 6, 7>}
  %a = memref.alloc() : memref<8x64xf32>
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, -2, -2>}
  %b = memref.alloc() : memref<8x64xf32>
  %v = memref.subview %a[0, 0] [4, 64] [1, 1] : memref<8x64xf32> to memref<4x64xf32, strided<[64, 1]>>
  %w = memref.subview %v[0, 0] [2, 64] [1, 1] : memref<4x64xf32, strided<[64, 1]>> to memref<2x64xf32, strided<[64, 1]>>
  "x.use"(%a) : (memref<8x64xf32>) -> ()
  "x.use"(%w) : (memref<2x64xf32, strided<[64, 1]>>) -> ()
  %c = arith.constant 0 : index
  %d = memref.dim %a, %c : memref<8x64xf32>
  %p = memref.extract_aligned_pointer_as_index %b : memref<8x64xf32> -> index
  func.call @keep(%p) : (index) -> ()
  // Never accessed.
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, -1, -1>}
  %e = memref.alloc() : memref<4xf32>
  return
}

// Of two selected buffers, an access through the selection is one of both.
// CHECK-LABEL: func.func @select
func.func @select(%cond: i1) {
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 5, 5>}
  %a = memref.alloc() : memref<8x64xf32>
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 5, 6>}
  %b = memref.alloc() : memref<8x64xf32>
  %c = arith.select %cond, %a, %b : memref<8x64xf32>
  "x.use"(%c) : (memref<8x64xf32>) -> ()
  "x.use"(%b) : (memref<8x64xf32>) -> ()
  return
}

// Accesses through memrefs of unknown rank and through calls.
// CHECK-LABEL: func.func @unranked_and_calls
func.func @unranked_and_calls() {
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 5, 7>}
  %a = memref.alloc() : memref<4xf32>
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 6, 6>}
  %b = memref.alloc() : memref<4xf32>
  %r = func.call @same(%u) : (memref<*xf32>) -> memref<*xf32>
  "x.use"(%b) : (memref<4xf32>) -> ()
  "x.use"(%r) : (memref<*xf32>) -> ()
  return
}

func.func private @same(memref<*xf32>) -> memref<*xf32>

// A branch yields one of two buffers.
// CHECK-LABEL: func.func @yield_of_if
func.func @yield_of_if(%cond: i1) {
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 6, 12>}
  %f = memref.alloc() : memref<8x64xf32>
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 7, 13>}
  %g = memref.alloc() : memref<8x64xf32>
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 11, 13>}
  %h = memref.alloc() : memref<8x64xf32>
  %r = scf.if %cond -> (memref<8x64xf32>) {
    "x.use"(%f) : (memref<8x64xf32>) -> ()
    scf.yield %g : memref<8x64xf32>
  } else {
    // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 9, 9>}
    %j = memref.alloc() : memref<8x64xf32>
    "x.use"(%j) : (memref<8x64xf32>) -> ()
    "x.nothing"() : () -> ()
    scf.yield %h : memref<8x64xf32>
  }
  "x.use"(%f) : (memref<8x64xf32>) -> ()
  "x.use"(%r) : (memref<8x64xf32>) -> ()
  return
}

// Two buffers change places in each iteration: both live through the whole loop.
// CHECK-LABEL: func.func @swap
func.func @swap(%n: index, %zero: index, %one: index) {
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 4, 6>}
  %a = memref.alloc() : memref<4xf32>
  // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, 4, 6>}
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    "x.use"(%x) : (memref<4xf32>) -> ()
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  return
}

// What an iteration hands to the next one cannot be followed.
// CHECK-LABEL: func.func @replaced
func.func @replaced(%n: index, %zero: index, %one: index, %a: memref<4xf32>) {
  %r = scf.for %i = %zero to %n step %one iter_args(%x = %a) -> (memref<4xf32>) {
    // CHECK: memref.alloc() {__mergealloc_lifetime = array<i64: 0, -2, -2>}
    %b = memref.alloc() : memref<4xf32>
    "x.use"(%x, %b) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %b : memref<4xf32>
  }
  return
}
