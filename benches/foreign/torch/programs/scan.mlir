// RESULT: result #0: 4xf32 = [1.0, 3.0, 6.0, 10.0]
func.func @main() -> tensor<4xf32> {
  %x = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<f32>
  %a = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0:2 = "tm_tensor.scan"(%x, %o, %a) {resultSegmentSizes = array<i32: 1, 1>} : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> (tensor<4xf32>, tensor<f32>)
  return %0#0 : tensor<4xf32>
}
