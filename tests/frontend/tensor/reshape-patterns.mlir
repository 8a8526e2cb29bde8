// RUN: freehold opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @there_and_back
// CHECK-SAME:    %[[X:.*]]: tensor<2x?xf32>
// CHECK-NEXT:    return %[[X]]
func.func @there_and_back(%x: tensor<2x?xf32>, %n: index) -> tensor<2x?xf32> {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<2x?xf32> into tensor<?xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [2, %n] : tensor<?xf32> into tensor<2x?xf32>
  return %e : tensor<2x?xf32>
}

// Two sizes are unknown: 2x6 may have become 3x4, or 0x2 5x0.
// CHECK-LABEL: func.func @other_sizes
// CHECK-NEXT:    collapse_shape
// CHECK-NEXT:    expand_shape
// CHECK:       func.func @no_elements
// CHECK-NEXT:    collapse_shape
// CHECK-NEXT:    expand_shape
func.func @other_sizes(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %e = tensor.expand_shape %c [[0, 1]] output_shape [%n, %m] : tensor<?xf32> into tensor<?x?xf32>
  return %e : tensor<?x?xf32>
}
func.func @no_elements(%x: tensor<?x0x2xf32>, %n: index) -> tensor<?x0x2xf32> {
  %c = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x0x2xf32> into tensor<?x2xf32>
  %e = tensor.expand_shape %c [[0, 1], [2]] output_shape [%n, 0, 2] : tensor<?x2xf32> into tensor<?x0x2xf32>
  return %e : tensor<?x0x2xf32>
}

// CHECK-LABEL: func.func @back_and_there
// CHECK-SAME:    %[[X:.*]]: tensor<?x?xf32>
// CHECK-NEXT:    return %[[X]]
func.func @back_and_there(%x: tensor<?x?xf32>, %n: index, %m: index) -> tensor<?x?xf32> {
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, 4, %m] : tensor<?x?xf32> into tensor<?x4x?xf32>
  %c = tensor.collapse_shape %e [[0, 1], [2]] : tensor<?x4x?xf32> into tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @twice
// CHECK-NEXT:    tensor.collapse_shape %{{.*}} {{\[}}[0, 1, 2], [3]] : tensor<2x3x4x5xf32> into tensor<24x5xf32>
// CHECK-NEXT:    tensor.expand_shape %{{.*}} {{\[}}[0, 1, 2]] output_shape [2, %{{.*}}, 3] : tensor<?xf32> into tensor<2x?x3xf32>
func.func @twice(%x: tensor<2x3x4x5xf32>, %y: tensor<?xf32>, %n: index, %m: index) -> (tensor<24x5xf32>, tensor<2x?x3xf32>) {
  %a = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<2x3x4x5xf32> into tensor<6x4x5xf32>
  %b = tensor.collapse_shape %a [[0, 1], [2]] : tensor<6x4x5xf32> into tensor<24x5xf32>
  %c = tensor.expand_shape %y [[0, 1]] output_shape [2, %n] : tensor<?xf32> into tensor<2x?xf32>
  %d = tensor.expand_shape %c [[0], [1, 2]] output_shape [2, %m, 3] : tensor<2x?xf32> into tensor<2x?x3xf32>
  return %b, %d : tensor<24x5xf32>, tensor<2x?x3xf32>
}
