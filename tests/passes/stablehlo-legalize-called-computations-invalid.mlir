// RUN: freehold opt %s --stablehlo-legalize-called-computations --split-input-file --verify-diagnostics

func.func @strides(%x: tensor<?xi32>, %s: tensor<1xi32>, %p: tensor<1x2xi32>) -> tensor<?xi32> {
  %init = stablehlo.constant dense<0> : tensor<i32>
  // expected-error @+1 {{'stablehlo.custom_call' op is not lowered: its strides and dilations are known only at run time}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %init, %s, %s, %s, %s, %p) {called_computations = [@add]} : (tensor<?xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func private @add(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %b : tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @nobody(%x: tensor<?xi32>, %s: tensor<1xi32>, %p: tensor<1x2xi32>) -> tensor<?xi32> {
  %init = stablehlo.constant dense<0> : tensor<i32>
  // expected-error @+1 {{'stablehlo.custom_call' op is not lowered: its body is no other function of the module}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %init, %s, %s, %s, %s, %p) : (tensor<?xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// -----

func.func @few(%x: tensor<?xi32>) -> tensor<?xi32> {
  // expected-error @+1 {{'stablehlo.custom_call' op is not lowered: it has another number of operands than of results and lists}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x) {called_computations = [@add]} : (tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func private @add(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %b : tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @lists(%x: tensor<?xi32>, %p: tensor<1x2xi32>) -> tensor<?xi32> {
  %init = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.constant dense<1> : tensor<2xi32>
  // expected-error @+1 {{'stablehlo.custom_call' op is not lowered: its lists are of another length than its dimensions ask for}}
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %init, %s, %s, %s, %s, %p) {called_computations = [@add]} : (tensor<?xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<1x2xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}
func.func private @add(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %b : tensor<i32>
  return %0 : tensor<i32>
}

// -----

func.func @nowhere(%x: tensor<8xf32>, %i: tensor<8xi32>, %a: tensor<f32>, %b: tensor<i32>) -> tensor<2xf32> {
  // expected-error @+1 {{'stablehlo.custom_call' op is not lowered: it does not say along which dimension}}
  %0:2 = stablehlo.custom_call @ApproxTopK(%x, %i, %a, %b) {called_computations = [@greater], mhlo.backend_config = {reduction_dim = 1 : i64, top_k = 2 : i64}} : (tensor<8xf32>, tensor<8xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
  return %0#0 : tensor<2xf32>
}
func.func private @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
}
