// Constants and comparisons of CHLO, and floats of eight bits with three of exponent.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold opt --emit-bytecode < %s | freehold run - | FileCheck %s

// CHECK: result #0: 2xf32 = [1.0, 2.0]
// CHECK-NEXT: result #1: 2xf32 = [3.0, 3.0]
// CHECK-NEXT: result #2: 2xui8 = [4, 4]
// CHECK-NEXT: result #3: 2xi1 = [true, false]
// CHECK-NEXT: result #4: 2xi1 = [false, true]
// CHECK-NEXT: result #5: 4xf32 = [1.125, 15.5, inf, 0.0]
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xui8>, tensor<2xi1>, tensor<2xi1>, tensor<4xf32>) {
  %a = chlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = "chlo.constant_like"(%a) {value = 3.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  %c = "chlo.constant_like"(%a) {value = 4 : ui8} : (tensor<2xf32>) -> tensor<2xui8>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %d = "chlo.broadcast_compare"(%a, %one) {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  %e = "chlo.broadcast_compare"(%a, %one) {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GT>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  %wide = stablehlo.constant dense<[1.1, 15.6, 17.0, 0.001]> : tensor<4xf32>
  %narrow = stablehlo.convert %wide : (tensor<4xf32>) -> tensor<4xf8E3M4>
  %f = stablehlo.convert %narrow : (tensor<4xf8E3M4>) -> tensor<4xf32>
  return %a, %b, %c, %d, %e, %f : tensor<2xf32>, tensor<2xf32>, tensor<2xui8>, tensor<2xi1>, tensor<2xi1>, tensor<4xf32>
}
