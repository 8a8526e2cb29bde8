// An assertion has one condition.
//
// RUN: not freehold run %s 2>&1 | FileCheck %s

// CHECK: 7:3: error: 'stablehlo.custom_call' op is not lowered: its condition is no scalar
func.func @main(%c: tensor<4xi1>) {
  stablehlo.custom_call @shape_assertion(%c) {error_message = "no", has_side_effect = true} : (tensor<4xi1>) -> ()
  return
}
