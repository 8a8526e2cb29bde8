// What scatters compute: the results are those of the reference interpreter, and of XLA where windows are partly outside.

// RUN: freehold run - --check=accesses < %s | FileCheck %s
// RUN: freehold run - -O0 < %s | FileCheck %s

// CHECK: result #0: 3x4xi32
// CHECK-NEXT: {{\[\[}}5, 6, 7, 8],
// CHECK-NEXT: [0, 0, 0, 0],
// CHECK-NEXT: [11, 22, 33, 44]]
// CHECK: result #1: 3x4xi32
// CHECK-NEXT: {{\[\[}}0, 0, 0, 0],
// CHECK-NEXT: [0, 0, 1, 2],
// CHECK-NEXT: [0, 0, 3, 4]]
// CHECK: result #2: 3x4xi32
// CHECK-NEXT: {{\[\[}}0, 0, 0, 7],
// CHECK-NEXT: [0, 0, 0, 0],
// CHECK-NEXT: [0, 9, 0, 0]]
// CHECK: result #3: 4xf32 = [5.0, 2.5, 3.0, 4.0]
// CHECK: result #4: 4xi32 = [50, 80, 30, 40]
// CHECK: result #5: 4x2xi32
// CHECK-NEXT: {{\[\[}}5, 6],
// CHECK-NEXT: [0, 0],
// CHECK-NEXT: [7, 0],
// CHECK-NEXT: [0, 8]]
// CHECK: result #6: 3x4xi32
// CHECK-NEXT: {{\[\[}}0, 0, 0, 5],
// CHECK-NEXT: [0, -1, -2, 6],
// CHECK-NEXT: [0, -3, -4, 7]]

func.func private @zeros() -> tensor<3x4xi32> attributes {passthrough = ["noinline"]} {
  %0 = stablehlo.constant dense<0> : tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// Rows are added to, one of them twice; what is outside is dropped.
func.func private @rows() -> tensor<3x4xi32> {
  %a = call @zeros() : () -> tensor<3x4xi32>
  %i = stablehlo.constant dense<[[2], [0], [3], [2], [-1]]> : tensor<5x1xi32>
  %u = stablehlo.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8], [9, 9, 9, 9], [10, 20, 30, 40], [9, 9, 9, 9]]> : tensor<5x4xi32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    %1 = stablehlo.add %old, %new : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<3x4xi32>, tensor<5x1xi32>, tensor<5x4xi32>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// A window that is partly outside is dropped as a whole.
func.func private @dropped() -> tensor<3x4xi32> {
  %a = call @zeros() : () -> tensor<3x4xi32>
  %i = stablehlo.constant dense<[[2, 3], [-1, -1], [1, 2], [-3, 0], [0, 9223372036854775807]]> : tensor<5x2xi64>
  %u = stablehlo.constant dense<[[[5, 6], [7, 8]], [[5, 6], [7, 8]], [[1, 2], [3, 4]], [[5, 6], [7, 8]], [[5, 6], [7, 8]]]> : tensor<5x2x2xi32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    stablehlo.return %new : tensor<i32>
  }) : (tensor<3x4xi32>, tensor<5x2xi64>, tensor<5x2x2xi32>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// Each row has an index of its own.
func.func private @batches() -> tensor<3x4xi32> {
  %a = call @zeros() : () -> tensor<3x4xi32>
  %i = stablehlo.constant dense<[3, 255, 1]> : tensor<3xui8>
  %u = stablehlo.constant dense<[7, 8, 9]> : tensor<3xi32>
  %0 = "stablehlo.scatter"(%a, %i, %u) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    stablehlo.return %new : tensor<i32>
  }) : (tensor<3x4xi32>, tensor<3xui8>, tensor<3xi32>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

// Two tensors at once; where the new key is larger, its value goes along.
func.func private @pairs() -> (tensor<4xf32>, tensor<4xi32>) {
  %keys = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %values = stablehlo.constant dense<[10, 20, 30, 40]> : tensor<4xi32>
  %i = stablehlo.constant dense<[0, 0, 2, 1]> : tensor<4xi32>
  %new_keys = stablehlo.constant dense<[5.0, 4.0, 1.0, 2.5]> : tensor<4xf32>
  %new_values = stablehlo.constant dense<[50, 60, 70, 80]> : tensor<4xi32>
  %0:2 = "stablehlo.scatter"(%keys, %values, %i, %new_keys, %new_values) <{
    scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%k: tensor<f32>, %v: tensor<i32>, %k2: tensor<f32>, %v2: tensor<i32>):
    %1 = stablehlo.compare GT, %k2, %k : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %2 = stablehlo.select %1, %k2, %k : tensor<i1>, tensor<f32>
    %3 = stablehlo.select %1, %v2, %v : tensor<i1>, tensor<i32>
    stablehlo.return %2, %3 : tensor<f32>, tensor<i32>
  }) : (tensor<4xf32>, tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>
}

