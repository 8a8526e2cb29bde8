// Operations that have no loops.

// RUN: freehold opt %s --convert-linalg-to-loops --verify-diagnostics

func.func @softmax_of_integers(%m: memref<4xi32>) {
  // expected-error @+1 {{'linalg.softmax' op is defined for floats only}}
  linalg.softmax dimension(0) ins(%m : memref<4xi32>) outs(%m : memref<4xi32>)
  return
}
