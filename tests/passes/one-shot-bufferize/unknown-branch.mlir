// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries allow-unknown-ops" --allow-unregistered-dialect --verify-diagnostics

// Which tensors an unknown branch passes on is not known.
// expected-error @+1 {{op was not bufferized}}
func.func @unknown_branch(%t: tensor<4xf32>) {
  "some.br"(%t)[^next] : (tensor<4xf32>) -> ()
^next(%u: tensor<4xf32>):
  return
}
