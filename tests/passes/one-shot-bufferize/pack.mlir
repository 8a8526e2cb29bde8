// Tiled tensors are taken apart into slices, reshapes and transposes, unless these are not to be bufferized.

// RUN: freehold opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries dialect-filter=bufferization" | FileCheck %s --check-prefix=STAYS
// RUN: freehold opt %s --one-shot-bufferize=bufferize-function-boundaries | freehold run - -e show | FileCheck %s --check-prefix=RUNS

// CHECK-LABEL: func.func @pack
// CHECK:         linalg.fill
// CHECK:         memref.copy
// CHECK:         memref.expand_shape
// CHECK:         linalg.generic
// CHECK-NOT:     tensor.
// STAYS-LABEL: func.func @pack
// STAYS:         pack
func.func @pack(%t: tensor<3x2xi32>, %pad: i32) -> tensor<2x1x2x2xi32> {
  %e = tensor.empty() : tensor<2x1x2x2xi32>
  %p = tensor.pack %t padding_value(%pad : i32) inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<3x2xi32> -> tensor<2x1x2x2xi32>
  return %p : tensor<2x1x2x2xi32>
}

// CHECK-LABEL: func.func @unpack
// CHECK:         memref.collapse_shape
// CHECK:         memref.subview
func.func @unpack(%t: tensor<2x1x2x2xi32>) -> tensor<3x2xi32> {
  %e = tensor.empty() : tensor<3x2xi32>
  %u = tensor.unpack %t inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e : tensor<2x1x2x2xi32> -> tensor<3x2xi32>
  return %u : tensor<3x2xi32>
}

// RUNS:      ( ( ( ( 1, 2 ), ( 3, 4 ) ) ), ( ( ( 5, 6 ), ( 9, 9 ) ) ) )
// RUNS-NEXT: ( ( 1, 2 ), ( 3, 4 ), ( 5, 6 ) )
func.func @show() {
  %c0 = arith.constant 0 : index
  %nine = arith.constant 9 : i32
  %t = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>
  %p = func.call @pack(%t, %nine) : (tensor<3x2xi32>, i32) -> tensor<2x1x2x2xi32>
  %v = vector.transfer_read %p[%c0, %c0, %c0, %c0], %nine : tensor<2x1x2x2xi32>, vector<2x1x2x2xi32>
  vector.print %v : vector<2x1x2x2xi32>
  %u = func.call @unpack(%p) : (tensor<2x1x2x2xi32>) -> tensor<3x2xi32>
  %w = vector.transfer_read %u[%c0, %c0], %nine : tensor<3x2xi32>, vector<3x2xi32>
  vector.print %w : vector<3x2xi32>
  return
}