// Windows at known places: a part that something is subtracted from, a column that is replaced, and one that is outside.
func.func private @known() -> tensor<3x4xi32> {
  %a = call @zeros() : () -> tensor<3x4xi32>
  %one = stablehlo.constant dense<1> : tensor<2xi64>
  %last = stablehlo.constant dense<3> : tensor<1xi64>
  %outside = stablehlo.constant dense<-1> : tensor<1xi64>
  %part = stablehlo.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>
  %column = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi32>
  %0 = "stablehlo.scatter"(%a, %one, %part) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    %4 = stablehlo.subtract %old, %new : tensor<i32>
    stablehlo.return %4 : tensor<i32>
  }) : (tensor<3x4xi32>, tensor<2xi64>, tensor<2x2xi32>) -> tensor<3x4xi32>
  %1 = "stablehlo.scatter"(%0, %last, %column) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    stablehlo.return %new : tensor<i32>
  }) : (tensor<3x4xi32>, tensor<1xi64>, tensor<3xi32>) -> tensor<3x4xi32>
  %2 = "stablehlo.scatter"(%1, %outside, %column) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    stablehlo.return %new : tensor<i32>
  }) : (tensor<3x4xi32>, tensor<1xi64>, tensor<3xi32>) -> tensor<3x4xi32>
  return %2 : tensor<3x4xi32>
}

// The largest element of each window gets what belongs to the window; padding is never chosen.
func.func private @selected() -> tensor<4x2xi32> {
  %a = stablehlo.constant dense<[[-1, -5], [-2, -5], [-3, -6], [-4, -4]]> : tensor<4x2xi32>
  %s = stablehlo.constant dense<[[5, 6], [7, 8]]> : tensor<2x2xi32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.select_and_scatter"(%a, %s, %z) <{
    window_dimensions = array<i64: 3, 1>, window_strides = array<i64: 2, 1>, padding = dense<[[0, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %1 = stablehlo.add %x, %y : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4x2xi32>, tensor<2x2xi32>, tensor<i32>) -> tensor<4x2xi32>
  return %0 : tensor<4x2xi32>
}

func.func @main() -> (tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4x2xi32>, tensor<3x4xi32>) {
  %0 = call @rows() : () -> tensor<3x4xi32>
  %1 = call @dropped() : () -> tensor<3x4xi32>
  %2 = call @batches() : () -> tensor<3x4xi32>
  %3:2 = call @pairs() : () -> (tensor<4xf32>, tensor<4xi32>)
  %4 = call @selected() : () -> tensor<4x2xi32>
  %5 = call @known() : () -> tensor<3x4xi32>
  return %0, %1, %2, %3#0, %3#1, %4, %5 : tensor<3x4xi32>, tensor<3x4xi32>, tensor<3x4xi32>, tensor<4xf32>, tensor<4xi32>, tensor<4x2xi32>, tensor<3x4xi32>
}
