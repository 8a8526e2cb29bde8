// The order of the bits of floats: negative ones come behind positive ones.
//
// RUN: freehold run - < %s | FileCheck %s

// CHECK: result #0: 4xf32 = [0.5, 1.0, -0.5, -1.0]
func.func @main() -> tensor<4xf32> {
  %a = stablehlo.constant dense<[1.0, -1.0, 0.5, -0.5]> : tensor<4xf32>
  %sorted = "stablehlo.sort"(%a) ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %bx = stablehlo.bitcast_convert %x : (tensor<f32>) -> tensor<ui32>
    %by = stablehlo.bitcast_convert %y : (tensor<f32>) -> tensor<ui32>
    %less = stablehlo.compare LT, %bx, %by, UNSIGNED : (tensor<ui32>, tensor<ui32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) {dimension = 0 : i64, is_stable = true} : (tensor<4xf32>) -> tensor<4xf32>
  return %sorted : tensor<4xf32>
}
