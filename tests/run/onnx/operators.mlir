// Operators of ONNX run as programs do; the numbers are those of the reference evaluator.
// RUN: freehold run - < %s | FileCheck %s

module attributes {onnx.opset = 17 : i64} {
  func.func @main() -> (tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown) {
    %x = "onnx.Constant"() {value = dense<[[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]> : tensor<1x1x3x3xf32>} : () -> tensor<1x1x3x3xf32>
    %w = "onnx.Constant"() {value = dense<[[[[1.0, 0.0], [0.0, -1.0]]]]> : tensor<1x1x2x2xf32>} : () -> tensor<1x1x2x2xf32>
    %b = "onnx.Constant"() {value = dense<[0.5]> : tensor<1xf32>} : () -> tensor<1xf32>
    // CHECK: result #0: 1x1x3x3xf32
    // CHECK-NEXT: -0.5, -1.5, -2.5
    // CHECK-NEXT: -3.5, -3.5, -3.5
    // CHECK-NEXT: -6.5, -3.5, -3.5
    %0 = "onnx.Conv"(%x, %w, %b) {auto_pad = "SAME_LOWER", kernel_shape = [2, 2]} : (tensor<1x1x3x3xf32>, tensor<1x1x2x2xf32>, tensor<1xf32>) -> tensor<*xf32>
    // CHECK: result #1: 1x1x2x2xf32
    // CHECK-NEXT: 5.0, 6.0
    // CHECK-NEXT: 8.0, 9.0
    %1 = "onnx.MaxPool"(%x) {kernel_shape = [2, 2]} : (tensor<1x1x3x3xf32>) -> tensor<*xf32>
    %two = "onnx.Constant"() {value = dense<[3, 3]> : tensor<2xi64>} : () -> tensor<2xi64>
    %m = "onnx.Reshape"(%x, %two) : (tensor<1x1x3x3xf32>, tensor<2xi64>) -> tensor<*xf32>
    // CHECK: 3xf32 = [0.0900305{{[0-9]*}}, 0.2447284{{[0-9]*}}, 0.665240{{[0-9]*}}]
    %one = "onnx.Constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
    %row = "onnx.Gather"(%m, %one) {axis = 0 : si64} : (tensor<*xf32>, tensor<i64>) -> !onnx.Unknown
    %2 = "onnx.Softmax"(%row) {axis = -1 : si64} : (!onnx.Unknown) -> tensor<*xf32>
    // CHECK: result #3: 2x4xi64
    // CHECK-NEXT: 1, 1, 2, 2
    // CHECK-NEXT: 0, 2, 0, 2
    %odd = "onnx.Constant"() {value = dense<[[0.0, 0.0, 0.0], [4.0, 0.0, 6.0], [7.0, 0.0, 9.0]]> : tensor<3x3xf32>} : () -> tensor<3x3xf32>
    %3 = "onnx.NonZero"(%odd) : (tensor<3x3xf32>) -> !onnx.Unknown
    // CHECK: 3xi64 = [-2, 1, -1]
    %n = "onnx.Constant"() {value = dense<[-7, 7, -5]> : tensor<3xi64>} : () -> tensor<3xi64>
    %d = "onnx.Constant"() {value = dense<[3, 4, 4]> : tensor<3xi64>} : () -> tensor<3xi64>
    %4 = "onnx.Div"(%n, %d) : (tensor<3xi64>, tensor<3xi64>) -> !onnx.Unknown
    // CHECK: 3xi64 = [2, 3, 3]
    %5 = "onnx.Mod"(%n, %d) : (tensor<3xi64>, tensor<3xi64>) -> !onnx.Unknown
    return %0, %1, %2, %3, %4, %5 : tensor<*xf32>, tensor<*xf32>, tensor<*xf32>, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown
  }
}
