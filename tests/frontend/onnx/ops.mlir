// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s | freehold opt - | FileCheck %s
// RUN: freehold opt --mlir-print-op-generic %s | freehold opt - | FileCheck %s
// RUN: freehold opt --emit-bytecode %s | freehold opt - | FileCheck %s

// Operators are in generic form, as onnx-mlir prints them.

// CHECK: module attributes {onnx.opset = 21 : i64}
module attributes {onnx.opset = 21} {
  // CHECK: func.func @main(%[[X:.*]]: tensor<?x3x8x8xf32> {onnx.dim_params = "0:batch", onnx.name = "x"})
  func.func @main(%x: tensor<?x3x8x8xf32> {onnx.name = "x", onnx.dim_params = "0:batch"}) -> tensor<*xf32> {
    // CHECK: %[[W:.*]] = "onnx.Constant"() {value = dense<1.000000e+00> : tensor<2x3x3x3xf32>}
    %w = "onnx.Constant"() {value = dense<1.0> : tensor<2x3x3x3xf32>} : () -> tensor<2x3x3x3xf32>
    // CHECK: %[[NONE:.*]] = "onnx.NoValue"() {value} : () -> none
    %none = "onnx.NoValue"() {value} : () -> none
    // CHECK: "onnx.Conv"(%[[X]], %[[W]], %[[NONE]]) {auto_pad = "NOTSET", dilations = [1, 1], group = 1 : si64}
    %0 = "onnx.Conv"(%x, %w, %none) {auto_pad = "NOTSET", dilations = [1, 1], group = 1 : si64} : (tensor<?x3x8x8xf32>, tensor<2x3x3x3xf32>, none) -> tensor<*xf32>
    // CHECK: "onnx.Cast"(%{{.*}}) {to = f16} : (tensor<*xf32>) -> !onnx.Unknown
    %1 = "onnx.Cast"(%0) {to = f16} : (tensor<*xf32>) -> !onnx.Unknown
    // CHECK: "onnx.Custom"(%{{.*}}) {alpha = 1.000000e+00 : f32, domain_name = "com.microsoft", function_name = "FusedMatMul"}
    %2 = "onnx.Custom"(%0, %0) {function_name = "FusedMatMul", domain_name = "com.microsoft", alpha = 1.0 : f32} : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
    %c = "onnx.Constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    // CHECK: "onnx.If"(%{{.*}}) ({
    // CHECK:   "onnx.Yield"(%{{.*}}) : (tensor<*xf32>) -> ()
    %3 = "onnx.If"(%c) ({
      "onnx.Yield"(%2) : (tensor<*xf32>) -> ()
    }, {
      "onnx.Yield"(%0) : (tensor<*xf32>) -> ()
    }) : (tensor<i1>) -> tensor<*xf32>
    // CHECK: "onnx.SplitToSequence"(%{{.*}}) : (tensor<*xf32>) -> !onnx.Seq<tensor<*xf32>>
    %4 = "onnx.SplitToSequence"(%3) : (tensor<*xf32>) -> !onnx.Seq<tensor<*xf32>>
    return %3 : tensor<*xf32>
  }
}
