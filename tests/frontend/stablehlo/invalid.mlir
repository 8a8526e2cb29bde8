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

// -----

func.func @groups(%a: tensor<2x3xf32>, %b: tensor<2x3x4xf32>, %n: tensor<3xi32>) {
  // expected-error @+1 {{'chlo.ragged_dot' op rhs group dimension is expected to have size=3, got 2}}
  %0 = "chlo.ragged_dot"(%a, %b, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>} : (tensor<2x3xf32>, tensor<2x3x4xf32>, tensor<3xi32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @ragged(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %n: tensor<2x3xi32>) {
  // expected-error @+1 {{'chlo.ragged_dot' op expected group_sizes to have rank 1, got 2}}
  %0 = "chlo.ragged_dot"(%a, %b, %n) {ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [], rhs_batching_dimensions = [], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1], rhs_group_dimensions = []>} : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<2x3xi32>) -> tensor<3x2x4xf32>
  return
}
