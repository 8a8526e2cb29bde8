// Sizes that are known only at run time and do not go together end the program.

// RUN: not freehold run %s --function=slice --input=2xi32=1,2 --input=i32=0 2>&1 | FileCheck %s --check-prefix=SLICE
// RUN: freehold run %s --function=slice --input=5xi32=1,2,3,4,5 --input=i32=3 | FileCheck %s --check-prefix=FITS
// RUN: not freehold run %s --function=update --input=2xi32=1 --input=4xi32=1 2>&1 | FileCheck %s --check-prefix=UPDATE
// RUN: not freehold run %s --function=limits --input=4xi32=1 --input=1xi32=2 --input=1xi32=6 --input=1xi32=1 2>&1 | FileCheck %s --check-prefix=LIMITS
// RUN: not freehold run %s --function=limits --input=4xi32=1 --input=1xi32=-1 --input=1xi32=2 --input=1xi32=1 2>&1 | FileCheck %s --check-prefix=LIMITS
// RUN: not freehold run %s --function=limits --input=4xi32=1 --input=1xi32=1 --input=1xi32=2 --input=1xi32=0 2>&1 | FileCheck %s --check-prefix=STRIDE
// RUN: freehold run %s --function=limits --input=5xi32=1,2,3,4,5 --input=1xi32=1 --input=1xi32=5 --input=1xi32=2 | FileCheck %s --check-prefix=STEPS
// RUN: not freehold run %s --function=broadcast --input=2xi32=1,2 --input=1xi32=9 2>&1 | FileCheck %s --check-prefix=BROADCAST
// RUN: not freehold run %s --function=scatter --input=3xf32=1,2,3 --input=2x1xi32=0,1 --input=4xf32=5,6,7,8 2>&1 | FileCheck %s --check-prefix=SCATTER
// RUN: not freehold run %s --function=sort --input=3xf32=1,2,3 --input=2xi32=0 2>&1 | FileCheck %s --check-prefix=SORT
// RUN: not freehold run %s --function=solve --input=3x3xf32=1 --input=2x1xf32=0 2>&1 | FileCheck %s --check-prefix=SOLVE
// RUN: not freehold run %s --function=factor --input=3x2xf32=1 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: not freehold run %s --function=norm --input=2x3xf32=1 --input=2xf32=0 2>&1 | FileCheck %s --check-prefix=NORM
// RUN: not freehold run %s --function=rows --input=0x2xi32= --input=1xi32=0 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: freehold run %s --function=rows --input=0x2xi32= --input=0xi32= | FileCheck %s --check-prefix=NO-ROWS
// RUN: not freehold run %s --function=windows --input=4xf32=1 --input=3xf32=0 2>&1 | FileCheck %s --check-prefix=WINDOWS
// RUN: not freehold run %s --function=windows --input=1xf32=1 --input=1xf32=0 2>&1 | FileCheck %s --check-prefix=WINDOWS
// RUN: freehold run %s --function=windows --input=5xf32=1 --input=2xf32=3,4 | FileCheck %s --check-prefix=WINDOW
// RUN: not freehold run %s --function=both --input=2xi32=1 --input=3xi32=0 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not freehold run %s --function=greatest --input=1x2xf32=1 2>&1 | FileCheck %s --check-prefix=GREATEST
// RUN: freehold run %s --function=greatest --input=1x3xf32=1,3,2 | FileCheck %s --check-prefix=ALL

