// Operations that no buffers can be found for.

// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries" --split-input-file --verify-diagnostics

// expected-error @+1 {{cannot bufferize bodiless function that returns a tensor}}
func.func private @bodiless() -> tensor<4xf32>

// -----

func.func private @callee(%t: tensor<4xf32>)
func.func @indirect() {
  // expected-error @+1 {{op was not bufferized}}
  %f = func.constant @callee : (tensor<4xf32>) -> ()
  return
}

