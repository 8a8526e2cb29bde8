// RUN: freehold opt %s --canonicalize --opt-bisect-limit=1 --opt-bisect-rewrites=1 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: freehold opt %s --canonicalize --opt-bisect-limit=1 --opt-bisect-rewrites=0 2>&1 | FileCheck %s --check-prefix=NONE

// Of the last pass, as many rewrites as were asked for.
//
// ONE: BISECT: running pass (1) canonicalize
// ONE-NEXT: BISECT: 1 rewrites, the last one: fold of 'arith.addi' at {{[0-9]+}}:{{[0-9]+}}
// ONE: arith.muli
// NONE: BISECT: 0 rewrites
// NONE: arith.addi
// NONE: arith.muli
func.func @main(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = arith.addi %x, %zero : i32
  %b = arith.muli %a, %one : i32
  return %b : i32
}
