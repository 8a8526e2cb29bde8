// Control flow of ONNX carries tensors, whose sizes may change, and collects rows.
// RUN: freehold run - < %s | FileCheck %s

module attributes {onnx.opset = 17 : i64} {
  func.func @main() -> (!onnx.Unknown, !onnx.Unknown, !onnx.Unknown) {
    %n = "onnx.Constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
    %true = "onnx.Constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    %init = "onnx.Constant"() {value = dense<[1.0]> : tensor<1xf32>} : () -> tensor<1xf32>
    // Doubled and joined with itself while the counter is less than 2.
    // CHECK: 8xf32 = [8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0, 8.0]
    // CHECK: 3xi64 = [0, 1, 2]
    %0:2 = "onnx.Loop"(%n, %true, %init) ({
    ^bb0(%i: tensor<i64>, %c: tensor<i1>, %v: !onnx.Unknown):
      %two = "onnx.Constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
      %less = "onnx.Less"(%i, %two) : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %sum = "onnx.Add"(%v, %v) : (!onnx.Unknown, !onnx.Unknown) -> !onnx.Unknown
      %all = "onnx.Concat"(%sum, %sum) {axis = 0 : si64} : (!onnx.Unknown, !onnx.Unknown) -> !onnx.Unknown
      "onnx.Yield"(%less, %all, %i) : (tensor<i1>, !onnx.Unknown, tensor<i64>) -> ()
    }) : (tensor<i64>, tensor<i1>, tensor<1xf32>) -> (!onnx.Unknown, !onnx.Unknown)
    // CHECK: 4xf32 = [1.0, 3.0, 6.0, 10.0]
    %zero = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
    %row = "onnx.Constant"() {value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>} : () -> tensor<4xf32>
    %1:2 = "onnx.Scan"(%zero, %row) ({
    ^bb0(%s: tensor<f32>, %x: tensor<f32>):
      %sum = "onnx.Add"(%s, %x) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "onnx.Yield"(%sum, %sum) : (tensor<f32>, tensor<f32>) -> ()
    }) {num_scan_inputs = 1 : si64} : (tensor<f32>, tensor<4xf32>) -> (tensor<f32>, !onnx.Unknown)
    return %0#0, %0#1, %1#1 : !onnx.Unknown, !onnx.Unknown, !onnx.Unknown
  }
}
