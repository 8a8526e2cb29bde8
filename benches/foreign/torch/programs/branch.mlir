// RESULT: result #0: f32 = 4.0
// RESULT: result #1: f32 = 2.0
func.func private @either(%x: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  %r = scf.if %c -> tensor<2xf32> {
    %part = "flow.dispatch"(%x) {entry_point = @module::@part} : (tensor<2xf32>) -> tensor<2xf32>
    scf.yield %part : tensor<2xf32>
  } else {
    scf.yield %x : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
func.func @main() -> (f32, f32) {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %a = call @either(%x, %true) : (tensor<2xf32>, i1) -> tensor<2xf32>
  %b = call @either(%x, %false) : (tensor<2xf32>, i1) -> tensor<2xf32>
  %v = tensor.extract %a[%c1] : tensor<2xf32>
  %w = tensor.extract %b[%c1] : tensor<2xf32>
  return %v, %w : f32, f32
}
