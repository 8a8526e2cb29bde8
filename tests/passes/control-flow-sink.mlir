// RUN: freehold opt %s --control-flow-sink | FileCheck %s

// Each operation moves into the only branch that needs it, what it needs before it.
// CHECK-LABEL: func.func @branches
// CHECK-NEXT:    %[[R:.*]] = scf.if %arg0 -> (i32) {
// CHECK-NEXT:      %[[A:.*]] = arith.addi %arg1, %arg2
// CHECK-NEXT:      %[[D:.*]] = arith.divsi %arg1, %arg2
// CHECK-NEXT:      %[[B:.*]] = arith.muli %[[A]], %arg2
// CHECK-NEXT:      %[[Q:.*]] = arith.addi %[[B]], %[[D]]
// CHECK-NEXT:      scf.yield %[[Q]]
func.func @branches(%c: i1, %x: i32, %y: i32) -> i32 {
  %a = arith.addi %x, %y : i32
  %b = arith.muli %a, %y : i32
  %d = arith.divsi %x, %y : i32
  %r = scf.if %c -> i32 {
    %q = arith.addi %b, %d : i32
    scf.yield %q : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}

// Needed in both branches, or a read: it stays. A loop may run often.
// CHECK-LABEL: func.func @kept
// CHECK-NEXT:    arith.addi
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    arith.muli
// CHECK:         scf.if
func.func @kept(%c: i1, %x: i32, %m: memref<i32>, %n: index) {
  %a = arith.addi %x, %x : i32
  %v = memref.load %m[] : memref<i32>
  %p = arith.muli %x, %x : i32
  scf.if %c {
    memref.store %a, %m[] : memref<i32>
    memref.store %v, %m[] : memref<i32>
  } else {
    memref.store %a, %m[] : memref<i32>
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %p, %m[] : memref<i32>
  }
  return
}
