// Sequences whose length is known stand for their tensors.
// RUN: freehold run - < %s | FileCheck %s

module attributes {onnx.opset = 17 : i64} {
  func.func @main() -> (!onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown) {
    %x = "onnx.Constant"() {value = dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>} : () -> tensor<5xf32>
    %two = "onnx.Constant"() {value = dense<2> : tensor<i64>} : () -> tensor<i64>
    %last = "onnx.Constant"() {value = dense<-1> : tensor<i64>} : () -> tensor<i64>
    %first = "onnx.Constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
    %none = "onnx.NoValue"() {value} : () -> none
    // [1, 2], [3, 4], [5]
    %parts = "onnx.SplitToSequence"(%x, %two) {axis = 0 : si64} : (tensor<5xf32>, tensor<i64>) -> !onnx.Unknown
    // CHECK: i64 = 3
    %0 = "onnx.SequenceLength"(%parts) : (!onnx.Unknown) -> !onnx.Unknown
    // CHECK: 1xf32 = [5.0]
    %1 = "onnx.SequenceAt"(%parts, %last) : (!onnx.Unknown, tensor<i64>) -> !onnx.Unknown
    // CHECK: 6xf32 = [-5.0, -1.0, -2.0, -3.0, -4.0, -5.0]
    %more = "onnx.SequenceInsert"(%parts, %1, %first) : (!onnx.Unknown, !onnx.Unknown, tensor<i64>) -> !onnx.Unknown
    %negative = "onnx.SequenceMap"(%more) ({
    ^bb0(%part: !onnx.Unknown):
      %n = "onnx.Neg"(%part) : (!onnx.Unknown) -> !onnx.Unknown
      "onnx.Yield"(%n) : (!onnx.Unknown) -> ()
    }) : (!onnx.Unknown) -> !onnx.Unknown
    %2 = "onnx.ConcatFromSequence"(%negative) {axis = 0 : si64} : (!onnx.Unknown) -> !onnx.Unknown
    // CHECK: i1 = false
    %nothing = "onnx.Optional"() : () -> !onnx.Unknown
    %3 = "onnx.OptionalHasElement"(%nothing) : (!onnx.Unknown) -> !onnx.Unknown
    return %0, %1, %2, %3 : !onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown
  }
}
