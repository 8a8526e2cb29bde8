// RESULT: result #0: 4xf32 = [1.0, 2.0, 3.0, 4.0]
// RESULT: result #1: 4xf32 = [4.0, 2.0, 3.0, 1.0]
func.func private @sort(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "tm_tensor.sort"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %x = arith.constant dense<[4.0, 2.0, 3.0, 1.0]> : tensor<4xf32>
  %0 = call @sort(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %x : tensor<4xf32>, tensor<4xf32>
}
