// RUN: freehold opt --split-input-file --verify-diagnostics %s

func.func @operands(%a: tensor<4xf32>) {
  // expected-error @+1 {{'onnx.Add' op requires 2 operands, but has 1}}
  %0 = "onnx.Add"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @results(%a: tensor<4xf32>) {
  // expected-error @+1 {{'onnx.Dropout' op requires 1 to 2 results, but has 3}}
  %0:3 = "onnx.Dropout"(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi1>, none)
  return
}

// -----

func.func @attribute(%a: tensor<4xf32>) {
  // expected-error @+1 {{'onnx.Softmax' op attribute 'axis' failed to satisfy constraint: an integer}}
  %0 = "onnx.Softmax"(%a) {axis = "last"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @region(%a: tensor<i1>) {
  // expected-error @+1 {{'onnx.If' op expected 2 regions}}
  %0 = "onnx.If"(%a) : (tensor<i1>) -> tensor<4xf32>
  return
}

// -----

func.func @custom(%a: tensor<4xf32>) {
  // expected-error @+1 {{'onnx.Custom' op requires attribute 'domain_name'}}
  %0 = "onnx.Custom"(%a) {function_name = "Gelu"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @unknown(%a: tensor<4xf32>) {
  // expected-error @+1 {{onnx.Foo}}
  %0 = "onnx.Foo"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{'!onnx.Tensor' is no type of the dialect}}
func.func @type(%a: !onnx.Tensor) {
  return
}
