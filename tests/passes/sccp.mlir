// RUN: freehold opt %s --sccp | FileCheck %s

// Only one branch is taken.
// CHECK-LABEL: func.func @branch
// CHECK:         %[[C:.*]] = arith.constant 1 : i32
// CHECK:         return %[[C]]
func.func @branch(%x: i32) -> i32 {
  %true = arith.constant true
  %c1 = arith.constant 1 : i32
  %r = scf.if %true -> i32 {
    scf.yield %c1 : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}

// Round a loop of blocks: the argument is the same number in each iteration.
// CHECK-LABEL: func.func @blocks
// CHECK:       ^bb1(%{{.*}}: i32):
// CHECK:         call @use(%{{c7.*}})
func.func @blocks(%c: i1) {
  %c7 = arith.constant 7 : i32
  %c0 = arith.constant 0 : i32
  cf.br ^head(%c7 : i32)
^head(%a: i32):
  func.call @use(%a) : (i32) -> ()
  %b = arith.addi %a, %c0 : i32
  cf.cond_br %c, ^head(%b : i32), ^end
^end:
  return
}

// Different numbers from two sides.
// CHECK-LABEL: func.func @merge
// CHECK:       ^bb{{.*}}(%[[A:.*]]: i32):
// CHECK:         return %[[A]]
func.func @merge(%c: i1) -> i32 {
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  cf.cond_br %c, ^end(%c1 : i32), ^end(%c2 : i32)
^end(%a: i32):
  return %a : i32
}

// Into a private function and back.
// CHECK-LABEL: func.func private @twice
// CHECK:         %[[C6:.*]] = arith.constant 6 : i32
// CHECK:         return %[[C6]]
func.func private @twice(%x: i32) -> i32 {
  %0 = arith.addi %x, %x : i32
  return %0 : i32
}
// CHECK-LABEL: func.func @caller
// CHECK:         return %{{c6.*}}
func.func @caller() -> i32 {
  %c3 = arith.constant 3 : i32
  %0 = func.call @twice(%c3) : (i32) -> i32
  return %0 : i32
}
func.func private @use(i32)
