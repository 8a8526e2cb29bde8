// Gathers, scatters and sorts of any size.

// RUN: freehold run %s --function=gather --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input=2x1xi32=2,0 | FileCheck %s --check-prefix=GATHER
// RUN: freehold run %s --function=scatter --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input=2x1xi32=2,7 --input=2x4xf32=1 --check | FileCheck %s --check-prefix=SCATTER
// RUN: freehold run %s --function=sort --input=2x3xf32=3,2,1,7,9,8 --check | FileCheck %s --check-prefix=SORT
// RUN: freehold run %s --function=topk --input=1x21xf32=3,2,1,7,9,8,6,4,5,3,4,5,6,7,8,9,0,10,11,12,13 | FileCheck %s --check-prefix=TOPK
// RUN: freehold run %s --function=sas --input=4xf32=3,2,1,7 --input=2xf32=10,20 --check=accesses | FileCheck %s --check-prefix=SELECT
// RUN: freehold run %s --function=norm --input=2x2xf32=1,2,3,6 --check | FileCheck %s --check-prefix=NORM
// RUN: freehold run %s --function=formula --input=2x2xf16=1,2,3,4 --input=2x1xf16=1,2 --check | FileCheck %s --check-prefix=FORMULA
// RUN: freehold run %s --function=select --input=3x2xi32=1,2,3,4,5,6 --input=2xi32=2,0 --check | FileCheck %s --check-prefix=ROWS
// RUN: freehold run %s --function=broadcasts --input=2x1xi32=1,2 --input=3xi32=10,20,30 --check | FileCheck %s --check-prefix=BROADCASTS
// RUN: freehold run %s --function=repeat --input=2xi32=1,2 | FileCheck %s --check-prefix=REPEAT
// RUN: freehold run %s --function=bits --input=2xi16=1,258 --check | FileCheck %s --check-prefix=BITS

