// RUN: freehold opt %s --write-donated-arguments | FileCheck %s

// CHECK-LABEL: func.func @tensors(
// CHECK-SAME:    %arg0: tensor<4xf32> {bufferization.writable = true, tf.aliasing_output = 0 : i32}
// CHECK-SAME:    %arg1: tensor<4xf32> {bufferization.writable = true, jax.buffer_donor = true}
// CHECK-SAME:    %arg2: tensor<4xf32>, %arg3: f32 {jax.buffer_donor = true})
func.func @tensors(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32> {jax.buffer_donor = true}, %c: tensor<4xf32>, %d: f32 {jax.buffer_donor = true}) -> tensor<4xf32> {
  return %c : tensor<4xf32>
}

// Callers in the module, known or not, keep what they have.
// CHECK-LABEL: func.func private @private(
// CHECK-NOT:     writable
// CHECK-LABEL: func.func @called(
// CHECK-NOT:     writable
func.func private @private(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @called(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
func.func @caller(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = call @called(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
