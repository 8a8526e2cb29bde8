// RUN: freehold opt %s --resolve-ranked-shaped-type-result-dims | FileCheck %s

// CHECK-LABEL: func.func @destination
// CHECK:         linalg.fill
// CHECK:         tensor.dim %arg0, %c1
func.func @destination(%t: tensor<4x?xf32>, %f: f32) -> index {
  %c1 = arith.constant 1 : index
  %0 = linalg.fill ins(%f : f32) outs(%t : tensor<4x?xf32>) -> tensor<4x?xf32>
  %n = tensor.dim %0, %c1 : tensor<4x?xf32>
  return %n : index
}

// CHECK-LABEL: func.func @pad
// CHECK:         %[[N:.*]] = tensor.dim %arg0, %c0
// CHECK:         %[[L:.*]] = arith.addi %[[N]], %arg1
// CHECK:         %[[H:.*]] = arith.addi %[[L]], %c3
// CHECK:         return %[[H]]
func.func @pad(%t: tensor<?xf32>, %a: index, %f: f32) -> index {
  %c0 = arith.constant 0 : index
  %0 = tensor.pad %t low[%a] high[3] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  %n = tensor.dim %0, %c0 : tensor<?xf32>
  return %n : index
}

// CHECK-LABEL: func.func @shapes
// CHECK:         return %arg1, %arg2
func.func @shapes(%t: tensor<?x?xf32>, %a: index, %b: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %0 = tensor.extract_slice %t[0, 0] [%a, 1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %n = tensor.dim %0, %c0 : tensor<?xf32>
  %1 = memref.alloc(%b) : memref<?x4xf32>
  %m = memref.dim %1, %c0 : memref<?x4xf32>
  memref.dealloc %1 : memref<?x4xf32>
  return %n, %m : index, index
}
