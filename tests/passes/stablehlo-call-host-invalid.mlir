// RUN: freehold opt %s --split-input-file --stablehlo-call-host --verify-diagnostics

func.func @feed(%token: !stablehlo.token) -> !stablehlo.token {
  // expected-error @+1 {{'stablehlo.infeed' op with a token is not supported}}
  %0:2 = "stablehlo.infeed"(%token) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<f32>, !stablehlo.token)
  return %0#1 : !stablehlo.token
}

// -----

func.func @sizes(%x: tensor<?xf32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op is not lowered: sizes of its operands and results are not known}}
  stablehlo.custom_call @freehold.host(%x) {backend_config = "1"} : (tensor<?xf32>) -> ()
  return
}

// -----

func.func @number(%x: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.custom_call' op is not lowered: its 'backend_config' is no number}}
  stablehlo.custom_call @freehold.host(%x) : (tensor<f32>) -> ()
  return
}
