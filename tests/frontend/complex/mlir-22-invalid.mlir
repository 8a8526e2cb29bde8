// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @no_floats(%z: complex<i32>, %n: i32) {
  // expected-error @+1 {{'complex.powi' op operand #0 must be complex type with floating-point elements, but got 'complex<i32>'}}
  %0 = complex.powi %z, %n : complex<i32>, i32
  return
}

// -----

func.func @unsigned(%z: complex<f32>, %n: ui32) {
  // expected-error @+1 {{'complex.powi' op operand #1 must be signless integer, but got 'ui32'}}
  %0 = complex.powi %z, %n : complex<f32>, ui32
  return
}
