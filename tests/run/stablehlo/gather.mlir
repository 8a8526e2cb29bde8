// What gathers compute.

// RUN: freehold run - --check=accesses < %s | FileCheck %s
// RUN: freehold run - -O0 < %s | FileCheck %s

// CHECK: result #0: 4x4xi32
// CHECK-NEXT: {{\[\[}}20, 21, 22, 23],
// CHECK-NEXT: [0, 1, 2, 3],
// CHECK-NEXT: [0, 1, 2, 3],
// CHECK-NEXT: [20, 21, 22, 23]]
// CHECK: result #1: 2x3xi32
// CHECK-NEXT: {{\[\[}}10, 12, 22],
// CHECK-NEXT: [11, 13, 23]]
// CHECK: result #2: 3xi32 = [3, 11, 22]
// CHECK: result #3: 4xi32 = [10, 11, 12, 13]
// CHECK: result #4: 2x3xi32
// CHECK-NEXT: {{\[\[}}21, 22, 23],
// CHECK-NEXT: [0, 1, 2]]
// CHECK: result #5: 3x2xi32
// CHECK-NEXT: {{\[\[}}3, 0],
// CHECK-NEXT: [11, 11],
// CHECK-NEXT: [20, 22]]
// CHECK: result #6: 3x2xi32
// CHECK-NEXT: {{\[\[}}3, 1],
// CHECK-NEXT: [13, 11],
// CHECK-NEXT: [23, 21]]

func.func private @operand() -> tensor<3x4xi32> attributes {passthrough = ["noinline"]} {
  %0 = stablehlo.constant dense<[[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23]]> : tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// Rows; what is outside is clamped.
func.func private @rows() -> tensor<4x4xi32> {
  %a = call @operand() : () -> tensor<3x4xi32>
  %i = stablehlo.constant dense<[[2], [0], [-5], [7]]> : tensor<4x1xi64>
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xi32>, tensor<4x1xi64>) -> tensor<4x4xi32>
  return %0 : tensor<4x4xi32>
}

// Windows are moved until they are inside; their dimension comes first in the result.
func.func private @windows() -> tensor<2x3xi32> {
  %a = call @operand() : () -> tensor<3x4xi32>
  %i = stablehlo.constant dense<[[1, 1, 9], [0, 3, 2]]> : tensor<2x3xi32>
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 0>,
    slice_sizes = array<i64: 1, 2>}> : (tensor<3x4xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// An element of each row, by indices without sign: the first is the largest number, and clamped to the last column.
func.func private @batches() -> tensor<3xi32> {
  %a = call @operand() : () -> tensor<3x4xi32>
  %i = stablehlo.constant dense<[18446744073709551615, 1, 2]> : tensor<3xui64>
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 1>}> : (tensor<3x4xi32>, tensor<3xui64>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// One index, which has no dimension.
func.func private @single() -> tensor<4xi32> {
  %a = call @operand() : () -> tensor<3x4xi32>
  %i = stablehlo.constant dense<1> : tensor<i8>
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>,
    slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xi32>, tensor<i8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

func.func private @sizes() -> tensor<2xi32> attributes {passthrough = ["noinline"]} {
  %0 = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  return %0 : tensor<2xi32>
}

// Sizes of slices that are known when it runs.
func.func private @dynamic() -> tensor<2x?xi32> {
  %a = call @operand() : () -> tensor<3x4xi32>
  %i = stablehlo.constant dense<[[2, 4], [0, 0]]> : tensor<2x2xi32>
  %sizes = call @sizes() : () -> tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %sizes) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>}>
    : (tensor<3x4xi32>, tensor<2x2xi32>, tensor<2xi32>) -> tensor<2x?xi32>
  return %0 : tensor<2x?xi32>
}

// Rows of each batch, by their numbers.
func.func private @select() -> tensor<3x2xi32> {
  %a = call @operand() : () -> tensor<3x4xi32>
  %i = stablehlo.constant dense<[[3, 0], [1, 1], [0, 2]]> : tensor<3x2xi32>
  %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = 1 : i64, batch_dims = 1 : i64}>
    : (tensor<3x4xi32>, tensor<3x2xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

// Columns.
func.func private @columns() -> tensor<3x2xi32> {
  %a = call @operand() : () -> tensor<3x4xi32>
  %i = stablehlo.constant dense<[3, 1]> : tensor<2xi32>
  %0 = "stablehlo.torch_index_select"(%a, %i) <{dim = 1 : i64, batch_dims = 0 : i64}>
    : (tensor<3x4xi32>, tensor<2xi32>) -> tensor<3x2xi32>
  return %0 : tensor<3x2xi32>
}

func.func @main() -> (tensor<4x4xi32>, tensor<2x3xi32>, tensor<3xi32>, tensor<4xi32>, tensor<2x?xi32>, tensor<3x2xi32>, tensor<3x2xi32>) {
  %0 = call @rows() : () -> tensor<4x4xi32>
  %1 = call @windows() : () -> tensor<2x3xi32>
  %2 = call @batches() : () -> tensor<3xi32>
  %3 = call @single() : () -> tensor<4xi32>
  %4 = call @dynamic() : () -> tensor<2x?xi32>
  %5 = call @select() : () -> tensor<3x2xi32>
  %6 = call @columns() : () -> tensor<3x2xi32>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<4x4xi32>, tensor<2x3xi32>, tensor<3xi32>, tensor<4xi32>, tensor<2x?xi32>, tensor<3x2xi32>, tensor<3x2xi32>
}
