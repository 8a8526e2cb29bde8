// Bytes of booleans are as many as elements, and 0 or 1.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @too_few() {
  // expected-error @+1 {{elements hex data size is invalid for provided type: 'tensor<4xi1>'}}
  %0 = arith.constant dense<"0x000100"> : tensor<4xi1>
  return
}

// -----

func.func @no_boolean() {
  // expected-error @+1 {{elements hex data size is invalid for provided type: 'tensor<4xi1>'}}
  %0 = arith.constant dense<"0x00010201"> : tensor<4xi1>
  return
}
