// An argument that an operation does not have is not left out, which would call the function with others.
//
// RUN: not freehold run %s --irdl-file=%S/missing-argument.irdl 2>&1 | FileCheck %s
//
// CHECK: missing-argument.mlir:8:3: error: 'c.say' op has no operand or attribute 'form', which 'dprintf' takes
func.func @main() {
  %out = arith.constant 1 : i32
  "c.say"(%out) : (i32) -> ()
  return
}
