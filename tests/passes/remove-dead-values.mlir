// RUN: freehold opt %s --remove-dead-values | FileCheck %s

// An argument and a result that nobody needs.
// CHECK-LABEL: func.func private @callee(%arg0: i32) -> i32 {
// CHECK-NEXT:    %[[S:.*]] = arith.addi %arg0, %arg0
// CHECK-NEXT:    return %[[S]] : i32
func.func private @callee(%x: i32, %u: i32) -> (i32, i32) {
  %0 = arith.addi %x, %x : i32
  return %0, %u : i32, i32
}

// CHECK-LABEL: func.func @caller
// CHECK:         %[[R:.*]] = call @callee(%arg1) : (i32) -> i32
// CHECK:         %[[L:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %arg1) -> (i32)
// CHECK-NEXT:      %[[N:.*]] = arith.addi %[[A]], %arg1
// CHECK-NEXT:      scf.yield %[[N]] : i32
// CHECK:         %[[I:.*]] = scf.if %arg0 -> (i32)
// CHECK:         cf.br ^bb1(%arg1 : i32)
// CHECK:       ^bb1(%{{.*}}: i32):
func.func @caller(%c: i1, %x: i32, %y: i32, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = func.call @callee(%x, %y) : (i32, i32) -> (i32, i32)
  %l:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> (i32, i32) {
    %s = arith.addi %a, %x : i32
    %t = arith.addi %b, %x : i32
    scf.yield %s, %t : i32, i32
  }
  %i:2 = scf.if %c -> (i32, i32) {
    scf.yield %x, %y : i32, i32
  } else {
    scf.yield %y, %x : i32, i32
  }
  cf.br ^b(%x, %y : i32, i32)
^b(%p: i32, %q: i32):
  %z = arith.addi %r#0, %l#0 : i32
  %z1 = arith.addi %z, %i#0 : i32
  %z2 = arith.addi %z1, %p : i32
  return %z2 : i32
}

// What goes round a while loop and feeds only itself.
// CHECK-LABEL: func.func @while
// CHECK:         scf.while (%[[A:.*]] = %arg0) : (i32) -> i32
// CHECK:           scf.condition(%{{.*}}) %[[A]] : i32
func.func @while(%x: i32, %y: i32) -> i32 {
  %c9 = arith.constant 9 : i32
  %r:2 = scf.while (%a = %x, %b = %y) : (i32, i32) -> (i32, i32) {
    %c = arith.cmpi slt, %a, %c9 : i32
    scf.condition(%c) %a, %b : i32, i32
  } do {
  ^bb0(%a: i32, %b: i32):
    %s = arith.addi %a, %c9 : i32
    %t = arith.muli %b, %b : i32
    scf.yield %s, %t : i32, i32
  }
  return %r#0 : i32
}

// Effects stay, with all that they need; public functions keep what they take.
// CHECK-LABEL: func.func @effects(%arg0: i32, %arg1: i32, %arg2: memref<i32>)
// CHECK:         scf.for
// CHECK-NEXT:      memref.store %arg0, %arg2[]
func.func @effects(%x: i32, %unused: i32, %m: memref<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %x) -> i32 {
    memref.store %x, %m[] : memref<i32>
    %b = arith.addi %a, %a : i32
    scf.yield %b : i32
  }
  return
}
