// RUN: freehold opt %s --sccp | FileCheck %s

// The case that is taken, whatever sign it is written with. Upstream takes all cases for possible.
// CHECK-LABEL: func.func @switch
// CHECK:         return %{{c5.*}}
func.func @switch(%x: i32) -> i32 {
  %flag = arith.constant -1 : i8
  %c5 = arith.constant 5 : i32
  cf.switch %flag : i8, [
    default: ^end(%x : i32),
    255: ^end(%c5 : i32)
  ]
^end(%a: i32):
  return %a : i32
}
