// Each part of a file is a program of its own, and messages name lines of the file.

// RUN: freehold run %s --split-input-file --entry-point-result=i32 | FileCheck %s
// RUN: not freehold run %s --split-input-file -e second 2>&1 | FileCheck %s --check-prefix=SECOND

// CHECK: 1
// SECOND: entry point 'second' not found
func.func @main() -> i32 {
  %0 = arith.constant 1 : i32
  return %0 : i32
}

// -----

// CHECK-NEXT: 2
// SECOND: run-split-input-file.mlir:[[#@LINE+1]]:{{[0-9]+}}: error: assertion failed: here
func.func @second() { %f = arith.constant false cf.assert %f, "here" return }
func.func @main() -> i32 {
  %0 = arith.constant 2 : i32
  return %0 : i32
}
