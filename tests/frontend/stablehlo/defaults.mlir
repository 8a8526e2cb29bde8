// Attributes that may be missing stay so, and those that say the same stay written in generic form.

// RUN: freehold opt %s --mlir-print-op-generic | FileCheck %s
// RUN: freehold opt --emit-bytecode %s | freehold opt --mlir-print-op-generic - | FileCheck %s
// RUN: freehold opt %s | FileCheck %s --check-prefix=CUSTOM

// CHECK: "stablehlo.exponential"(%{{.*}}) : (tensor<4xf32>)
// CHECK: "stablehlo.exponential"(%{{.*}}) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>}> :
// CHECK: "stablehlo.cholesky"(%{{.*}}) :
// CHECK: "stablehlo.cholesky"(%{{.*}}) <{lower = false}> :
// CHECK: "chlo.top_k"(%{{.*}}) <{k = 2 : i64}> :
// CUSTOM: stablehlo.exponential %{{.*}} : tensor<4xf32>
// CUSTOM: stablehlo.exponential %{{.*}} : tensor<4xf32>
// CUSTOM: stablehlo.cholesky %{{.*}} : tensor<2x2xf32>
// CUSTOM: stablehlo.cholesky %{{.*}} : tensor<2x2xf32>
func.func @numbers(%x: tensor<4xf32>, %m: tensor<2x2xf32>) {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = "stablehlo.exponential"(%x) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.cholesky"(%m) : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %3 = stablehlo.cholesky %m, lower = false : tensor<2x2xf32>
  %4:2 = chlo.top_k(%x, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return
}

// CHECK: "stablehlo.gather"({{.*}}) <{dimension_numbers = {{.*}}, slice_sizes = array<i64: 1, 4>}> :
// CHECK: "stablehlo.gather"({{.*}}) <{dimension_numbers = {{.*}}, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> :
func.func @gathers(%a: tensor<4x4xf32>, %i: tensor<4x1xi32>) {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
  %1 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
  return
}

// CHECK: "stablehlo.custom_call"(%{{.*}}) <{call_target_name = "f"}> :
// CHECK: "stablehlo.custom_call"(%{{.*}}) <{api_version = 1 : i32, call_target_name = "f", called_computations = [], has_side_effect = false, output_operand_aliases = []}> :
// CHECK: "stablehlo.custom_call"(%{{.*}}) <{api_version = 2 : i32, call_target_name = "f", has_side_effect = true}> :
// CUSTOM: stablehlo.custom_call @f(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CUSTOM: stablehlo.custom_call @f(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CUSTOM: stablehlo.custom_call @f(%{{.*}}) {api_version = 2 : i32, has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
func.func @calls(%x: tensor<4xf32>) {
  %0 = stablehlo.custom_call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.custom_call"(%x) <{api_version = 1 : i32, call_target_name = "f", called_computations = [], has_side_effect = false, output_operand_aliases = []}> : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @f(%x) {api_version = 2 : i32, has_side_effect = true} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// CHECK-LABEL: sym_name = "results"
// CUSTOM: %output_state, %output = stablehlo.rng_bit_generator
// CUSTOM: %output_0, %batch_mean, %batch_var = "stablehlo.batch_norm_training"
func.func @results(%s: tensor<2xui64>, %x: tensor<2x4xf32>, %v: tensor<4xf32>) {
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = DEFAULT : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
  %2:3 = "stablehlo.batch_norm_training"(%x, %v, %v) <{epsilon = 1.0 : f32, feature_index = 1 : i64}> : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
