// Slices of a gather that turn out larger than its operand end the program: nothing is read beyond it.
//
// RUN: freehold run - --input=4xf32=1,2,3,4 --input=1xi32=2 < %s | FileCheck %s
// RUN: not freehold run - --input=4xf32=1,2,3,4 --input=1xi32=9 < %s 2>&1 | FileCheck %s --check-prefix=LARGE

// CHECK: result #0: 1x2xf32
// CHECK-NEXT: 3.0, 4.0
// LARGE: error: assertion failed: slices of a gather are larger than dimension 0 of its operand
func.func @main(%a: tensor<?xf32>, %sizes: tensor<1xi32>) -> tensor<1x?xf32> {
  %i = stablehlo.constant dense<2> : tensor<1x1xi32>
  %0 = "stablehlo.dynamic_gather"(%a, %i, %sizes) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>}> : (tensor<?xf32>, tensor<1x1xi32>, tensor<1xi32>) -> tensor<1x?xf32>
  return %0 : tensor<1x?xf32>
}
