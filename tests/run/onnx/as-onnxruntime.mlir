// What the reference evaluator does not have or does otherwise than PyTorch: the numbers are those of ONNX Runtime.
// RUN: freehold run - < %s | FileCheck %s

module attributes {onnx.opset = 20 : i64} {
  func.func @main() -> (!onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown) {
    // Each of the elements around a position is moved to the border, not the position.
    // CHECK: result #0: 1x1x1x4xf32
    // CHECK-NEXT: {{7.25, 16.0, 4.4184[0-9]*, 3.09375]}}
    %x = "onnx.Constant"() {value = dense<[[[[1.0, 2.0, 4.0], [8.0, 16.0, 32.0], [3.0, 5.0, 7.0]]]]> : tensor<1x1x3x3xf32>} : () -> tensor<1x1x3x3xf32>
    %grid = "onnx.Constant"() {value = dense<[[[[-1.5, 0.0], [0.0, 0.0], [1.25, 1.25], [0.5, -3.0]]]]> : tensor<1x1x4x2xf32>} : () -> tensor<1x1x4x2xf32>
    %0 = "onnx.GridSample"(%x, %grid) {mode = "cubic", padding_mode = "border", align_corners = 1 : si64} : (tensor<1x1x3x3xf32>, tensor<1x1x4x2xf32>) -> !onnx.Unknown
    // Nodes that do not say what is added to the variance mean 1e-12.
    // CHECK: result #1: 1x2x2xf32
    // CHECK-NEXT: -1.0, 1.0
    // CHECK-NEXT: {{-0.7071[0-9]*, 0.7071}}
    %a = "onnx.Constant"() {value = dense<[[[1.0, 3.0], [1.0e-6, 3.0e-6]]]> : tensor<1x2x2xf32>} : () -> tensor<1x2x2xf32>
    %none = "onnx.Constant"() {value = dense<0.0> : tensor<1x2x2xf32>} : () -> tensor<1x2x2xf32>
    %scale = "onnx.Constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<2xf32>
    %1 = "onnx.Custom"(%a, %none, %scale) {function_name = "SkipLayerNormalization", domain_name = "com.microsoft"} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<2xf32>) -> !onnx.Unknown
    // CHECK: result #2: 1x2x2xf32
    // CHECK-NEXT: {{0.4472[0-9]*, 1.3416}}
    // CHECK-NEXT: {{0.4082[0-9]*, 1.2247}}
    %2 = "onnx.Custom"(%a, %none, %scale) {function_name = "SkipSimplifiedLayerNormalization", domain_name = "com.microsoft"} : (tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<2xf32>) -> !onnx.Unknown
    // The margin that ceiling adds is counted.
    // CHECK: result #3: 1x1x3xi8
    // CHECK-NEXT: {{\[}}3, 7, 5]
    %q = "onnx.Constant"() {value = dense<[[[2, 4, 6, 8, 10]]]> : tensor<1x1x5xi8>} : () -> tensor<1x1x5xi8>
    %one = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
    %zero = "onnx.Constant"() {value = dense<0> : tensor<i8>} : () -> tensor<i8>
    %3 = "onnx.Custom"(%q, %one, %zero, %one, %zero) {function_name = "QLinearAveragePool", domain_name = "com.microsoft", kernel_shape = [2], strides = [2], ceil_mode = 1 : si64, count_include_pad = 1 : si64} : (tensor<1x1x5xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> !onnx.Unknown
    return %0, %1, %2, %3 : !onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown
  }
}
