// Without a file of declarations there is nothing to do; tests/run/declared has files.
// RUN: freehold opt %s --convert-declared-to-calls | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    return
func.func @f() {
  return
}
