// What is wrong with math operations, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @operand_type(%a: i32) {
  // expected-error @+1 {{'math.exp' op operand #0 must be floating-point-like, but got 'i32'}}
  %0 = "math.exp"(%a) : (i32) -> i32
  return
}

// -----

func.func @different_types(%a: f32, %b: f64) {
  // expected-error @+1 {{'math.powf' op requires the same type for all operands and results}}
  %0 = "math.powf"(%a, %b) : (f32, f64) -> f32
  return
}

// -----

func.func @power_shapes(%a: vector<4xf32>, %b: vector<3xi32>) {
  // expected-error @+1 {{'math.fpowi' op requires the same shape for all operands and results}}
  %0 = math.fpowi %a, %b : vector<4xf32>, vector<3xi32>
  return
}

// -----

func.func @power_result(%a: vector<4xf32>, %b: vector<4xi32>) {
  // expected-error @+1 {{'math.fpowi' op failed to verify that all of {lhs, result} have same type}}
  %0 = "math.fpowi"(%a, %b) : (vector<4xf32>, vector<4xi32>) -> vector<4xf64>
  return
}

// -----

func.func @class_result(%a: vector<4xf32>) {
  // expected-error @+1 {{'math.isnan' op failed to verify that result type has i1 element type and same shape as operands}}
  %0 = "math.isnan"(%a) : (vector<4xf32>) -> i1
  return
}
