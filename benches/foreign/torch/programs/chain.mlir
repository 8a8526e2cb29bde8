// RESULT: result #0: f32 = 8.0
// RESULT: result #1: f32 = 2.0
func.func @main() -> (f32, f32) {
  %x = arith.constant dense<[4.0, 3.0, 2.0, 1.0]> : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d = "flow.dispatch"(%x) {entry_point = @module::@part} : (tensor<4xf32>) -> tensor<4xf32>
  %s = "tm_tensor.sort"(%d) : (tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%t = %s) -> tensor<4xf32> {
    %n = "flow.dispatch"(%t) {entry_point = @module::@part} : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
  %v = tensor.extract %r[%c0] : tensor<4xf32>
  %w = tensor.extract %s[%c0] : tensor<4xf32>
  return %v, %w : f32, f32
}
