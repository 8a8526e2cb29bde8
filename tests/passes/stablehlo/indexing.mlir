// What gathers, scatters and sorts become.

// RUN: freehold opt %s --stablehlo-legalize-to-linalg --canonicalize | FileCheck %s
// RUN: freehold opt %s --stablehlo-legalize-to-linalg --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=BUFFERS

// A row per index, in one operation.
// CHECK:       #[[INDEX:.*]] = affine_map<(d0, d1) -> (d0, 0)>
// CHECK:       #[[RESULT:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @gather
// CHECK:         linalg.generic {indexing_maps = [#[[INDEX]], #[[RESULT]]], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<8x1xi32>)
// CHECK:           %[[LOW:.*]] = arith.maxsi
// CHECK:           %[[ROW:.*]] = arith.minsi %[[LOW]], %c99
// CHECK:           %[[COLUMN:.*]] = linalg.index 1
// CHECK:           tensor.extract %arg0[%[[ROW]], %[[COLUMN]]]
// CHECK-NOT:     linalg.generic
func.func @gather(%table: tensor<100x64xf32>, %indices: tensor<8x1xi32>) -> tensor<8x64xf32> {
  %0 = "stablehlo.gather"(%table, %indices) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 64>}> : (tensor<100x64xf32>, tensor<8x1xi32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}

// One window at a known place is a slice; the indices are joined now.
// CHECK-LABEL: func.func @known_window
// CHECK:         %[[OLD:.*]] = tensor.extract_slice %arg0[1, 2] [3, 4] [1, 1]
// CHECK:         %[[NEW:.*]] = linalg.generic {{.*}} ins(%arg1 : tensor<3x4xf32>) outs(%[[OLD]] : tensor<3x4xf32>)
// CHECK:           arith.subf %out, %in
// CHECK:         tensor.insert_slice %[[NEW]] into %arg0[1, 2] [3, 4] [1, 1]
// BUFFERS-LABEL: func.func @known_window
func.func @known_window(%x: tensor<5x6xf32>, %updates: tensor<3x4xf32>) -> tensor<5x6xf32> {
  %row = stablehlo.constant dense<1> : tensor<1xi32>
  %column = stablehlo.constant dense<2> : tensor<1xi32>
  %indices = stablehlo.concatenate %row, %column, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.scatter"(%x, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.subtract %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<5x6xf32>, tensor<2xi32>, tensor<3x4xf32>) -> tensor<5x6xf32>
  return %0 : tensor<5x6xf32>
}

// A column that is replaced, and a window that is not within the tensor.
// CHECK-LABEL: func.func @column
// CHECK:         %[[COLUMN:.*]] = tensor.expand_shape %arg1
// CHECK:         %[[NEW:.*]] = tensor.insert_slice %[[COLUMN]] into %arg0[0, 5] [5, 1] [1, 1]
// CHECK:         return %[[NEW]], %arg0
// BUFFERS-LABEL: func.func @column
func.func @column(%x: tensor<5x6xf32>, %updates: tensor<5xf32>) -> (tensor<5x6xf32>, tensor<5x6xf32>) {
  %last = stablehlo.constant dense<5> : tensor<1xi32>
  %after = stablehlo.constant dense<6> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %last, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<5x6xf32>, tensor<1xi32>, tensor<5xf32>) -> tensor<5x6xf32>
  %1 = "stablehlo.scatter"(%x, %after, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1]>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<5x6xf32>, tensor<1xi32>, tensor<5xf32>) -> tensor<5x6xf32>
  return %0, %1 : tensor<5x6xf32>, tensor<5x6xf32>
}

// One comparison per index; the window is a loop of its own. One copy of the table is changed in place.
// CHECK-LABEL: func.func @scatter
// CHECK:         scf.for %[[I:.*]] = %c0 to %c8
// CHECK:           %[[ROW:.*]] = arith.index_cast
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %[[ROW]], %c100
// CHECK:           scf.if %[[INSIDE]]
// CHECK:             scf.for %[[J:.*]] = %c0 to %c64
// CHECK-NOT:           arith.cmpi
// CHECK:               tensor.insert %{{.*}} into %{{.*}}[%[[ROW]], %[[J]]]
// BUFFERS-LABEL: func.func @scatter
// BUFFERS:         memref.alloc()
// BUFFERS:         memref.copy
// BUFFERS:         scf.for
// BUFFERS-NOT:     memref.copy
// BUFFERS-NOT:     memref.alloc
// BUFFERS:         return
func.func @scatter(%table: tensor<100x64xf32>, %indices: tensor<8x1xi32>, %updates: tensor<8x64xf32>) -> tensor<100x64xf32> {
  %0 = "stablehlo.scatter"(%table, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<100x64xf32>, tensor<8x1xi32>, tensor<8x64xf32>) -> tensor<100x64xf32>
  return %0 : tensor<100x64xf32>
}

// A window begins where all of it is inside, or is dropped: no comparison in its loop.
// CHECK-LABEL: func.func @window
// CHECK:           %[[START:.*]] = arith.index_cast
// CHECK:           %[[INSIDE:.*]] = arith.cmpi ult, %[[START]], %c97
// CHECK:           scf.if %[[INSIDE]]
// CHECK-NOT:         arith.cmpi
// CHECK:             scf.for %{{.*}} = %c0 to %c4
func.func @window(%row: tensor<100xf32>, %indices: tensor<8x1xi32>, %updates: tensor<8x4xf32>) -> tensor<100xf32> {
  %0 = "stablehlo.scatter"(%row, %indices, %updates) <{
    scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<100xf32>, tensor<8x1xi32>, tensor<8x4xf32>) -> tensor<100xf32>
  return %0 : tensor<100xf32>
}

// CHECK-LABEL: func.func @sort
// CHECK:         iree_linalg_ext.sort dimension(1) outs(%arg0 : tensor<4x8xf32>) {
// CHECK:           arith.cmpf olt
func.func @sort(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = -1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Few elements are inserted into those found so far, many are sorted.
// CHECK-LABEL: func.func @top_k
// CHECK:         iree_linalg_ext.topk dimension(0) ins(%arg0 : tensor<100xf32>)
// CHECK:         %[[SORTED:.*]]:2 = iree_linalg_ext.sort dimension(0) outs(%arg0, %{{.*}} : tensor<100xf32>, tensor<100xi32>)
// CHECK:         tensor.extract_slice %[[SORTED]]#0[0] [50] [1]
func.func @top_k(%a: tensor<100xf32>) -> (tensor<5xf32>, tensor<50xf32>) {
  %0, %1 = chlo.top_k(%a, k = 5) : tensor<100xf32> -> (tensor<5xf32>, tensor<5xi32>)
  %2, %3 = chlo.top_k(%a, k = 50) : tensor<100xf32> -> (tensor<50xf32>, tensor<50xi32>)
  return %0, %2 : tensor<5xf32>, tensor<50xf32>
}
