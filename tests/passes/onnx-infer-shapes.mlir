// RUN: freehold opt %s --onnx-infer-shapes | FileCheck %s

// Types follow from operators; what the model does not know is filled in, operators stay.

module attributes {onnx.opset = 17 : i64} {
  // CHECK-LABEL: func.func @flatten
  // CHECK-SAME: -> tensor<?x12xf32>
  func.func @flatten(%a: tensor<?x3x4xf32>) -> tensor<*xf32> {
    // CHECK-NEXT: "onnx.Flatten"(%{{.*}}) {axis = 1 : si64} : (tensor<?x3x4xf32>) -> tensor<?x12xf32>
    %0 = "onnx.Flatten"(%a) {axis = 1 : si64} : (tensor<?x3x4xf32>) -> tensor<*xf32>
    return %0 : tensor<*xf32>
  }

  // The shape of one tensor, computed from that of another one, is known as far as that is.
  // CHECK-LABEL: func.func @computed
  // CHECK: "onnx.Reshape"(%{{.*}}, %{{.*}}) : (tensor<?x3x4xf32>, tensor<2xi64>) -> tensor<?x12xf32>
  func.func @computed(%a: tensor<?x3x4xf32>) -> !onnx.Unknown {
    %shape = "onnx.Shape"(%a) : (tensor<?x3x4xf32>) -> !onnx.Unknown
    %zero = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
    %first = "onnx.Gather"(%shape, %zero) {axis = 0 : si64} : (!onnx.Unknown, tensor<1xi64>) -> !onnx.Unknown
    %rest = "onnx.Constant"() {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
    %all = "onnx.Concat"(%first, %rest) {axis = 0 : si64} : (!onnx.Unknown, tensor<1xi64>) -> !onnx.Unknown
    %0 = "onnx.Reshape"(%a, %all) : (tensor<?x3x4xf32>, !onnx.Unknown) -> !onnx.Unknown
    return %0 : !onnx.Unknown
  }
}
