// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @shapes(%a: f32, %b: vector<4xf32>) {
  // expected-error @+1 {{'arith.scaling_extf' op if an operand is non-scalar, then there must be at least one non-scalar result}}
  %0 = arith.scaling_extf %a, %b : f32, vector<4xf32> to f64
  return
}

// -----

func.func @narrower(%a: f32, %b: f32) {
  // expected-error @+1 {{'arith.scaling_extf' op operand types 'f32', 'f32' and result type 'f16' are cast incompatible}}
  %0 = arith.scaling_extf %a, %b : f32, f32 to f16
  return
}

// -----

func.func @same(%a: f32, %b: f16) {
  // expected-error @+1 {{'arith.scaling_extf' op operand types 'f32', 'f16' and result type 'f32' are cast incompatible}}
  %0 = arith.scaling_extf %a, %b : f32, f16 to f32
  return
}

// -----

func.func @wider(%a: f32, %b: f32) {
  // expected-error @+1 {{'arith.scaling_truncf' op operand types 'f32', 'f32' and result type 'f64' are cast incompatible}}
  %0 = arith.scaling_truncf %a, %b : f32, f32 to f64
  return
}

// -----

func.func @integers(%a: i32, %b: i32) {
  // expected-error @+1 {{'arith.scaling_truncf' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = arith.scaling_truncf %a, %b : i32, i32 to f64
  return
}

// -----

func.func @sizes(%a: vector<4xf32>, %b: vector<3xf32>) {
  // expected-error @+1 {{'arith.scaling_extf' op all non-scalar operands/results must have the same shape and base type}}
  %0 = arith.scaling_extf %a, %b : vector<4xf32>, vector<3xf32> to vector<4xf64>
  return
}

// -----

func.func @result(%a: vector<4xf32>, %b: vector<4xf32>) {
  // expected-error @+1 {{'arith.scaling_extf' op operand types 'vector<4xf32>', 'vector<4xf32>' and result type 'vector<3xf64>' are cast incompatible}}
  %0 = arith.scaling_extf %a, %b : vector<4xf32>, vector<4xf32> to vector<3xf64>
  return
}

// -----

func.func @scalar(%a: f32, %b: f32) {
  // expected-error @+1 {{'arith.scaling_extf' op operand types 'f32', 'f32' and result type 'vector<3xf64>' are cast incompatible}}
  %0 = arith.scaling_extf %a, %b : f32, f32 to vector<3xf64>
  return
}

// -----

func.func @containers(%a: tensor<4xf32>, %b: vector<4xf32>) {
  // expected-error @+1 {{'arith.scaling_extf' op all non-scalar operands/results must have the same shape and base type}}
  %0 = arith.scaling_extf %a, %b : tensor<4xf32>, vector<4xf32> to tensor<4xf64>
  return
}

// -----

func.func @dimensions(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error @+1 {{'arith.scaling_extf' op failed to verify that input and output have the same tensor dimensions}}
  %0 = arith.scaling_extf %a, %b : tensor<4xf32>, tensor<4xf32> to tensor<?xf64>
  return
}
