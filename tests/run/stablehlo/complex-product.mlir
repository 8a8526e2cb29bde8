// A product of complex matrices is four of floats, batched or not; a small one is computed as it is.
//
// RUN: freehold run - -O0 < %s | FileCheck %s
// RUN: freehold run - -O3 < %s | FileCheck %s
// RUN: freehold run - -O3 --fp=contract --vector-bits=512 < %s | FileCheck %s

// CHECK: #0: 4xcomplex<f32> = [(-880.0, -576.0), (-456.0, -32.0), (1880.0, -1296.0), (-1024.0, -168.0)]
// CHECK: #1: 2x1x1xcomplex<f64>
// CHECK-NEXT: (-456.0, -32.0)
// CHECK: (-456.0, -32.0)
// CHECK: #2: 1x1xcomplex<f32>
// CHECK-NEXT: (461568.0, 109376.0)
func.func @main() -> (tensor<4xcomplex<f32>>, tensor<2x1x1xcomplex<f64>>, tensor<1x1xcomplex<f32>>) {
  %i = stablehlo.iota dim = 0 : tensor<16x16xf32>
  %j = stablehlo.iota dim = 1 : tensor<16x16xf32>
  %three = stablehlo.constant dense<3.0> : tensor<16x16xf32>
  %eight = stablehlo.constant dense<8.0> : tensor<16x16xf32>
  %j3 = stablehlo.subtract %j, %three : tensor<16x16xf32>
  %j8 = stablehlo.subtract %j, %eight : tensor<16x16xf32>
  %ij = stablehlo.subtract %i, %j : tensor<16x16xf32>
  %a = stablehlo.complex %i, %j3 : tensor<16x16xcomplex<f32>>
  %b = stablehlo.complex %j8, %ij : tensor<16x16xcomplex<f32>>
  %c = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x16xcomplex<f32>>, tensor<16x16xcomplex<f32>>) -> tensor<16x16xcomplex<f32>>
  %c00 = stablehlo.slice %c [0:1, 0:1] : (tensor<16x16xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  %c57 = stablehlo.slice %c [5:6, 7:8] : (tensor<16x16xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  %cff = stablehlo.slice %c [15:16, 15:16] : (tensor<16x16xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  %c32 = stablehlo.slice %c [3:4, 2:3] : (tensor<16x16xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  %four = stablehlo.concatenate %c00, %c57, %cff, %c32, dim = 0 : (tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>) -> tensor<4x1xcomplex<f32>>
  %list = stablehlo.reshape %four : (tensor<4x1xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  // Two at once, the right factor transposed.
  %wide = stablehlo.convert %a : (tensor<16x16xcomplex<f32>>) -> tensor<16x16xcomplex<f64>>
  %other = stablehlo.convert %b : (tensor<16x16xcomplex<f32>>) -> tensor<16x16xcomplex<f64>>
  %as = stablehlo.broadcast_in_dim %wide, dims = [1, 2] : (tensor<16x16xcomplex<f64>>) -> tensor<2x16x16xcomplex<f64>>
  %bs = stablehlo.broadcast_in_dim %other, dims = [2, 1] : (tensor<16x16xcomplex<f64>>) -> tensor<2x16x16xcomplex<f64>>
  %cs = stablehlo.dot_general %as, %bs, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x16x16xcomplex<f64>>, tensor<2x16x16xcomplex<f64>>) -> tensor<2x16x16xcomplex<f64>>
  %both = stablehlo.slice %cs [0:2, 5:6, 7:8] : (tensor<2x16x16xcomplex<f64>>) -> tensor<2x1x1xcomplex<f64>>
  %small = stablehlo.dot_general %c57, %c32, contracting_dims = [1] x [0] : (tensor<1x1xcomplex<f32>>, tensor<1x1xcomplex<f32>>) -> tensor<1x1xcomplex<f32>>
  return %list, %both, %small : tensor<4xcomplex<f32>>, tensor<2x1x1xcomplex<f64>>, tensor<1x1xcomplex<f32>>
}
