// Constants and comparisons of CHLO, floats of eight bits with three of exponent, and complex cubic roots.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold opt --emit-bytecode < %s | freehold run - | FileCheck %s

// CHECK: result #0: 2xf32 = [1.0, 2.0]
// CHECK-NEXT: result #1: 2xf32 = [3.0, 3.0]
// CHECK-NEXT: result #2: 2xui8 = [4, 4]
// CHECK-NEXT: result #3: 2xi1 = [true, false]
// CHECK-NEXT: result #4: 2xi1 = [false, true]
// CHECK-NEXT: result #5: 4xf32 = [1.125, 15.5, inf, 0.0]
// CHECK-NEXT: result #6: f32 = {{2.0|1.99999|2.00000}}
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<2xui8>, tensor<2xi1>, tensor<2xi1>, tensor<4xf32>, tensor<f32>) {
  %a = chlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = "chlo.constant_like"(%a) {value = 3.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  %c = "chlo.constant_like"(%a) {value = 4 : ui8} : (tensor<2xf32>) -> tensor<2xui8>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %d = "chlo.broadcast_compare"(%a, %one) {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  %e = "chlo.broadcast_compare"(%a, %one) {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GT>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xi1>
  %wide = stablehlo.constant dense<[1.1, 15.6, 17.0, 0.001]> : tensor<4xf32>
  %narrow = stablehlo.convert %wide : (tensor<4xf32>) -> tensor<4xf8E3M4>
  %f = stablehlo.convert %narrow : (tensor<4xf8E3M4>) -> tensor<4xf32>
  // The cubic root of a complex number is the one with the least angle.
  %eight = stablehlo.constant dense<(8.0, 0.0)> : tensor<complex<f32>>
  %root = stablehlo.cbrt %eight : tensor<complex<f32>>
  %g = stablehlo.real %root : (tensor<complex<f32>>) -> tensor<f32>
  return %a, %b, %c, %d, %e, %f, %g : tensor<2xf32>, tensor<2xf32>, tensor<2xui8>, tensor<2xi1>, tensor<2xi1>, tensor<4xf32>, tensor<f32>
}
