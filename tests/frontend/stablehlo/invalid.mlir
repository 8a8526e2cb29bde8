// RUN: freehold opt --split-input-file --verify-diagnostics %s

func.func @types(%a: tensor<4xf32>, %b: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.add' op requires compatible types for all operands and results}}
  %0 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<5xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @memref(%a: memref<4xf32>) {
  // expected-error @+1 {{'stablehlo.tanh' op operand #0 must be ranked tensor of}}
  %0 = "stablehlo.tanh"(%a) : (memref<4xf32>) -> memref<4xf32>
  return
}

// -----

func.func @direction(%a: tensor<4xf32>) {
  // expected-error @+1 {{expected one of: EQ, NE, GE, GT, LE, LT}}
  %0 = stablehlo.compare LESS, %a, %a : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return
}

// -----

func.func @attribute(%a: tensor<4xf32>) {
  // expected-error @+1 {{'#stablehlo.precision LOW' is no attribute of the dialect}}
  %0 = "stablehlo.dot"(%a, %a) {precision_config = [#stablehlo<precision LOW>]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return
}

// -----

func.func @slice(%a: tensor<4xf32>) {
  // expected-error @+1 {{'stablehlo.slice' op limit index 5 is larger than dimension size 4 in dimension 0}}
  %0 = stablehlo.slice %a [0:5] : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @contraction(%a: tensor<2x3xf32>, %b: tensor<4x2xf32>) {
  // expected-error @+1 {{'stablehlo.dot_general' op contracting dimension sizes must match for lhs/rhs}}
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @overflow(%a: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.pad' op Padding result in negative size for dimension 0}}
  %0 = stablehlo.pad %a, %z, low = [-9], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @body(%a: tensor<4xf32>, %z: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.reduce' op region #0 must have arguments of types (tensor<f32>, tensor<f32>), but has (tensor<f32>)}}
  %0 = "stablehlo.reduce"(%a, %z) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return
}
