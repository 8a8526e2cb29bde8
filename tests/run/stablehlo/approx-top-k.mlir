// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - -O0 < %s | FileCheck %s

// What JAX's `approx_max_k` and `approx_min_k` are: none of the elements that they may miss is missed.
// CHECK: result #0: 2x3xf32
// CHECK-NEXT: {{\[\[}}9.0, 8.0, 7.0],
// CHECK-NEXT: [6.0, 5.0, 4.0]]
// CHECK: result #1: 2x3xi32
// CHECK-NEXT: {{\[\[}}4, 1, 2],
// CHECK-NEXT: [0, 4, 3]]
// CHECK: result #2: 1x5xf32
// CHECK-NEXT: {{\[\[}}1.0, 2.0, 3.0, 0.5, 5.0]]
// CHECK: result #3: 1x5xi32
// CHECK-NEXT: {{\[\[}}0, 1, 1, 0, 1]]
func.func @main() -> (tensor<2x3xf32>, tensor<2x3xi32>, tensor<1x5xf32>, tensor<1x5xi32>) {
  %x = stablehlo.constant dense<[[1.0, 8.0, 7.0, 0.5, 9.0], [6.0, 2.0, 3.0, 4.0, 5.0]]> : tensor<2x5xf32>
  %columns = stablehlo.iota dim = 1 : tensor<2x5xi32>
  %rows = stablehlo.iota dim = 0 : tensor<2x5xi32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %greatest = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %columns, %least, %none) {called_computations = [@greater], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %1:2 = stablehlo.custom_call @ApproxTopK(%x, %rows, %greatest, %none) {called_computations = [@less], mhlo.backend_config = {aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = 0 : i64, reduction_input_size_override = -1 : i64, top_k = 1 : i64}} : (tensor<2x5xf32>, tensor<2x5xi32>, tensor<f32>, tensor<i32>) -> (tensor<1x5xf32>, tensor<1x5xi32>)
  return %0#0, %0#1, %1#0, %1#1 : tensor<2x3xf32>, tensor<2x3xi32>, tensor<1x5xf32>, tensor<1x5xi32>
}

func.func @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}

// So ends JAX such functions.
func.func @less(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}
