// RUN: freehold opt %s --convert-tensor-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @fill
// CHECK:         %[[N:.*]] = tensor.dim %arg0, %c1
// CHECK:         %[[S:.*]] = arith.addi %[[N]], %arg2
// CHECK:         %[[T:.*]] = arith.addi %[[S]], %c3
// CHECK:         %[[E:.*]] = tensor.empty(%[[T]]) : tensor<7x?xf32>
// CHECK:         %[[F:.*]] = linalg.fill ins(%arg1 : f32) outs(%[[E]] : tensor<7x?xf32>)
// CHECK:         tensor.insert_slice %arg0 into %[[F]][1, %arg2] [4, %[[N]]] [1, 1]
func.func @fill(%t: tensor<4x?xf32>, %p: f32, %n: index) -> tensor<7x?xf32> {
  %0 = tensor.pad %t low[1, %n] high[2, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %p : f32
  } : tensor<4x?xf32> to tensor<7x?xf32>
  return %0 : tensor<7x?xf32>
}

// CHECK-LABEL: func.func @generate
// CHECK:         %[[G:.*]] = tensor.generate {
// CHECK:         tensor.insert_slice %arg0 into %[[G]][1] [4] [1]
func.func @generate(%t: tensor<4xindex>) -> tensor<6xindex> {
  %0 = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    %j = arith.addi %i, %i : index
    tensor.yield %j : index
  } : tensor<4xindex> to tensor<6xindex>
  return %0 : tensor<6xindex>
}

// A constant that something before uses stays where it is.
// CHECK-LABEL: func.func @constant_from_outside
// CHECK:         %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    tensor.from_elements %[[ZERO]]
// CHECK:         linalg.fill ins(%[[ZERO]]
// CHECK-NOT:     tensor.pad
func.func @constant_from_outside() -> tensor<3xf32> {
  %zero = arith.constant 0.0 : f32
  %one = tensor.from_elements %zero : tensor<1xf32>
  %padded = tensor.pad %one low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<1xf32> to tensor<3xf32>
  return %padded : tensor<3xf32>
}
