// RUN: freehold opt %s --strip-model-wrappers --split-input-file --verify-diagnostics

// expected-error @+1 {{a buffer view that no tensor is imported from has no type}}
util.func public @unused(%arg0: !hal.buffer_view) {
  util.return
}

// -----

util.func public @used(%arg0: !hal.buffer_view) -> !hal.buffer_view {
  %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<4xf32>
  // expected-error @+1 {{'func.return' op needs a buffer view, and not just the tensor in it}}
  util.return %arg0 : !hal.buffer_view
}

// -----

util.func public @two_types(%arg0: !hal.buffer_view) -> !hal.buffer_view {
  %0 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<4xf32>
  // expected-error @+1 {{'hal.tensor.import' op needs a buffer view, and not just the tensor in it}}
  %1 = hal.tensor.import %arg0 : !hal.buffer_view -> tensor<2x2xf32>
  %2 = hal.tensor.export %0 : tensor<4xf32> -> !hal.buffer_view
  util.return %2 : !hal.buffer_view
}

// -----

ml_program.global private mutable @n(1 : i32) : i32
func.func @scalar() -> i32 {
  // expected-error @+1 {{'ml_program.global_load' op refers to a mutable global that is no ranked tensor}}
  %0 = ml_program.global_load @n : i32
  return %0 : i32
}

// -----

util.global private @g = 1 : i32
func.func @other_type() -> f32 {
  // expected-error @+1 {{'util.global.load' op has another type than the global}}
  %0 = util.global.load @g : f32
  return %0 : f32
}

// -----

util.global private @h = 1.0 : f32
func.func @nowhere() -> f32 {
  // expected-error @+1 {{'util.global.load' op refers to no global}}
  %0 = util.global.load @g : f32
  return %0 : f32
}
