// What a declaration does not say of tensors is an error that names the line.
// RUN: freehold opt --irdl-file=%S/inputs/tensors.mlir --one-shot-bufferize=bufferize-function-boundaries --split-input-file --verify-diagnostics %s

func.func @vague(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{op was not bufferized: its declaration has no 'freehold.effects'}}
  %0 = "t.vague"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @unplaced(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{op was not bufferized: its declaration does not say where 'out' is: 'freehold.destination = {out = "OPERAND"}' writes it to an operand, 'freehold.effects = {out = "allocate"}' makes a buffer}}
  %0 = "t.unplaced"(%x) : (tensor<4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
