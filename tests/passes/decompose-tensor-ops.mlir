// RUN: freehold opt %s --decompose-tensor-ops | FileCheck %s

// CHECK-LABEL: func.func @pack
// CHECK-SAME: (%[[T:.*]]: tensor<7xf32>, %[[D:.*]]: tensor<2x4xf32>, %[[V:.*]]: f32)
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<8xf32>
// CHECK-NEXT: %[[F:.*]] = linalg.fill ins(%[[V]] : f32) outs(%[[E]] : tensor<8xf32>)
// CHECK-NEXT: %[[P:.*]] = tensor.insert_slice %[[T]] into %[[F]][0] [7] [1]
// CHECK-NEXT: %[[X:.*]] = tensor.expand_shape %[[P]] {{\[\[}}0, 1]] output_shape [2, 4]
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[X]] : tensor<2x4xf32>) outs(%[[D]] : tensor<2x4xf32>)
func.func @pack(%t: tensor<7xf32>, %d: tensor<2x4xf32>, %v: f32) -> tensor<2x4xf32> {
  %0 = tensor.pack %t padding_value(%v : f32) inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<7xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Whole tiles need no padding.
// CHECK-LABEL: func.func @whole
// CHECK-SAME: (%[[T:.*]]: tensor<4x6xf32>, %[[D:.*]]: tensor<2x4x3xf32>)
// CHECK-NEXT: %[[X:.*]] = tensor.expand_shape %[[T]] {{\[\[}}0], [1, 2]] output_shape [4, 2, 3]
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[X]] : tensor<4x2x3xf32>) outs(%[[D]] : tensor<2x4x3xf32>)
func.func @whole(%t: tensor<4x6xf32>, %d: tensor<2x4x3xf32>) -> tensor<2x4x3xf32> {
  %0 = tensor.pack %t outer_dims_perm = [1, 0] inner_dims_pos = [1] inner_tiles = [3] into %d : tensor<4x6xf32> -> tensor<2x4x3xf32>
  return %0 : tensor<2x4x3xf32>
}

// CHECK-LABEL: func.func @unpack
// CHECK-SAME: (%[[T:.*]]: tensor<2x4xf32>, %[[D:.*]]: tensor<7xf32>)
// CHECK-NEXT: %[[E:.*]] = tensor.empty() : tensor<2x4xf32>
// CHECK-NEXT: %[[G:.*]] = linalg.generic {{.*}} ins(%[[T]] : tensor<2x4xf32>) outs(%[[E]] : tensor<2x4xf32>)
// CHECK:      %[[C:.*]] = tensor.collapse_shape %[[G]] {{\[\[}}0, 1]]
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[C]][0] [7] [1]
// CHECK-NEXT: linalg.generic {{.*}} ins(%[[S]] : tensor<7xf32>) outs(%[[D]] : tensor<7xf32>)
func.func @unpack(%t: tensor<2x4xf32>, %d: tensor<7xf32>) -> tensor<7xf32> {
  %0 = tensor.unpack %t inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<2x4xf32> -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// CHECK-LABEL: func.func @scatter
// CHECK-SAME: (%[[S:.*]]: tensor<2x4xf32>, %[[D:.*]]: tensor<3x4xf32>, %[[I:.*]]: tensor<2x1xi32>)
// CHECK:      %[[R:.*]] = scf.for %[[B:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[A:.*]] = %[[D]])
// CHECK:        %[[X:.*]] = tensor.extract %[[I]][%[[B]], %{{.*}}]
// CHECK-NEXT:   %[[P:.*]] = arith.index_cast %[[X]] : i32 to index
// CHECK-NEXT:   %[[L:.*]] = tensor.extract_slice %[[S]][%[[B]], 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
// CHECK-NEXT:   %[[O:.*]] = tensor.extract_slice %[[A]][%[[P]], 0] [1, 4] [1, 1] : tensor<3x4xf32> to tensor<4xf32>
// CHECK-NEXT:   %[[G:.*]] = linalg.generic {{.*}} ins(%[[L]] : tensor<4xf32>) outs(%[[O]] : tensor<4xf32>)
// CHECK:        %[[N:.*]] = tensor.insert_slice %[[G]] into %[[A]][%[[P]], 0] [1, 4] [1, 1]
// CHECK-NEXT:   scf.yield %[[N]]
// CHECK:      return %[[R]]
func.func @scatter(%s: tensor<2x4xf32>, %d: tensor<3x4xf32>, %i: tensor<2x1xi32>) -> tensor<3x4xf32> {
  %0 = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<2x4xf32>, tensor<3x4xf32>, tensor<2x1xi32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// Where sizes are not known, there has to be a slice for each position.
// CHECK-LABEL: func.func @positions
// CHECK:      cf.assert %{{.*}}, "dimension #0 of operand #0 of 'tensor.scatter' is incompatible with dimension #0 of operand #2"
// CHECK:      scf.for
func.func @positions(%s: tensor<?x4xf32>, %d: tensor<3x4xf32>, %i: tensor<?x1xindex>) -> tensor<3x4xf32> {
  %0 = tensor.scatter %s into %d[%i] scatter_dims([0]) unique : (tensor<?x4xf32>, tensor<3x4xf32>, tensor<?x1xindex>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @bitcast
// CHECK:      linalg.generic
// CHECK:        arith.bitcast %{{.*}} : i32 to f32
func.func @bitcast(%t: tensor<?xi32>) -> tensor<?xf32> {
  %0 = tensor.bitcast %t : tensor<?xi32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}

// What stays: signs, which convert-to-signless takes away first, and unknown ranks.
// CHECK-LABEL: func.func @stays
// CHECK:      tensor.bitcast
// CHECK-NEXT: tensor.bitcast
func.func @stays(%t: tensor<?xui32>, %u: tensor<*xi32>) -> (tensor<?xf32>, tensor<*xf32>) {
  %0 = tensor.bitcast %t : tensor<?xui32> to tensor<?xf32>
  %1 = tensor.bitcast %u : tensor<*xi32> to tensor<*xf32>
  return %0, %1 : tensor<?xf32>, tensor<*xf32>
}
