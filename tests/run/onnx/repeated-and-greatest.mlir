// Images enlarged by whole numbers, whose elements are repeated, and the first elements of an order, of which there may be
// too few.
// RUN: freehold run %s --input=1x1x2x3xf32=1,2,3,4,5,6 | FileCheck %s
// RUN: freehold run %s --function=greatest --input=1x3xf32=1,3,2 --input=1xi64=2 | FileCheck %s --check-prefix=TWO
// RUN: not freehold run %s --function=greatest --input=1x3xf32=1,3,2 --input=1xi64=4 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: not freehold run %s --function=greatest --input=1x3xf32=1,3,2 --input=1xi64=-1 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: not freehold run %s --function=five --input=1x3xf32=1,3,2 2>&1 | FileCheck %s --check-prefix=FIVE

// FOUR: error: assertion failed: TopK is to find more elements than there are, or fewer than none
// FIVE: error: assertion failed: TopK is to find more elements than there are, or fewer than none
module attributes {onnx.opset = 19 : i64} {
  func.func @main(%x: tensor<?x?x?x?xf32>) -> (!onnx.Unknown, !onnx.Unknown) {
    %none = "onnx.NoValue"() {value} : () -> none
    // CHECK:      result #0: 1x1x4x9xf32
    // CHECK-NEXT: 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0
    // CHECK-NEXT: 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0
    // CHECK-NEXT: 4.0, 4.0, 4.0, 5.0, 5.0, 5.0, 6.0, 6.0, 6.0
    %whole = "onnx.Constant"() {value = dense<[1.0, 1.0, 2.0, 3.0]> : tensor<4xf32>} : () -> tensor<4xf32>
    %0 = "onnx.Resize"(%x, %none, %whole, %none) {mode = "nearest", coordinate_transformation_mode = "half_pixel", nearest_mode = "round_prefer_floor"} : (tensor<?x?x?x?xf32>, none, tensor<4xf32>, none) -> !onnx.Unknown
    // Rows are repeated, and columns are not by a whole number.
    // CHECK:      result #1: 1x1x4x4xf32
    // CHECK-NEXT: 1.0, 1.0, 2.0, 3.0
    // CHECK-NEXT: 1.0, 1.0, 2.0, 3.0
    // CHECK-NEXT: 4.0, 4.0, 5.0, 6.0
    %part = "onnx.Constant"() {value = dense<[1.0, 1.0, 2.0, 1.5]> : tensor<4xf32>} : () -> tensor<4xf32>
    %1 = "onnx.Resize"(%x, %none, %part, %none) {mode = "nearest", coordinate_transformation_mode = "asymmetric", nearest_mode = "floor"} : (tensor<?x?x?x?xf32>, none, tensor<4xf32>, none) -> !onnx.Unknown
    return %0, %1 : !onnx.Unknown, !onnx.Unknown
  }

  // TWO:      result #0: 1x2xf32
  // TWO-NEXT: 3.0, 2.0
  func.func @greatest(%x: tensor<?x?xf32>, %k: tensor<1xi64>) -> !onnx.Unknown {
    %values, %places = "onnx.TopK"(%x, %k) {axis = -1 : si64} : (tensor<?x?xf32>, tensor<1xi64>) -> (!onnx.Unknown, !onnx.Unknown)
    return %values : !onnx.Unknown
  }

  func.func @five(%x: tensor<?x?xf32>) -> !onnx.Unknown {
    %k = "onnx.Constant"() {value = dense<5> : tensor<1xi64>} : () -> tensor<1xi64>
    %values, %places = "onnx.TopK"(%x, %k) {axis = -1 : si64} : (tensor<?x?xf32>, tensor<1xi64>) -> (!onnx.Unknown, !onnx.Unknown)
    return %values : !onnx.Unknown
  }
}
