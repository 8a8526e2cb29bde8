// Products of any dimension numbers, and convolutions.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

func.func @main() -> (tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<1x2x2x1xf32>, tensor<1x5x5x1xf32>, tensor<1x2x2x4xf32>, tensor<f32>, tensor<1x2x2x1xf32>) {
  %n = stablehlo.iota dim = 0 : tensor<12xf32>
  %a = stablehlo.reshape %n : (tensor<12xf32>) -> tensor<2x3x2xf32>
  %b = stablehlo.reshape %n : (tensor<12xf32>) -> tensor<2x2x3xf32>
  // Batches stand last in the first factor and first in the second one.
  %0 = stablehlo.dot_general %a, %b, batching_dims = [2] x [0], contracting_dims = [1] x [2] : (tensor<2x3x2xf32>, tensor<2x2x3xf32>) -> tensor<2x2x2xf32>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1, 0] x [2, 0] : (tensor<2x3x2xf32>, tensor<2x2x3xf32>) -> tensor<2x2xf32>
  %bytes = stablehlo.constant dense<[[100, -100], [3, 4]]> : tensor<2x2xi8>
  %2 = stablehlo.dot_general %bytes, %bytes, contracting_dims = [1] x [0] : (tensor<2x2xi8>, tensor<2x2xi8>) -> tensor<2x2xi32>
  %m = stablehlo.iota dim = 0 : tensor<9xf32>
  %image = stablehlo.reshape %m : (tensor<9xf32>) -> tensor<1x3x3x1xf32>
  %k = stablehlo.iota dim = 0 : tensor<4xf32>
  %kernel = stablehlo.reshape %k : (tensor<4xf32>) -> tensor<2x2x1x1xf32>
  %3 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x1xf32>
  // As the gradient of a convolution with stride 2 has it.
  %4 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[0, 1], [1, 0]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [true, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x5x5x1xf32>
  %c = stablehlo.reshape %b : (tensor<2x2x3xf32>) -> tensor<1x2x3x2xf32>
  %l = stablehlo.iota dim = 3 : tensor<1x2x1x4xf32>
  %5 = stablehlo.convolution(%c, %l) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x2x3x2xf32>, tensor<1x2x1x4xf32>) -> tensor<1x2x2x4xf32>
  %6 = stablehlo.dot_general %m, %m, contracting_dims = [0] x [0] : (tensor<9xf32>, tensor<9xf32>) -> tensor<f32>
  %7 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[-1, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x3x3x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x2x2x1xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<2x2x2xf32>, tensor<2x2xf32>, tensor<2x2xi32>, tensor<1x2x2x1xf32>, tensor<1x5x5x1xf32>, tensor<1x2x2x4xf32>, tensor<f32>, tensor<1x2x2x1xf32>
}

// CHECK:      result #0: 2x2x2xf32
// CHECK-NEXT: {{\[\[\[}}10.0, 28.0],
// CHECK-NEXT:   [28.0, 100.0]],
// CHECK-EMPTY:
// CHECK-NEXT:  {{\[\[}}67.0, 94.0],
// CHECK-NEXT:   [193.0, 274.0]]]
// CHECK-NEXT: result #1: 2x2xf32
// CHECK-NEXT: {{\[\[}}182.0, 272.0],
// CHECK-NEXT:  [206.0, 314.0]]
// CHECK-NEXT: result #2: 2x2xi32
// CHECK-NEXT: {{\[\[}}9700, -10400],
// CHECK-NEXT:  [312, -284]]
// CHECK-NEXT: result #3: 1x2x2x1xf32
// CHECK-NEXT: {{\[\[\[}}[19.0],
// CHECK-NEXT:    [25.0]],
// CHECK-EMPTY:
// CHECK-NEXT:   {{\[\[}}37.0],
// CHECK-NEXT:    [43.0]]]]
// CHECK-NEXT: result #4: 1x5x5x1xf32
// CHECK-NEXT: {{\[\[\[}}[0.0],
// CHECK-NEXT:    [0.0],
// CHECK-NEXT:    [2.0],
// CHECK-NEXT:    [3.0],
// CHECK-NEXT:    [4.0]],
// CHECK-EMPTY:
// CHECK-NEXT:   {{\[\[}}0.0],
// CHECK-NEXT:    [3.0],
// CHECK-NEXT:    [0.0],
// CHECK-NEXT:    [4.0],
// CHECK-NEXT:    [0.0]],
// CHECK-EMPTY:
// CHECK-NEXT:   {{\[\[}}6.0],
// CHECK-NEXT:    [9.0],
// CHECK-NEXT:    [8.0],
// CHECK-NEXT:    [12.0],
// CHECK-NEXT:    [10.0]],
// CHECK-EMPTY:
// CHECK-NEXT:   {{\[\[}}0.0],
// CHECK-NEXT:    [6.0],
// CHECK-NEXT:    [0.0],
// CHECK-NEXT:    [7.0],
// CHECK-NEXT:    [0.0]],
// CHECK-EMPTY:
// CHECK-NEXT:   {{\[\[}}12.0],
// CHECK-NEXT:    [18.0],
// CHECK-NEXT:    [14.0],
// CHECK-NEXT:    [21.0],
// CHECK-NEXT:    [16.0]]]]
// CHECK-NEXT: result #5: 1x2x2x4xf32
// CHECK-NEXT: {{\[\[\[}}[0.0, 2.0, 8.0, 12.0],
// CHECK-NEXT:    [0.0, 6.0, 16.0, 24.0]],
// CHECK-EMPTY:
// CHECK-NEXT:   {{\[\[}}0.0, 14.0, 32.0, 48.0],
// CHECK-NEXT:    [0.0, 18.0, 40.0, 60.0]]]]
// CHECK-NEXT: result #6: f32 = 204.0
// CHECK-NEXT: result #7: 1x2x2x1xf32
// CHECK-NEXT: {{\[\[\[}}[37.0],
// CHECK-NEXT:    [43.0]],
// CHECK-EMPTY:
// CHECK-NEXT:   {{\[\[}}7.0],
// CHECK-NEXT:    [8.0]]]]
