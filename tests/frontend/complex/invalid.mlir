// What is wrong with complex operations, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @constant_type() {
  // expected-error @+1 {{'complex.constant' op requires attribute's element types ('f64', 'f64') to match the element type of the op's return type ('f32')}}
  %0 = complex.constant [1.0, 2.0] : complex<f32>
  return
}

// -----

func.func @constant_size() {
  // expected-error @+1 {{'complex.constant' op requires 'value' to be a complex constant, represented as array of two values}}
  %0 = complex.constant [1.0 : f32] : complex<f32>
  return
}

// -----

func.func @constant_scalar() {
  // expected-error @+1 {{integer literal not valid for specified type}}
  %0 = complex.constant 3 : f32
  return
}

// -----

func.func @create_types(%a: f32, %b: f64) {
  // expected-error @+1 {{'complex.create' op failed to verify that all of {real, imaginary} have same type}}
  %0 = "complex.create"(%a, %b) : (f32, f64) -> complex<f64>
  return
}

// -----

func.func @part_type(%a: complex<f64>) {
  // expected-error @+1 {{'complex.re' op failed to verify that complex element type matches result type}}
  %0 = "complex.re"(%a) : (complex<f64>) -> f32
  return
}

// -----

func.func @part_of_integers(%a: complex<i32>) {
  // expected-error @+1 {{custom op 'complex.im' 'complex' must be complex type with floating-point elements, but got 'complex<i32>'}}
  %0 = complex.im %a : complex<i32>
  return
}

// -----

func.func @part_of_float(%a: f32) {
  // expected-error @+1 {{custom op 'complex.abs' invalid kind of type specified}}
  %0 = complex.abs %a : f32
  return
}

// -----

func.func @compared_types(%a: complex<f32>, %b: complex<f64>) {
  // expected-error @+1 {{'complex.eq' op failed to verify that all of {lhs, rhs} have same type}}
  %0 = "complex.eq"(%a, %b) : (complex<f32>, complex<f64>) -> i1
  return
}

// -----

func.func @bitcast_of_floats(%a: f32) {
  // expected-error @+1 {{'complex.bitcast' op requires that either input or output has a complex type}}
  %0 = complex.bitcast %a : f32 to i32
  return
}

// -----

func.func @bitcast_width(%a: complex<f32>) {
  // expected-error @+1 {{'complex.bitcast' op casting bitwidths do not match}}
  %0 = complex.bitcast %a : complex<f32> to i32
  return
}

// -----

func.func @bitcast_of_vector(%a: vector<2xf32>) {
  // expected-error @+1 {{'complex.bitcast' op operand must be int/float/complex}}
  %0 = complex.bitcast %a : vector<2xf32> to complex<f32>
  return
}
