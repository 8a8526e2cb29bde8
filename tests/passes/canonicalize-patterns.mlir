// A name of a pattern that is none here is a warning: upstream has others, and takes any name.

// RUN: freehold opt %s --canonicalize="disable-patterns=NoSuch" 2>&1 | FileCheck %s
// RUN: freehold opt %s --canonicalize="enable-patterns=NoSuch region-simplify=aggressive" 2>&1 | FileCheck %s

// CHECK: warning: there is no canonicalization pattern 'NoSuch'
// CHECK-LABEL: func.func @f
// CHECK-NEXT:    return %arg0
func.func @f(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %b = arith.addi %a, %zero : i32
  return %b : i32
}
