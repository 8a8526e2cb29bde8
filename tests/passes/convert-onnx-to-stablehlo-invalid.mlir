// RUN: freehold opt --convert-onnx-to-stablehlo --split-input-file --verify-diagnostics %s

// All that is refused is said at once, with the names of nodes; what only needs it is not.
func.func @several(%a: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'onnx.ImageDecoder' op (node 'decode') is not lowered: nothing lowers it}}
  %0 = "onnx.ImageDecoder"(%a) {onnx_node_name = "decode"} : (tensor<4xf32>) -> tensor<*xf32>
  %1 = "onnx.Relu"(%0) : (tensor<*xf32>) -> tensor<*xf32>
  // expected-error @+1 {{'onnx.Custom' op 'com.example.Foo' (node 'foo') is not lowered: nothing lowers it}}
  %2 = "onnx.Custom"(%1) {function_name = "Foo", domain_name = "com.example", onnx_node_name = "foo"} : (tensor<*xf32>) -> tensor<*xf32>
  return %2 : tensor<*xf32>
}

// -----

func.func @shapes(%a: tensor<4xf32>, %b: tensor<3xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'onnx.Add' op is not lowered: sizes 4 and 3 cannot be broadcast}}
  %0 = "onnx.Add"(%a, %b) : (tensor<4xf32>, tensor<3xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @axis(%a: tensor<4xf32>) -> tensor<*xf32> {
  // expected-error @+1 {{'onnx.Softmax' op is not lowered: axis 2 is out of range for rank 1}}
  %0 = "onnx.Softmax"(%a) {axis = 2 : si64} : (tensor<4xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// What a sequence holds has to be known.
func.func @sequence(%at: tensor<i64>, %a: tensor<4xf32>) -> (!onnx.Unknown, !onnx.Unknown) {
  %0 = "onnx.SequenceConstruct"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> !onnx.Unknown
  // expected-error @+1 {{'onnx.SequenceAt' op is not lowered: its position is known only at run time}}
  %1 = "onnx.SequenceAt"(%0, %at) : (!onnx.Unknown, tensor<i64>) -> !onnx.Unknown
  // expected-error @+1 {{result #1 of the model is a sequence or an optional value}}
  return %1, %0 : !onnx.Unknown, !onnx.Unknown
}

// -----

// A walk through this tree would never end.
func.func @circle(%a: tensor<4x2xf32>) -> !onnx.Unknown {
  // expected-error @+1 {{'onnx.Custom' op 'ai.onnx.ml.TreeEnsemble' is not lowered: its trees have a circle}}
  %0 = "onnx.Custom"(%a) {function_name = "TreeEnsemble", domain_name = "ai.onnx.ml", nodes_featureids = [0], nodes_modes = dense<0> : tensor<1xui8>, nodes_splits = dense<1.0> : tensor<1xf32>, nodes_truenodeids = [0], nodes_trueleafs = [0], nodes_falsenodeids = [0], nodes_falseleafs = [1], leaf_targetids = [0], leaf_weights = dense<1.0> : tensor<1xf32>, tree_roots = [0], n_targets = 1 : si64} : (tensor<4x2xf32>) -> !onnx.Unknown
  return %0 : !onnx.Unknown
}

// -----

// A branch whose operands have ranks that they cannot have is left out, with a check that it is not taken.
func.func @branch(%condition: tensor<i1>, %a: tensor<1x4xf32>) -> !onnx.Unknown {
  // expected-warning @+1 {{'onnx.If' op: its 'else' branch is left out, which must not be taken: 'onnx.MatMul' op is not lowered: an operand is a scalar}}
  %0 = "onnx.If"(%condition) ({
    %1 = "onnx.Relu"(%a) : (tensor<1x4xf32>) -> !onnx.Unknown
    "onnx.Yield"(%1) : (!onnx.Unknown) -> ()
  }, {
    %1 = "onnx.MatMul"(%condition, %a) : (tensor<i1>, tensor<1x4xf32>) -> !onnx.Unknown
    "onnx.Yield"(%1) : (!onnx.Unknown) -> ()
  }) : (tensor<i1>) -> !onnx.Unknown
  return %0 : !onnx.Unknown
}
