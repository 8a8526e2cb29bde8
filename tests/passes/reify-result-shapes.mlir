// RUN: freehold opt %s --reify-result-shapes | FileCheck %s

// CHECK-LABEL: func.func @concat
// CHECK:         %[[C:.*]] = tensor.concat dim(1) %arg0, %arg1 : (tensor<4x7x3xf32>, tensor<4x4x3xf32>) -> tensor<4x11x3xf32>
// CHECK:         %[[R:.*]] = tensor.cast %[[C]] : tensor<4x11x3xf32> to tensor<4x?x3xf32>
// CHECK:         return %[[R]]
func.func @concat(%a: tensor<4x7x3xf32>, %b: tensor<4x4x3xf32>) -> tensor<4x?x3xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<4x7x3xf32>, tensor<4x4x3xf32>) -> tensor<4x?x3xf32>
  return %0 : tensor<4x?x3xf32>
}

// The other dimensions are those of any input.
// CHECK-LABEL: func.func @other_dims
// CHECK:         %[[C:.*]] = tensor.concat dim(0) {{.*}} -> tensor<?x7xf32>
// CHECK:         %[[R:.*]] = tensor.cast %[[C]] : tensor<?x7xf32> to tensor<?x?xf32>
// CHECK:         return %[[R]]
func.func @other_dims(%a: tensor<?x7xf32>, %b: tensor<4x7xf32>) -> tensor<?x?xf32> {
  %0 = tensor.concat dim(0) %a, %b : (tensor<?x7xf32>, tensor<4x7xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A margin that is an operand and a constant.
// CHECK-LABEL: func.func @pad
// CHECK:         %[[P:.*]] = tensor.pad
// CHECK:         } : tensor<1x?x64xf32> to tensor<1x?x64xf32>
// CHECK:         %[[R:.*]] = tensor.cast %[[P]] : tensor<1x?x64xf32> to tensor<1x?x?xf32>
// CHECK:         return %[[R]]
func.func @pad(%t: tensor<1x?x64xf32>, %x: f32) -> tensor<1x?x?xf32> {
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %t low[0, 0, 0] high[0, 0, %c0] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %x : f32
  } : tensor<1x?x64xf32> to tensor<1x?x?xf32>
  return %0 : tensor<1x?x?xf32>
}
