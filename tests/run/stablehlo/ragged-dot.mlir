// Products of groups of rows, of parts of a sum, and of batches; what is in no group is zero.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - -O0 --check < %s | FileCheck %s

// Rows 0 and 1 belong to the first matrix, row 2 to the third; row 3 to none.
// CHECK: result #0: 4x1xf32
// CHECK-NEXT: {{\[\[}}3.0],
// CHECK-NEXT: [7.0],
// CHECK-NEXT: [1100.0],
// CHECK-NEXT: [0.0]]
func.func private @rows() -> tensor<4x1xf32> {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %y = stablehlo.constant dense<[[[1.0], [1.0]], [[10.0], [10.0]], [[100.0], [100.0]]]> : tensor<3x2x1xf32>
  %n = stablehlo.constant dense<[2, 0, 1]> : tensor<3xi64>
  %0 = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<4x2xf32>, tensor<3x2x1xf32>, tensor<3xi64>) -> tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// Each group is a part of the sum, of either batch its own.
// CHECK: result #1: 2x2x1x1xi32
// CHECK-NEXT: {{\[\[\[\[}}1]],
// CHECK: {{\[\[}}15]]],
// CHECK: {{\[\[\[}}5]],
// CHECK: {{\[\[}}0]]]]
func.func private @sums() -> tensor<2x2x1x1xi32> {
  %x = stablehlo.constant dense<[[[1, 2, 3]], [[4, 5, 6]]]> : tensor<2x1x3xi32>
  %y = stablehlo.constant dense<1> : tensor<2x3x1xi32>
  %n = stablehlo.constant dense<[[1, 2], [3, 7]]> : tensor<2x2xi32>
  %0 = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = []>} : (tensor<2x1x3xi32>, tensor<2x3x1xi32>, tensor<2x2xi32>) -> tensor<2x2x1x1xi32>
  return %0 : tensor<2x2x1x1xi32>
}

// The last batch is in no group.
// CHECK: result #2: 3x1x1xf16
// CHECK-NEXT: {{\[\[\[}}2.0]],
// CHECK: {{\[\[}}6.0]],
// CHECK: {{\[\[}}0.0]]]
func.func private @batches() -> tensor<3x1x1xf16> {
  %x = stablehlo.constant dense<[[[1.0]], [[2.0]], [[3.0]]]> : tensor<3x1x1xf16>
  %y = stablehlo.constant dense<[[[2.0]], [[3.0]], [[4.0]]]> : tensor<3x1x1xf16>
  %n = stablehlo.constant dense<[1, 1]> : tensor<2xui32>
  %0 = "chlo.ragged_dot"(%x, %y, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = []>} : (tensor<3x1x1xf16>, tensor<3x1x1xf16>, tensor<2xui32>) -> tensor<3x1x1xf16>
  return %0 : tensor<3x1x1xf16>
}

func.func @main() -> (tensor<4x1xf32>, tensor<2x2x1x1xi32>, tensor<3x1x1xf16>) {
  %0 = call @rows() : () -> tensor<4x1xf32>
  %1 = call @sums() : () -> tensor<2x2x1x1xi32>
  %2 = call @batches() : () -> tensor<3x1x1xf16>
  return %0, %1, %2 : tensor<4x1xf32>, tensor<2x2x1x1xi32>, tensor<3x1x1xf16>
}
