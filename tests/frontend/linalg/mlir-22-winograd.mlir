// The transforms of Winograd's convolution, which linalg has from MLIR 22 on.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @filter
func.func @filter(%a: tensor<2x3x3x5xf32>, %o: tensor<6x6x5x2xf32>, %b: tensor<2x5x1x5xf16>, %p: tensor<6x1x5x2xf16>) {
  // CHECK: linalg.winograd_filter_transform fmr(F_4_3) ins(%{{[^ ]+}} : tensor<2x3x3x5xf32>) outs(%{{[^ ]+}} : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%a : tensor<2x3x3x5xf32>) outs(%o : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  // CHECK: linalg.winograd_filter_transform {x = 1 : i32} fmr(F_2_5) ins(%{{[^ ]+}} : tensor<2x5x1x5xf16>)
  %1 = linalg.winograd_filter_transform {x = 1 : i32} fmr(F_2_5) ins(%b : tensor<2x5x1x5xf16>) outs(%p : tensor<6x1x5x2xf16>) -> tensor<6x1x5x2xf16>
  return
}

// CHECK-LABEL: func.func @input
func.func @input(%a: tensor<2x11x10x5xf32>, %o: tensor<6x6x2x2x2x5xf32>, %b: tensor<2x?x10x?xf32>, %p: tensor<6x1x?x10x2x?xf32>) {
  // CHECK: linalg.winograd_input_transform fmr(F_4_3) ins(%{{[^ ]+}} : tensor<2x11x10x5xf32>) outs(%{{[^ ]+}} : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  %0 = linalg.winograd_input_transform fmr(F_4_3) ins(%a : tensor<2x11x10x5xf32>) outs(%o : tensor<6x6x2x2x2x5xf32>) -> tensor<6x6x2x2x2x5xf32>
  // CHECK: linalg.winograd_input_transform fmr(F_4_3) ins(%{{[^ ]+}} : tensor<2x?x10x?xf32>)
  %1 = linalg.winograd_input_transform fmr(F_4_3) ins(%b : tensor<2x?x10x?xf32>) outs(%p : tensor<6x1x?x10x2x?xf32>) -> tensor<6x1x?x10x2x?xf32>
  return
}

// CHECK-LABEL: func.func @output
func.func @output(%a: tensor<4x4x2x3x2x5xf32>, %o: tensor<2x4x6x5xf32>) {
  // CHECK: linalg.winograd_output_transform fmr(F_2_3) ins(%{{[^ ]+}} : tensor<4x4x2x3x2x5xf32>) outs(%{{[^ ]+}} : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  %0 = linalg.winograd_output_transform fmr(F_2_3) ins(%a : tensor<4x4x2x3x2x5xf32>) outs(%o : tensor<2x4x6x5xf32>) -> tensor<2x4x6x5xf32>
  return
}
