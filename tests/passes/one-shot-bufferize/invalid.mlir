// Operations that no buffers can be found for.

// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries" --split-input-file --verify-diagnostics

// expected-error @+1 {{cannot bufferize bodiless function that returns a tensor}}
func.func private @bodiless() -> tensor<4xf32>

// -----

func.func @packed(%a: tensor<8x8xf32>, %d: tensor<2x2x4x4xf32>) {
  // expected-error @+1 {{op was not bufferized}}
  %r = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %d : tensor<8x8xf32> -> tensor<2x2x4x4xf32>
  return
}

// -----

func.func private @callee(%t: tensor<4xf32>)
func.func @indirect() {
  // expected-error @+1 {{op was not bufferized}}
  %f = func.constant @callee : (tensor<4xf32>) -> ()
  return
}

