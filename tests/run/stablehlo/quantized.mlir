// Quantized tensors are integers with a scale and a zero; operations on them are those on floats in between.
//
// RUN: freehold run - < %s | FileCheck %s

// CHECK: result #0: 4xf32 = [0.0, 1.0, 2.0, 63.5]
// CHECK-NEXT: result #1: 4xf32 = [0.0, 2.0, 4.0, 63.5]
// CHECK-NEXT: result #2: 2x2xf32
// CHECK-NEXT: {{\[\[}}0.0, 1.0]
// CHECK-NEXT: [2.0, 63.5]
// CHECK-NEXT: result #3: 2x2xf32
// CHECK-NEXT: {{\[\[}}1.5, -2.0]
// CHECK-NEXT: [99.0, 0.25]
// CHECK-NEXT: result #4: 2xi1 = [true, false]
func.func @main() -> (tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi1>) {
  %a = stablehlo.constant dense<[0.1, 1.2, 1.75, 100.0]> : tensor<4xf32>
  %q = stablehlo.uniform_quantize %a : (tensor<4xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  %0 = stablehlo.uniform_dequantize %q : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
  // Sums saturate.
  %sum = stablehlo.add %q, %q : tensor<4x!quant.uniform<i8:f32, 0.5>>
  %1 = stablehlo.uniform_dequantize %sum : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<4xf32>
  %square = stablehlo.reshape %q : (tensor<4x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i8:f32, 0.5>>
  %2 = stablehlo.uniform_dequantize %square : (tensor<2x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2xf32>
  // A scale and a zero of each column.
  %b = stablehlo.constant dense<[[1.4, -2.1], [99.0, 0.3]]> : tensor<2x2xf32>
  %columns = stablehlo.uniform_quantize %b : (tensor<2x2xf32>) -> tensor<2x2x!quant.uniform<u8:f32:1, {0.5, 0.25:128}>>
  %3 = stablehlo.uniform_dequantize %columns : (tensor<2x2x!quant.uniform<u8:f32:1, {0.5, 0.25:128}>>) -> tensor<2x2xf32>
  // Formats without infinities have finite numbers all the same.
  %c = stablehlo.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %small = stablehlo.convert %c : (tensor<2xf32>) -> tensor<2xf8E4M3FN>
  %4 = stablehlo.is_finite %small : (tensor<2xf8E4M3FN>) -> tensor<2xi1>
  return %0, %1, %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2xi1>
}
