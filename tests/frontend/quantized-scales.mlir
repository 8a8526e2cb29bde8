// Scales are the same numbers however they are written.
// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt --stablehlo-legalize-to-vhlo --vhlo-legalize-to-stablehlo %s | FileCheck %s

// CHECK: func.func @whole(%arg0: tensor<2x!quant.uniform<i8:f32, 3.400000e+01:16>>)
// CHECK: stablehlo.uniform_dequantize %arg0 : (tensor<2x!quant.uniform<i8:f32, 3.400000e+01:16>>)
func.func @whole(%arg0: tensor<2x!quant.uniform<i8:f32, 34.0:16>>) -> tensor<2xf32> {
  %0 = stablehlo.uniform_dequantize %arg0 : (tensor<2x!quant.uniform<i8:f32, 3.400000e+01:16>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK: func.func @by_axis(%arg0: tensor<2x!quant.uniform<i8<-127:127>:f32:0, {1.000000e-01:-3,2.500000e+00}>>)
func.func @by_axis(%arg0: tensor<2x!quant.uniform<i8<-127:127>:f32:0, {0.1:-3,2.5e0}>>) -> tensor<2xf32> {
  %0 = stablehlo.uniform_dequantize %arg0 : (tensor<2x!quant.uniform<i8<-127:127>:f32:0, {1.0E-1:-3,25.0e-1}>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
