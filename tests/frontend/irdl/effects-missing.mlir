// Where effects must be known, an error names the operation and the operand.
// RUN: freehold opt --irdl-file=%S/inputs/tensors.mlir --ownership-based-buffer-deallocation=reject-unknown-effects --verify-diagnostics %s

func.func @vague(%m: memref<4xf32>) {
  // expected-error @+1 {{ops with unknown memory side effects are not supported: the declaration of 't.vague' does not say what it does to 'in', as 'freehold.effects = {in = "read"}' does}}
  %0 = "t.vague"(%m) : (memref<4xf32>) -> memref<4xf32>
  return
}
