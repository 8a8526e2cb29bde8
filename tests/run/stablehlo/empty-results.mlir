// A window that fits nowhere, and a kernel larger than what it moves over: results of no elements.
// RUN: freehold run - < %s | FileCheck %s

func.func @main() -> (tensor<0x2xui16>, tensor<1x0x1xf32>) {
  %x = stablehlo.constant dense<7> : tensor<1x2xui16>
  %zero = stablehlo.constant dense<0> : tensor<ui16>
  // CHECK: result #0: 0x2xui16 = []
  %0 = "stablehlo.reduce_window"(%x, %zero) ({
  ^bb0(%a: tensor<ui16>, %b: tensor<ui16>):
    %sum = stablehlo.add %a, %b : tensor<ui16>
    stablehlo.return %sum : tensor<ui16>
  }) {window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>} : (tensor<1x2xui16>, tensor<ui16>) -> tensor<0x2xui16>
  // CHECK: result #1: 1x0x1xf32 = []
  %image = stablehlo.constant dense<1.0> : tensor<1x2x1xf32>
  %kernel = stablehlo.constant dense<1.0> : tensor<3x1x1xf32>
  %1 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x2x1xf32>, tensor<3x1x1xf32>) -> tensor<1x0x1xf32>
  return %0, %1 : tensor<0x2xui16>, tensor<1x0x1xf32>
}
