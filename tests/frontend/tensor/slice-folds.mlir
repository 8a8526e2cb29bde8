// RUN: freehold opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @whole
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %{{.*}}: tensor<4x8xf32>
// CHECK-NEXT:    return %[[X]], %[[X]]
func.func @whole(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %a = tensor.extract_slice %x[0, %c0] [4, 8] [1, 1] : tensor<4x8xf32> to tensor<4x8xf32>
  %b = tensor.insert_slice %x into %y[0, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x8xf32>
  return %a, %b : tensor<4x8xf32>, tensor<4x8xf32>
}

// CHECK-LABEL: func.func @no_margin
// CHECK:         tensor.pad %{{.*}} nofold
// CHECK-NOT:     tensor.pad
func.func @no_margin(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = tensor.pad %x low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<4xf32>
  %b = tensor.pad %x nofold low[0] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<4xf32> to tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// How large an unknown slice is nobody knows.
// CHECK-LABEL: func.func @part
// CHECK:         extract_slice
// CHECK:         insert_slice
func.func @part(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %a = tensor.extract_slice %x[0] [%n] [1] : tensor<?xf32> to tensor<?xf32>
  %b = tensor.insert_slice %x into %y[0] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @transposed
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>, %[[Y:.*]]: tensor<4x4xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[Y]]
// CHECK:         return %[[X]], %[[T]]
func.func @transposed(%x: tensor<4x8xf32>, %y: tensor<4x4xf32>) -> (tensor<4x8xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = tensor.empty() : tensor<4x4xf32>
  %a = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) permutation = [0, 1]
  %b = linalg.transpose ins(%y : tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) permutation = [1, 0]
  return %a, %b : tensor<4x8xf32>, tensor<4x4xf32>
}