// SLICE: error: assertion failed: a slice is larger than dimension 0 of its operand
// FITS: result #0: 4xi32 = [2, 3, 4, 5]
func.func @slice(%x: tensor<?xi32>, %at: tensor<i32>) -> tensor<4xi32> {
  %0 = stablehlo.dynamic_slice %x, %at, sizes = [4] : (tensor<?xi32>, tensor<i32>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// UPDATE: error: assertion failed: a slice is larger than dimension 0 of its operand
func.func @update(%x: tensor<?xi32>, %part: tensor<?xi32>) -> tensor<?xi32> {
  %at = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %part, %at : (tensor<?xi32>, tensor<?xi32>, tensor<i32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// LIMITS: error: assertion failed: a slice is not within dimension 0 of its operand
// STRIDE: error: assertion failed: the stride of a slice is not positive in dimension 0
// STEPS: result #0: 2xi32 = [2, 4]
func.func @limits(%x: tensor<?xi32>, %from: tensor<1xi32>, %to: tensor<1xi32>, %step: tensor<1xi32>) -> tensor<?xi32> {
  %0 = stablehlo.real_dynamic_slice %x, %from, %to, %step : (tensor<?xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// BROADCAST: error: assertion failed: dimension 0 of a broadcast has neither one element nor as many as its result
func.func @broadcast(%x: tensor<?xi32>, %n: tensor<1xi32>) -> tensor<?xi32> {
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [0] : (tensor<?xi32>, tensor<1xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// SCATTER: error: assertion failed: indices and updates of a scatter do not go together
func.func @scatter(%x: tensor<?xf32>, %i: tensor<?x1xi32>, %u: tensor<?xf32>) -> tensor<?xf32> {
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<f32>, %new: tensor<f32>):
    stablehlo.return %new : tensor<f32>
  }) : (tensor<?xf32>, tensor<?x1xi32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// SORT: error: function 'sort' cannot take such arguments: dimension 0 of argument #1 is 2 and must be dimension 0 of argument #0, which is 3
func.func @sort(%x: tensor<?xf32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<?xf32>, tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>)
  return %0#1 : tensor<?xi32>
}

// SOLVE: error: assertion failed: the operands of a triangular solve do not go together
func.func @solve(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// FACTOR: error: function 'factor' cannot take such arguments: dimension 0 of argument #0 is 3 and must be dimension 1 of argument #0, which is 2
func.func @factor(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// NORM: error: function 'norm' cannot take such arguments: dimension 1 of argument #0 is 3 and must be dimension 0 of argument #1, which is 2
func.func @norm(%x: tensor<?x?xf32>, %scale: tensor<?xf32>) -> tensor<?x?xf32> {
  %0:3 = "stablehlo.batch_norm_training"(%x, %scale, %scale) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?xf32>)
  return %0#0 : tensor<?x?xf32>
}

// ROWS: error: assertion failed: an index select has an operand without elements to select
// NO-ROWS: result #0: 0x2xi32
func.func @rows(%x: tensor<?x2xi32>, %i: tensor<?xi32>) -> tensor<?x2xi32> {
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = 0 : i64, batch_dims = 0 : i64}> : (tensor<?x2xi32>, tensor<?xi32>) -> tensor<?x2xi32>
  return %0 : tensor<?x2xi32>
}

// WINDOWS: error: assertion failed: the source of a select_and_scatter has not one element per window in dimension 0
// WINDOW: result #0: 5xf32 = [3.0, 0.0, 4.0, 0.0, 0.0]
func.func @windows(%x: tensor<?xf32>, %source: tensor<?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.select_and_scatter"(%x, %source, %zero) <{window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<?xf32>, tensor<?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// BOTH: error: assertion failed: dimension 0 of a broadcast has neither one element nor as many as its result
func.func @both(%x: tensor<?xi32>, %y: tensor<?xi32>) -> tensor<?xi32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<?xi32>, tensor<?xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// GREATEST: error: assertion failed: the number of elements that top_k is to find is larger than a row
// ALL:      result #0: 1x3xf32
// ALL-NEXT: {{\[\[}}3.0, 2.0, 1.0]]
func.func @greatest(%x: tensor<?x?xf32>) -> tensor<?x3xf32> {
  %0:2 = stablehlo.composite "chlo.top_k" %x {composite_attributes = {k = 3 : i64}, decomposition = @none, version = 1 : i32} : (tensor<?x?xf32>) -> (tensor<?x3xf32>, tensor<?x3xi32>)
  return %0#0 : tensor<?x3xf32>
}

func.func private @none(%x: tensor<?x?xf32>) -> (tensor<?x3xf32>, tensor<?x3xi32>) {
  %0 = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.constant dense<0> : tensor<i32>
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %n = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %three = stablehlo.constant dense<3> : tensor<1xi32>
  %sizes = stablehlo.concatenate %n, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %2 = stablehlo.dynamic_broadcast_in_dim %0, %sizes, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %1, %sizes, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x3xi32>
  return %2, %3 : tensor<?x3xf32>, tensor<?x3xi32>
}
