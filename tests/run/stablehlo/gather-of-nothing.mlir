// Slices without elements in a dimension that is left out of the result: zeros, as XLA has it, and no element is read.
//
// RUN: freehold run %s --check=accesses --input=0x2xf32= --input=3x4xi16=1 --input=3xi32=4,11,-1 | FileCheck %s
// RUN: freehold run %s -O0 --input=0x2xf32= --input=3x4xi16=1 --input=3xi32=4,11,-1 | FileCheck %s
// RUN: freehold run %s --function=at_run_time --input=3x4xi16=1,2,3,4,5,6,7,8,9,10,11,12 --input=2xi32=1,4 --input=3xi32=2,0,1 | FileCheck %s --check-prefix=ROWS
// RUN: not freehold run %s --function=at_run_time --input=3x4xi16=1 --input=2xi32=0,4 --input=3xi32=2,0,1 2>&1 | FileCheck %s --check-prefix=EMPTY

// CHECK:      result #0: 3x2xf32
// CHECK-NEXT: {{\[\[}}0.0, 0.0],
// CHECK-NEXT:  [0.0, 0.0],
// CHECK-NEXT:  [0.0, 0.0]]
// CHECK-NEXT: result #1: 3x4xi16
// CHECK-NEXT: {{\[\[}}0, 0, 0, 0],
// CHECK-NEXT:  [0, 0, 0, 0],
// CHECK-NEXT:  [0, 0, 0, 0]]
func.func @main(%x: tensor<0x2xf32>, %y: tensor<3x4xi16>, %i: tensor<3xi32>) -> (tensor<3x2xf32>, tensor<3x4xi16>) {
  %0 = "stablehlo.gather"(%x, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 0, 2>}> : (tensor<0x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  %1 = "stablehlo.gather"(%y, %i) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
    slice_sizes = array<i64: 0, 4>}> : (tensor<3x4xi16>, tensor<3xi32>) -> tensor<3x4xi16>
  return %0, %1 : tensor<3x2xf32>, tensor<3x4xi16>
}

// ROWS:      result #0: 3x4xi16
// ROWS-NEXT: {{\[\[}}9, 10, 11, 12],
// ROWS-NEXT:  [1, 2, 3, 4],
// ROWS-NEXT:  [5, 6, 7, 8]]
// EMPTY: slices of a gather have no elements in dimension 0
func.func @at_run_time(%y: tensor<3x4xi16>, %sizes: tensor<2xi32>, %i: tensor<3xi32>) -> tensor<3x?xi16> {
  %0 = "stablehlo.dynamic_gather"(%y, %i, %sizes) <{
    dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}>
    : (tensor<3x4xi16>, tensor<3xi32>, tensor<2xi32>) -> tensor<3x?xi16>
  return %0 : tensor<3x?xi16>
}
