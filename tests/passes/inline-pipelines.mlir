// RUN: freehold opt %s --inline="op-pipelines=func.func(canonicalize,cse)" | FileCheck %s
// RUN: freehold opt %s --inline="default-pipeline=canonicalize,cse" | FileCheck %s
// RUN: freehold opt %s --inline="default-pipeline=canonicalize,cse op-pipelines=func.func()" | FileCheck %s --check-prefix=ASIS
// RUN: freehold opt %s --inline="default-pipeline=canonicalize,cse op-pipelines=llvm.func(cse)" | FileCheck %s
// RUN: not freehold opt %s --inline="op-pipelines=func.func(other)" 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: 'func.func(other)' value invalid for option op-pipelines: expected func.func(...), with canonicalize, cse and sccp in the parentheses

// The callee is simplified before it is inlined.
// CHECK-LABEL: func.func @caller
// CHECK-NEXT:    %[[C:.*]] = arith.constant 3 : i32
// CHECK-NEXT:    %[[S:.*]] = arith.addi %arg0, %[[C]]
// CHECK-NEXT:    arith.muli %[[S]], %[[S]]
// ASIS-LABEL:  func.func @caller
// ASIS-COUNT-3:  arith.addi
func.func private @callee(%x: i32) -> i32 {
  %c = arith.constant 1 : i32
  %d = arith.constant 2 : i32
  %e = arith.addi %c, %d : i32
  %y = arith.addi %x, %e : i32
  %z = arith.addi %x, %e : i32
  %w = arith.muli %y, %z : i32
  return %w : i32
}

func.func @caller(%x: i32) -> i32 {
  %y = call @callee(%x) : (i32) -> i32
  return %y : i32
}
