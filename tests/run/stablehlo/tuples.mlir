// Members of tuples are what was put into these, and the only device sends to itself, or to none and gets zeros.
//
// RUN: freehold run - < %s | FileCheck %s

// CHECK: result #0: 2xf32 = [1.0, 2.0]
// CHECK-NEXT: result #1: i32 = 7
// CHECK-NEXT: result #2: 2xf32 = [1.0, 2.0]
// CHECK-NEXT: result #3: f32 = 5.0
// CHECK-NEXT: result #4: 2xf32 = [0.0, 0.0]
func.func @main() -> (tensor<2xf32>, tensor<i32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>) {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %n = stablehlo.constant dense<7> : tensor<i32>
  %pair = stablehlo.tuple %a, %n : tuple<tensor<2xf32>, tensor<i32>>
  %nested = stablehlo.tuple %pair, %n : tuple<tuple<tensor<2xf32>, tensor<i32>>, tensor<i32>>
  %0 = stablehlo.get_tuple_element %nested[0] : (tuple<tuple<tensor<2xf32>, tensor<i32>>, tensor<i32>>) -> tuple<tensor<2xf32>, tensor<i32>>
  %1 = stablehlo.get_tuple_element %0[0] : (tuple<tensor<2xf32>, tensor<i32>>) -> tensor<2xf32>
  %2 = stablehlo.get_tuple_element %nested[1] : (tuple<tuple<tensor<2xf32>, tensor<i32>>, tensor<i32>>) -> tensor<i32>
  %sent = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<0> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  %unsent = "stablehlo.collective_permute"(%a) {source_target_pairs = dense<> : tensor<0x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  // Upstream prints the comma behind positions that there are none of.
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %slice = stablehlo.dynamic_slice %five, , sizes = [] : (tensor<f32>) -> tensor<f32>
  // Tokens order what is in order anyway.
  %token = "stablehlo.create_token"() : () -> !stablehlo.token
  %both = "stablehlo.after_all"(%token, %token) : (!stablehlo.token, !stablehlo.token) -> !stablehlo.token
  %last, %end = "stablehlo.optimization_barrier"(%slice, %both) : (tensor<f32>, !stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %1, %2, %sent, %last, %unsent : tensor<2xf32>, tensor<i32>, tensor<2xf32>, tensor<f32>, tensor<2xf32>
}
