// RUN: freehold opt %s --canonicalize | FileCheck %s

// Constants fold, are shared and stand at the beginning.
// CHECK-LABEL: func.func @fold
// CHECK-NEXT:    %[[C:.*]] = arith.constant 7 : i32
// CHECK-NEXT:    return %[[C]], %[[C]]
func.func @fold() -> (i32, i32) {
  %a = arith.constant 3 : i32
  %b = arith.constant 4 : i32
  %c = arith.addi %a, %b : i32
  %d = arith.constant 7 : i32
  return %c, %d : i32, i32
}

// Unreachable blocks and block arguments that nobody needs go.
// CHECK-LABEL: func.func @blocks
// CHECK-NOT:     ^bb
// CHECK:         return %arg0
func.func @blocks(%x: i32) -> i32 {
  cf.br ^bb1(%x, %x : i32, i32)
^bb1(%a: i32, %unused: i32):
  return %a : i32
^bb2:
  cf.br ^bb2
}

// A loop whose only purpose is to carry a value round loses it.
// CHECK-LABEL: func.func @dead_loop_value
// CHECK:       ^bb1(%{{.*}}: i32):
func.func private @more(i32) -> i1
func.func @dead_loop_value(%x: i32, %one: i32) {
  cf.br ^bb1(%x, %x : i32, i32)
^bb1(%i: i32, %carried: i32):
  %next = arith.addi %carried, %one : i32
  %j = arith.addi %i, %one : i32
  %c = call @more(%i) : (i32) -> i1
  cf.cond_br %c, ^bb1(%j, %next : i32, i32), ^bb2
^bb2:
  return
}
