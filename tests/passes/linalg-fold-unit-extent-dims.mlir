// RUN: freehold opt %s --linalg-fold-unit-extent-dims | FileCheck %s
// RUN: freehold opt %s --linalg-fold-unit-extent-dims --one-shot-bufferize="bufferize-function-boundaries=true" > /dev/null

// A loop that runs once goes, and the dimensions that it goes through. Others keep their counters.
// CHECK-DAG: #[[$ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @loops
// CHECK:         %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<1x8xi32> into tensor<8xi32>
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<4x8xi32>
// CHECK:         %[[R:.*]] = linalg.generic {indexing_maps = [#[[$ROW]], #[[$ALL]]], iterator_types = ["parallel", "parallel"]}
// CHECK-SAME:      ins(%[[X]] : tensor<8xi32>) outs(%[[E]] : tensor<4x8xi32>)
// CHECK:           linalg.index 1
// CHECK:         tensor.expand_shape %[[R]] {{\[}}[0, 1], [2]] output_shape [4, 1, 8] : tensor<4x8xi32> into tensor<4x1x8xi32>
func.func @loops(%x: tensor<1x8xi32>) -> tensor<4x1x8xi32> {
  %e = tensor.empty() : tensor<4x1x8xi32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (0, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<1x8xi32>) outs(%e : tensor<4x1x8xi32>) {
  ^bb0(%in: i32, %out: i32):
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %sum = arith.addi %j, %k : index
    %n = arith.index_cast %sum : index to i32
    %s = arith.addi %in, %n : i32
    linalg.yield %s : i32
  } -> tensor<4x1x8xi32>
  return %r : tensor<4x1x8xi32>
}

// Sizes of run time go along.
// CHECK-LABEL: func.func @sizes
// CHECK-DAG:     %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<?x1x?xf32> into tensor<?x?xf32>
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<?x?xf32>)
// CHECK:         tensor.expand_shape %[[R]] {{\[}}[0, 1], [2]] output_shape [%{{.*}}, 1, %{{.*}}]
func.func @sizes(%x: tensor<?x1x?xf32>, %out: tensor<?x1x?xf32>) -> tensor<?x1x?xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, j, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<?x1x?xf32>) outs(%out : tensor<?x1x?xf32>) {
  ^bb0(%in: f32, %old: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<?x1x?xf32>
  return %r : tensor<?x1x?xf32>
}

// What is left is no reduction: the initial value is an input.
// CHECK-LABEL: func.func @reduction
// CHECK-DAG:     %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1]] : tensor<8x1xf32> into tensor<8xf32>
// CHECK-DAG:     %[[E:.*]] = tensor.empty() : tensor<8xf32>
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[X]], %{{.*}} : tensor<8xf32>, tensor<8xf32>) outs(%[[E]] : tensor<8xf32>)
func.func @reduction(%x: tensor<8x1xf32>, %initial: tensor<8xf32>) -> tensor<8xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x1xf32>) outs(%initial : tensor<8xf32>) {
  ^bb0(%in: f32, %old: f32):
    %s = arith.addf %old, %in : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// Filled tensors are made without dimensions of size 1, and reshapes that undo each other are gone.
// CHECK-LABEL: func.func @chain
// CHECK-NOT:     expand_shape
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<f32>
// CHECK:         %[[F:.*]] = linalg.fill ins(%{{.*}} : f32) outs(%[[E]] : tensor<f32>) -> tensor<f32>
// CHECK:         %[[S:.*]] = linalg.generic {{.*}}iterator_types = ["reduction"]} {{.*}} outs(%[[F]] : tensor<f32>)
// CHECK:         %[[R:.*]] = linalg.generic {{.*}}iterator_types = []} ins(%[[S]] : tensor<f32>)
// CHECK:         tensor.expand_shape %[[R]] [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
// CHECK-NOT:     expand_shape
func.func @chain(%x: tensor<1x100xf32>) -> tensor<1x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<1x100xf32>) outs(%f : tensor<1x1xf32>) {
  ^bb0(%in: f32, %old: f32):
    %s = arith.addf %old, %in : f32
    linalg.yield %s : f32
  } -> tensor<1x1xf32>
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<1x1xf32>) outs(%e : tensor<1x1xf32>) {
  ^bb0(%in: f32, %old: f32):
    %n = arith.negf %in : f32
    linalg.yield %n : f32
  } -> tensor<1x1xf32>
  return %r : tensor<1x1xf32>
}

// CHECK-LABEL: func.func @slices
// CHECK:         tensor.extract_slice %{{.*}}[0, %{{.*}}] [1, 4] [1, 1] : tensor<3x8xf32> to tensor<4xf32>
// CHECK-NOT:     reshape
// CHECK:         tensor.insert_slice %{{.*}} into %{{.*}}[0, 1] [1, 4] [1, 1] : tensor<4xf32> into tensor<1x8xf32>
func.func @slices(%x: tensor<3x8xf32>, %y: tensor<1x8xf32>, %i: index) -> tensor<1x8xf32> {
  %s = tensor.extract_slice %x[0, %i] [1, 4] [1, 1] : tensor<3x8xf32> to tensor<1x4xf32>
  %r = tensor.insert_slice %s into %y[0, 1] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<1x8xf32>
  return %r : tensor<1x8xf32>
}

// A pad: the first dimension has no margin, the second one has.
// CHECK-LABEL: func.func @pad
// CHECK:         %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[}}[0, 1], [2]] : tensor<1x1x4xf32> into tensor<1x4xf32>
// CHECK:         %[[P:.*]] = tensor.pad %[[X]] low[1, 0] high[0, %{{.*}}]
// CHECK-NEXT:    ^bb0(%{{.*}}: index, %{{.*}}: index):
// CHECK:         } : tensor<1x4xf32> to tensor<2x?xf32>
// CHECK:         tensor.expand_shape %[[P]] {{\[}}[0, 1], [2]] output_shape [1, 2, %{{.*}}] : tensor<2x?xf32> into tensor<1x2x?xf32>
func.func @pad(%x: tensor<1x1x4xf32>, %high: index) -> tensor<1x2x?xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 0] high[0, 0, %high] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x1x4xf32> to tensor<1x2x?xf32>
  return %p : tensor<1x2x?xf32>
}

// Its elements depend on where they are, so it stays.
// CHECK-LABEL: func.func @pad_by_place
// CHECK-NOT:     collapse_shape
func.func @pad_by_place(%x: tensor<1x4xindex>) -> tensor<1x6xindex> {
  %p = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %j : index
  } : tensor<1x4xindex> to tensor<1x6xindex>
  return %p : tensor<1x6xindex>
}

// Nothing has the size that the loop would need.
// CHECK-LABEL: func.func @nothing_to_do
// CHECK-NOT:     collapse_shape
func.func @nothing_to_do(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%x : tensor<?x8xf32>) {
  ^bb0(%old: f32):
    %zero = arith.constant 0.0 : f32
    linalg.yield %zero : f32
  } -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
