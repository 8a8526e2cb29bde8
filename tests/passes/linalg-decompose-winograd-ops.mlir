// The transforms of Winograd's convolution as products with matrices.
//
// RUN: freehold opt %s --linalg-decompose-winograd-ops | FileCheck %s
// RUN: not freehold opt %S/inputs/winograd-integers.mlir --linalg-decompose-winograd-ops 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: error: 'linalg.winograd_filter_transform' op cannot be decomposed: its elements are no floats

// CHECK-LABEL: func.func @filter
// CHECK: %[[G:.*]] = arith.constant dense<{{\[\[}}-1.000000e+00, 0.000000e+00, 0.000000e+00], [5.000000e-01, -5.000000e-01, 5.000000e-01], [5.000000e-01, 5.000000e-01, 5.000000e-01], [0.000000e+00, 0.000000e+00, 1.000000e+00]]> : tensor<4x3xf32>
// CHECK: %[[HIGH:.*]] = linalg.generic {{.*}} ins(%[[G]], %arg0 : tensor<4x3xf32>, tensor<2x3x3x5xf32>) outs(%{{.*}} : tensor<4x3x5x2xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[HIGH]], %{{.*}} : tensor<4x3x5x2xf32>, tensor<3x4xf32>) outs(%{{.*}} : tensor<4x4x5x2xf32>)
func.func @filter(%f: tensor<2x3x3x5xf32>, %o: tensor<4x4x5x2xf32>) -> tensor<4x4x5x2xf32> {
  %0 = linalg.winograd_filter_transform fmr(F_2_3) ins(%f : tensor<2x3x3x5xf32>) outs(%o : tensor<4x4x5x2xf32>) -> tensor<4x4x5x2xf32>
  return %0 : tensor<4x4x5x2xf32>
}

// Tiles overlap: the next one begins where the results of the last one end.
// CHECK-LABEL: func.func @input
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %arg0 : tensor<6x6xf32>, tensor<?x?x1x3xf32>) outs(%{{.*}} : tensor<6x1x?x1x?x3xf32>)
func.func @input(%i: tensor<?x?x1x3xf32>, %o: tensor<6x1x?x1x?x3xf32>) -> tensor<6x1x?x1x?x3xf32> {
  %0 = linalg.winograd_input_transform fmr(F_4_3) ins(%i : tensor<?x?x1x3xf32>) outs(%o : tensor<6x1x?x1x?x3xf32>) -> tensor<6x1x?x1x?x3xf32>
  return %0 : tensor<6x1x?x1x?x3xf32>
}

// Results are scaled and added to the contents of the output.
// CHECK-LABEL: func.func @output
// CHECK: arith.constant 2.560000e+02 : f32
// CHECK: arith.mulf
// CHECK: tensor.collapse_shape %{{.*}} {{\[\[}}0], [1, 2], [3, 4], [5]] : tensor<1x2x2x2x2x3xf32> into tensor<1x4x4x3xf32>
func.func @output(%v: tensor<6x6x2x2x1x3xf32>, %o: tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = linalg.winograd_output_transform fmr(F_2_5) ins(%v : tensor<6x6x2x2x1x3xf32>) outs(%o : tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
  return %0 : tensor<1x4x4x3xf32>
}
