// Without positions there is no comma behind them: jaxlib prints one, and does not read it.
//
// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s | freehold opt - | FileCheck %s

// CHECK: stablehlo.dynamic_slice %arg0, sizes = [] : (tensor<f32>) -> tensor<f32>
// CHECK: stablehlo.dynamic_slice %arg0, sizes = [] : (tensor<f32>) -> tensor<f32>
func.func @f(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %0 = stablehlo.dynamic_slice %x, , sizes = [] : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.dynamic_slice"(%x) {slice_sizes = array<i64>} : (tensor<f32>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}
