// RESULT: result #0: 6xf32 = [2.0, 4.0, 2.0, 4.0, 2.0, 4.0]
func.func @main() -> tensor<6xf32> {
  %x = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c6 = arith.constant 6 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  %all = scf.for %i = %c0 to %c6 step %c2 iter_args(%old = %init) -> tensor<6xf32> {
    %part = "flow.dispatch"(%x) {entry_point = @module::@part} : (tensor<2xf32>) -> tensor<2xf32>
    %new = "flow.update"(%part, %old, %i) : (tensor<2xf32>, tensor<6xf32>, index) -> tensor<6xf32>
    scf.yield %new : tensor<6xf32>
  }
  return %all : tensor<6xf32>
}
