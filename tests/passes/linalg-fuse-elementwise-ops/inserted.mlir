// RUN: freehold opt %s --split-input-file --linalg-fuse-elementwise-ops --canonicalize | FileCheck %s

// Indices to gather by, one column after the other: each part is read where it was made, and is computed where it is read.
// CHECK-LABEL: func.func @concatenated
// CHECK-SAME:    (%[[TABLE:.*]]: tensor<4x5xf32>, %[[I:.*]]: tensor<8xindex>, %[[J:.*]]: tensor<8xindex>)
// CHECK-NOT:     tensor.insert_slice
// CHECK:         linalg.generic {{.*}} ins(%[[I]], %[[J]] : tensor<8xindex>, tensor<8xindex>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: index, %[[B:.*]]: index, %{{.*}}: f32):
// CHECK-DAG:       %[[M:.*]] = arith.addi %[[A]], %[[A]]
// CHECK-DAG:       %[[N:.*]] = arith.muli %[[B]], %[[B]]
// CHECK:           tensor.extract %[[TABLE]][%[[M]], %[[N]]]
#id = affine_map<(d0) -> (d0)>
#first = affine_map<(d0) -> (d0, 0)>
#second = affine_map<(d0) -> (d0, 1)>
func.func @concatenated(%table: tensor<4x5xf32>, %i: tensor<8xindex>, %j: tensor<8xindex>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xindex>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%i : tensor<8xindex>) outs(%e : tensor<8xindex>) {
  ^bb0(%a: index, %o: index):
    %m = arith.addi %a, %a : index
    linalg.yield %m : index
  } -> tensor<8xindex>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%j : tensor<8xindex>) outs(%e : tensor<8xindex>) {
  ^bb0(%a: index, %o: index):
    %m = arith.muli %a, %a : index
    linalg.yield %m : index
  } -> tensor<8xindex>
  %2 = tensor.expand_shape %0 [[0, 1]] output_shape [8, 1] : tensor<8xindex> into tensor<8x1xindex>
  %3 = tensor.empty() : tensor<8x2xindex>
  %4 = tensor.insert_slice %2 into %3[0, 0] [8, 1] [1, 1] : tensor<8x1xindex> into tensor<8x2xindex>
  %5 = tensor.insert_slice %1 into %4[0, 1] [8, 1] [1, 1] : tensor<8xindex> into tensor<8x2xindex>
  %f = tensor.empty() : tensor<8xf32>
  %6 = linalg.generic {indexing_maps = [#first, #second, #id], iterator_types = ["parallel"]} ins(%5, %5 : tensor<8x2xindex>, tensor<8x2xindex>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: index, %b: index, %o: f32):
    %m = tensor.extract %table[%a, %b] : tensor<4x5xf32>
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %6 : tensor<8xf32>
}

// -----

// Not so where somebody else needs the whole, where a subscript may be of several parts, where a slice does not have all of
// a row, or where elements are those of what was inserted into, which may be overwritten by then.
// CHECK-LABEL: func.func @whole
// CHECK:         %[[WHOLE:.*]] = tensor.insert_slice
// CHECK:         linalg.generic {{.*}} ins(%[[WHOLE]] : tensor<8x2xf32>)
#id = affine_map<(d0) -> (d0)>
#first = affine_map<(d0) -> (d0, 0)>
func.func @whole(%x: tensor<8x1xf32>, %d: tensor<8x2xf32>) -> (tensor<8xf32>, tensor<8x2xf32>) {
  %0 = tensor.insert_slice %x into %d[0, 0] [8, 1] [1, 1] : tensor<8x1xf32> into tensor<8x2xf32>
  %e = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8x2xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %1, %0 : tensor<8xf32>, tensor<8x2xf32>
}

// CHECK-LABEL: func.func @any_column
// CHECK:         %[[WHOLE:.*]] = tensor.insert_slice
// CHECK:         linalg.generic {{.*}} ins(%[[WHOLE]] : tensor<8x2xf32>)
#both = affine_map<(d0, d1) -> (d0, d1)>
func.func @any_column(%x: tensor<8x1xf32>, %d: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %0 = tensor.insert_slice %x into %d[0, 0] [8, 1] [1, 1] : tensor<8x1xf32> into tensor<8x2xf32>
  %e = tensor.empty() : tensor<8x2xf32>
  %1 = linalg.generic {indexing_maps = [#both, #both], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// CHECK-LABEL: func.func @part_of_a_column
// CHECK:         %[[WHOLE:.*]] = tensor.insert_slice
// CHECK:         linalg.generic {{.*}} ins(%[[WHOLE]] : tensor<8x2xf32>)
func.func @part_of_a_column(%x: tensor<4x1xf32>, %d: tensor<8x2xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %x into %d[0, 0] [4, 1] [2, 1] : tensor<4x1xf32> into tensor<8x2xf32>
  %e = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#first, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8x2xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func.func @under_it
// CHECK:         %[[WHOLE:.*]] = tensor.insert_slice
// CHECK:         linalg.generic {{.*}} ins(%[[WHOLE]] : tensor<8x2xf32>)
#second = affine_map<(d0) -> (d0, 1)>
func.func @under_it(%x: tensor<8x1xf32>, %d: tensor<8x2xf32>) -> tensor<8xf32> {
  %0 = tensor.insert_slice %x into %d[0, 0] [8, 1] [1, 1] : tensor<8x1xf32> into tensor<8x2xf32>
  %e = tensor.empty() : tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#second, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8x2xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
