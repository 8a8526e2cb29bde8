// Operators that mostly compute with floats, on integers and truth values: the numbers are those of the reference
// evaluator.
// RUN: freehold run - < %s | FileCheck %s

module attributes {onnx.opset = 12 : i64} {
  func.func @main() -> (!onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown) {
    // False comes before true, also in rows.
    // CHECK: result #0: 2x2xi1
    // CHECK-NEXT: false, false
    // CHECK-NEXT: false, true
    %b = "onnx.Constant"() {value = dense<[[false, true], [false, false], [false, true]]> : tensor<3x2xi1>} : () -> tensor<3x2xi1>
    %0:4 = "onnx.Unique"(%b) {axis = 0 : si64, sorted = 1 : si64} : (tensor<3x2xi1>) -> (!onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown)
    // The square root of 1 + 4 + 16 is cut off.
    // CHECK: result #1: 1xi32 = [4]
    %i = "onnx.Constant"() {value = dense<[1, -2, 4]> : tensor<3xi32>} : () -> tensor<3xi32>
    %1 = "onnx.ReduceL2"(%i) : (tensor<3xi32>) -> !onnx.Unknown
    // CHECK: result #2: 1xui32 = [4294967295]
    %u = "onnx.Constant"() {value = dense<[4294967290, 5]> : tensor<2xui32>} : () -> tensor<2xui32>
    %2 = "onnx.ReduceL1"(%u) : (tensor<2xui32>) -> !onnx.Unknown
    // CHECK: result #3: 1xi32 = [4]
    %3 = "onnx.ReduceLogSumExp"(%i) : (tensor<3xi32>) -> !onnx.Unknown
    // CHECK: result #4: 3xi32 = [0, 0, 0]
    %4 = "onnx.Erf"(%i) : (tensor<3xi32>) -> !onnx.Unknown
    return %0#0, %1, %2, %3, %4 : !onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown, !onnx.Unknown
  }
}
