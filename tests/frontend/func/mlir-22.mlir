// Functions and calls that are not to be inlined: a property in MLIR 22.

// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s --mlir-version=22 --mlir-print-op-generic | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-version=22 --mlir-print-op-generic | FileCheck %s --check-prefix=NEW
// RUN: freehold opt %s --mlir-version=19 --mlir-print-op-generic | FileCheck %s --check-prefix=OLD

// CHECK: func.func private @f() attributes {no_inline}
// NEW: "func.func"() <{function_type = () -> (), no_inline, sym_name = "f", sym_visibility = "private"}>
// OLD: }) {no_inline} : () -> ()
func.func private @f() attributes {no_inline}

func.func @g() {
  // CHECK: call @f() {no_inline} : () -> ()
  // NEW: "func.call"() <{callee = @f, no_inline}> : () -> ()
  // OLD: "func.call"() <{callee = @f}> {no_inline} : () -> ()
  call @f() {no_inline} : () -> ()
  return
}
