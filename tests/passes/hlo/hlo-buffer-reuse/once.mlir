// Small buffers that a call of the function allocates at most once need no heap, in choices and in
// loops that only move them round, whatever owns them.
//
// RUN: freehold opt %s --hlo-buffer-reuse --allow-unregistered-dialect --split-input-file \
// RUN:   | FileCheck %s --implicit-check-not="memref.alloc(" --implicit-check-not=memref.dealloc

// Of four buffers in two branches, two are of one type.
// CHECK-LABEL: func.func @branches(
// CHECK-COUNT-3: memref.alloca()
// CHECK-NOT:     memref.alloca()
// CHECK:         scf.if
func.func @branches(%c: i1) {
  scf.if %c {
    %a = memref.alloc() : memref<4xi16>
    %b = memref.alloc() : memref<i64>
    "test.use"(%a, %b) : (memref<4xi16>, memref<i64>) -> ()
    memref.dealloc %b : memref<i64>
    memref.dealloc %a : memref<4xi16>
  } else {
    %a = memref.alloc() : memref<i64>
    %b = memref.alloc() : memref<5xi16>
    "test.use"(%a, %b) : (memref<i64>, memref<5xi16>) -> ()
    memref.dealloc %b : memref<5xi16>
    memref.dealloc %a : memref<i64>
  }
  return
}

// -----

// One after the other, in a choice in a choice.
// CHECK-LABEL: func.func @one_branch(
// CHECK:         %[[A:.*]] = memref.alloca() : memref<3xi8>
// CHECK-NEXT:    scf.if
// CHECK:           "test.use"(%[[A]])
// CHECK-NEXT:      "test.use"(%[[A]])
func.func @one_branch(%c: i1, %d: i1) {
  scf.if %c {
    scf.if %d {
      %a = memref.alloc() : memref<3xi8>
      "test.use"(%a) : (memref<3xi8>) -> ()
      memref.dealloc %a : memref<3xi8>
      %b = memref.alloc() : memref<3xi8>
      "test.use"(%b) : (memref<3xi8>) -> ()
      memref.dealloc %b : memref<3xi8>
    }
  }
  return
}

// -----

// Three buffers go round with their owners.
// CHECK-LABEL: func.func @moved_round(
// CHECK-COUNT-3: memref.alloca()
// CHECK:         scf.while
func.func @moved_round() {
  %a = memref.alloc() : memref<i8>
  %b = memref.alloc() : memref<i8>
  %c = memref.alloc() : memref<i8>
  %oa = deallocation.own %a : memref<i8>
  %ob = deallocation.own %b : memref<i8>
  %oc = deallocation.own %c : memref<i8>
  %r:6 = scf.while (%x = %a, %ox = %oa, %y = %b, %oy = %ob, %z = %c, %oz = %oc)
      : (memref<i8>, !deallocation.ownership, memref<i8>, !deallocation.ownership, memref<i8>, !deallocation.ownership)
      -> (memref<i8>, !deallocation.ownership, memref<i8>, !deallocation.ownership, memref<i8>, !deallocation.ownership) {
    %go = "test.go"(%x) : (memref<i8>) -> i1
    scf.condition(%go) %y, %oy, %z, %oz, %x, %ox
        : memref<i8>, !deallocation.ownership, memref<i8>, !deallocation.ownership, memref<i8>, !deallocation.ownership
  } do {
  ^bb0(%x: memref<i8>, %ox: !deallocation.ownership, %y: memref<i8>, %oy: !deallocation.ownership, %z: memref<i8>, %oz: !deallocation.ownership):
    scf.yield %y, %oy, %x, %ox, %z, %oz
        : memref<i8>, !deallocation.ownership, memref<i8>, !deallocation.ownership, memref<i8>, !deallocation.ownership
  }
  memref.dealloc %r#4 : memref<i8>
  memref.dealloc %r#0 : memref<i8>
  memref.dealloc %r#2 : memref<i8>
  return
}

// -----

// The first region makes a new one each time, the second one hands it on.
// CHECK-LABEL: func.func @passed_through(
// CHECK:         memref.alloca()
// CHECK-NEXT:    deallocation.null
// CHECK-NEXT:    scf.while
func.func @passed_through() {
  %a = memref.alloc() : memref<2xi8>
  %oa = deallocation.own %a : memref<2xi8>
  %r:2 = scf.while (%x = %a, %ox = %oa) : (memref<2xi8>, !deallocation.ownership) -> (memref<2xi8>, !deallocation.ownership) {
    %go = "test.go"() : () -> i1
    memref.dealloc %x : memref<2xi8>
    %n = memref.alloc() : memref<2xi8>
    %on = deallocation.own %n : memref<2xi8>
    scf.condition(%go) %n, %on : memref<2xi8>, !deallocation.ownership
  } do {
  ^bb0(%x: memref<2xi8>, %ox: !deallocation.ownership):
    scf.yield %x, %ox : memref<2xi8>, !deallocation.ownership
  }
  memref.dealloc %r#0 : memref<2xi8>
  return
}

// -----

// Both regions make a new one each time.
// CHECK-LABEL: func.func @always_new(
// CHECK:         memref.alloca()
// CHECK-NEXT:    scf.while
// CHECK-NOT:     memref.alloca()
func.func @always_new() {
  %a = memref.alloc() : memref<2xi8>
  %r = scf.while (%x = %a) : (memref<2xi8>) -> (memref<2xi8>) {
    %go = "test.go"() : () -> i1
    memref.dealloc %x : memref<2xi8>
    %n = memref.alloc() : memref<2xi8>
    scf.condition(%go) %n : memref<2xi8>
  } do {
  ^bb0(%x: memref<2xi8>):
    memref.dealloc %x : memref<2xi8>
    %n = memref.alloc() : memref<2xi8>
    scf.yield %n : memref<2xi8>
  }
  memref.dealloc %r : memref<2xi8>
  return
}

// -----

// Results that are used before they are freed: all are freed after the last use of any.
// CHECK-LABEL: func.func @used_behind(
// CHECK-COUNT-2: memref.alloca()
// CHECK:         %[[R:.*]]:2 = scf.for
// CHECK:         "test.use"(%[[R]]#0)
// CHECK:         memref.load %[[R]]#1
func.func @used_behind(%n: index) -> i8 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi8>
  %b = memref.alloc() : memref<2xi8>
  "test.use"(%a, %b) : (memref<2xi8>, memref<2xi8>) -> ()
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<2xi8>, memref<2xi8>) {
    scf.yield %y, %x : memref<2xi8>, memref<2xi8>
  }
  "test.use"(%r#0) : (memref<2xi8>) -> ()
  memref.dealloc %r#0 : memref<2xi8>
  %v = memref.load %r#1[%c0] : memref<2xi8>
  memref.dealloc %r#1 : memref<2xi8>
  return %v : i8
}
