// RUN: freehold opt %s --stablehlo-legalize-quant-to-math | FileCheck %s

// Functions and their calls are those of integers.
// CHECK-LABEL: func.func @sum(
// CHECK-SAME:      %[[A:.*]]: tensor<4xi8>) -> tensor<4xi8>
// CHECK:         stablehlo.convert
// CHECK:         stablehlo.round_nearest_even
// CHECK:         call @same(%{{.*}}) : (tensor<4xi8>) -> tensor<4xi8>
func.func @sum(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  %0 = stablehlo.add %a, %a : tensor<4x!quant.uniform<i8:f32, 0.5>>
  %1 = call @same(%0) : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return %1 : tensor<4x!quant.uniform<i8:f32, 0.5>>
}

// CHECK-LABEL: func.func private @same(
func.func private @same(%a: tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4x!quant.uniform<i8:f32, 0.5>> {
  return %a : tensor<4x!quant.uniform<i8:f32, 0.5>>
}
