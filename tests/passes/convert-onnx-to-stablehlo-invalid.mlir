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