// GATHER:      result #0: 2x4xf32
// GATHER-NEXT: {{\[\[}}9.0, 10.0, 11.0, 12.0],
// GATHER-NEXT: [1.0, 2.0, 3.0, 4.0]]
func.func @gather(%a: tensor<?x4xf32>, %i: tensor<?x1xi32>) -> tensor<?x4xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 1, 4>}> : (tensor<?x4xf32>, tensor<?x1xi32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// SCATTER:      result #0: 3x4xf32
// SCATTER-NEXT: {{\[\[}}1.0, 2.0, 3.0, 4.0],
// SCATTER-NEXT: [5.0, 6.0, 7.0, 8.0],
// SCATTER-NEXT: [10.0, 11.0, 12.0, 13.0]]
func.func @scatter(%a: tensor<?x4xf32>, %i: tensor<?x1xi32>, %u : tensor<?x4xf32>) -> tensor<?x4xf32> {
  %0 = "stablehlo.scatter"(%a, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    %1 = stablehlo.add %old, %new : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<?x4xf32>, tensor<?x1xi32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// SORT:      result #0: 2x3xf32
// SORT-NEXT: {{\[\[}}1.0, 2.0, 3.0],
// SORT-NEXT: [7.0, 8.0, 9.0]]
func.func @sort(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// TOPK:      result #0: 1x20xf32
// TOPK-NEXT: {{\[\[}}13.0, 12.0, 11.0, 10.0, 9.0, 9.0, 8.0, 8.0, 7.0, 7.0, 6.0, 6.0, 5.0, 5.0, 4.0, 4.0, 3.0, 3.0, 2.0, 1.0]]
// TOPK-NEXT: result #1: 1x20xi32
// TOPK-NEXT: {{\[\[}}20, 19, 18, 17, 4, 15, 5, 14, 3, 13, 6, 12, 8, 11, 7, 10, 0, 9, 1, 2]]
// TOPK-NEXT: result #2: 1x2xf32
// TOPK-NEXT: {{\[\[}}13.0, 12.0]]
// TOPK-NEXT: result #3: 1x2xi32
// TOPK-NEXT: {{\[\[}}20, 19]]
func.func @topk(%a: tensor<?x?xf32>) -> (tensor<?x20xf32>, tensor<?x20xi32>, tensor<?x2xf32>, tensor<?x2xi32>)  {
  %0, %1 = chlo.top_k(%a, k = 20) : tensor<?x?xf32> -> (tensor<?x20xf32>, tensor<?x20xi32>)
  %2, %3 = chlo.top_k(%a, k = 2) : tensor<?x?xf32> -> (tensor<?x2xf32>, tensor<?x2xi32>)
  return %0, %1, %2, %3 : tensor<?x20xf32>, tensor<?x20xi32>, tensor<?x2xf32>, tensor<?x2xi32>
}

// SELECT: result #0: 4xf32 = [10.0, 0.0, 0.0, 20.0]
func.func @sas(%a: tensor<?xf32>, %s: tensor<?xf32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%a, %s, %z) <{
    window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Two features of two images.
// NORM: result #0: 2x2xf32
// NORM-NEXT: {{\[\[}}-1.0, -1.0],
// NORM-NEXT: [1.0, 1.0]]
// NORM: result #1: 2xf32 = [2.0, 4.0]
// NORM: result #2: 2xf32 = [1.0, 4.0]
func.func @norm(%x: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<2xf32>
  %0:3 = "stablehlo.batch_norm_training"(%x, %one, %zero) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<?x?xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>)
  return %0#0, %0#1, %0#2 : tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>
}

// FORMULA: result #0: 1x2xf16
// FORMULA-NEXT: {{\[\[}}5.0, 11.0]]
// FORMULA: result #1: 2xf16 = [4.0, 6.0]
func.func @formula(%x: tensor<?x?xf16>, %y: tensor<?x?xf16>) -> (tensor<?x?xf16>, tensor<?xf16>) {
  %0 = "stablehlo.einsum"(%x, %y) <{einsum_config = "ab,bc->ca"}> : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf16>
  %1 = "stablehlo.unary_einsum"(%x) <{einsum_config = "ab->b"}> : (tensor<?x?xf16>) -> tensor<?xf16>
  return %0, %1 : tensor<?x?xf16>, tensor<?xf16>
}

// ROWS: result #0: 2x2xi32
// ROWS-NEXT: {{\[\[}}5, 6],
// ROWS-NEXT: [1, 2]]
func.func @select(%x: tensor<?x?xi32>, %i: tensor<?xi32>) -> tensor<?x?xi32> {
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<?x?xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// BROADCASTS: result #0: 2x3xi32
// BROADCASTS-NEXT: {{\[\[}}11, 21, 31],
// BROADCASTS-NEXT: [12, 22, 32]]
func.func @broadcasts(%x: tensor<?x?xi32>, %y: tensor<?xi32>) -> tensor<?x?xi32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<?x?xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// REPEAT: result #0: 2x2xi32
// REPEAT-NEXT: {{\[\[}}1, 2],
// REPEAT-NEXT: [1, 2]]
func.func @repeat(%x: tensor<?xi32>) -> tensor<?x?xi32> {
  %0 = "stablehlo.broadcast"(%x) <{broadcast_sizes = array<i64: 2>}> : (tensor<?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// BITS: result #0: 2x2xi8
// BITS-NEXT: {{\[\[}}1, 0],
// BITS-NEXT: [2, 1]]
// BITS: result #1: 2xi16 = [1, 258]
func.func @bits(%x: tensor<?xi16>) -> (tensor<?x2xi8>, tensor<?xi16>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<?xi16>) -> tensor<?x2xi8>
  %1 = stablehlo.bitcast_convert %0 : (tensor<?x2xi8>) -> tensor<?xi16>
  return %0, %1 : tensor<?x2xi8>, tensor<?xi16>
}
