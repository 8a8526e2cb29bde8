// A state that a recurrent layer begins with has as many batches as its input: checked when both are counted at run time.
// RUN: not freehold run %s --input=5x3x4xf32=1 --input=1x2x4xf32=1 2>&1 | FileCheck %s
// CHECK: assertion failed: dimension #0 of operand #{{[01]}} of 'linalg.generic' is incompatible

module attributes {onnx.opset = 17 : i64} {
  func.func @main(%x: tensor<?x?x4xf32>, %h: tensor<1x?x4xf32>) -> tensor<*xf32> {
    %w = "onnx.Constant"() {value = dense<0.1> : tensor<1x12x4xf32>} : () -> tensor<1x12x4xf32>
    %none = "onnx.NoValue"() {value} : () -> none
    %0:2 = "onnx.GRU"(%x, %w, %w, %none, %none, %h) {hidden_size = 4 : si64}
        : (tensor<?x?x4xf32>, tensor<1x12x4xf32>, tensor<1x12x4xf32>, none, none, tensor<1x?x4xf32>) -> (tensor<*xf32>, none)
    return %0#0 : tensor<*xf32>
  }
}
