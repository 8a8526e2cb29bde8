// Sizes that a type bounds are sizes known only at run time.
//
// RUN: freehold run %s --function=rows --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input=i32=2 | FileCheck %s --check-prefix=ROWS
// RUN: freehold run %s -O0 --check --function=rows --input=3x4xf32=1,2,3,4,5,6,7,8,9,10,11,12 --input=i32=2 | FileCheck %s --check-prefix=ROWS
// RUN: freehold run %s --function=rows --input=3x4xf32=1 --input=i32=0 | FileCheck %s --check-prefix=NONE
// RUN: not freehold run %s --function=rows --input=3x4xf32=1 --input=i32=4 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: not freehold run %s --function=rows --input=3x4xf32=1 --input=i32=-1 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: freehold run %s --function=known --input=4xi32=1,2,3,4 | FileCheck %s --check-prefix=KNOWN
// RUN: freehold run %s --function=reshaped --input=6xi32=1,2,3,4,5,6 --input=i32=4 | FileCheck %s --check-prefix=RESHAPED
// RUN: freehold run %s --function=argument --input=2xf32=1,-2 | FileCheck %s --check-prefix=ARGUMENT
// RUN: freehold run %s --function=argument --input=5xf32=1,-2,3,-4,5 | FileCheck %s --check-prefix=FIVE
// RUN: freehold run %s --function=back --input=4xi32=1,2,3,4 --input=i32=4 | FileCheck %s --check-prefix=BACK
// RUN: not freehold run %s --function=back --input=4xi32=1,2,3,4 --input=i32=3 2>&1 | FileCheck %s --check-prefix=MORE
// RUN: freehold run %s --function=scattered --input=2x1xf32=1,2 --input=1x1xf32=5 | FileCheck %s --check-prefix=SCATTERED
// RUN: freehold run %s --function=scattered --input=1x1xf32=1 --input=1x1xf32=5 | FileCheck %s --check-prefix=OUTSIDE

func.func @rows(%x: tensor<3x4xf32>, %n: tensor<i32>) -> (tensor<?x4xf32, #stablehlo.bounds<3, ?>>, tensor<4xf32>, tensor<i32>) {
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<3x4xf32>, tensor<i32>) -> tensor<?x4xf32, #stablehlo.bounds<3, ?>>
  %1 = func.call @twice(%0) : (tensor<?x4xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<3, ?>>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x4xf32, #stablehlo.bounds<3, ?>>, tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.get_dimension_size %1, dim = 0 : (tensor<?x4xf32, #stablehlo.bounds<3, ?>>) -> tensor<i32>
  return %1, %2, %3 : tensor<?x4xf32, #stablehlo.bounds<3, ?>>, tensor<4xf32>, tensor<i32>
}
func.func private @twice(%x: tensor<?x4xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<3, ?>> {
  %0 = stablehlo.add %x, %x : tensor<?x4xf32, #stablehlo.bounds<3, ?>>
  return %0 : tensor<?x4xf32, #stablehlo.bounds<3, ?>>
}
// ROWS:      result #0: 2x4xf32
// ROWS-NEXT: {{\[\[}}2.0, 4.0, 6.0, 8.0],
// ROWS-NEXT:  [10.0, 12.0, 14.0, 16.0]]
// ROWS-NEXT: result #1: 4xf32 = [12.0, 16.0, 20.0, 24.0]
// ROWS-NEXT: result #2: i32 = 2
// NONE:      result #0: 0x4xf32
// NONE:      result #1: 4xf32 = [0.0, 0.0, 0.0, 0.0]
// NONE-NEXT: result #2: i32 = 0
// MORE: a dimension is set to a size that it does not have

func.func @known(%x: tensor<4xi32>) -> tensor<?xi32, #stablehlo.bounds<4>> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %1 = stablehlo.negate %0 : tensor<?xi32, #stablehlo.bounds<4>>
  return %1 : tensor<?xi32, #stablehlo.bounds<4>>
}
// KNOWN: result #0: 3xi32 = [-1, -2, -3]

func.func @reshaped(%x: tensor<6xi32>, %n: tensor<i32>) -> tensor<?x2x2xi32, #stablehlo.bounds<3, ?, ?>> {
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<6xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<6>>
  %1 = stablehlo.reshape %0 : (tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<?x2xi32, #stablehlo.bounds<3, ?>>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 2] : (tensor<?x2xi32, #stablehlo.bounds<3, ?>>) -> tensor<?x2x2xi32, #stablehlo.bounds<3, ?, ?>>
  return %2 : tensor<?x2x2xi32, #stablehlo.bounds<3, ?, ?>>
}
// RESHAPED:      result #0: 2x2x2xi32
// RESHAPED-NEXT: {{\[\[\[}}1, 2],
// RESHAPED-NEXT:   [1, 2]],
// RESHAPED:       {{\[\[}}3, 4],
// RESHAPED-NEXT:   [3, 4]]]

func.func @argument(%x: tensor<?xf32, #stablehlo.bounds<5>>) -> tensor<?xf32, #stablehlo.bounds<5>> {
  %0 = stablehlo.abs %x : tensor<?xf32, #stablehlo.bounds<5>>
  return %0 : tensor<?xf32, #stablehlo.bounds<5>>
}
// ARGUMENT: result #0: 2xf32 = [1.0, 2.0]
// FIVE: result #0: 5xf32 = [1.0, 2.0, 3.0, 4.0, 5.0]

func.func @back(%x: tensor<4xi32>, %n: tensor<i32>) -> tensor<4xi32> {
  %whole = stablehlo.constant dense<4> : tensor<i32>
  %0 = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xi32>, tensor<i32>) -> tensor<?xi32, #stablehlo.bounds<4>>
  %1 = stablehlo.set_dimension_size %0, %whole, dim = 0 : (tensor<?xi32, #stablehlo.bounds<4>>, tensor<i32>) -> tensor<4xi32>
  return %1 : tensor<4xi32>
}
// BACK: result #0: 4xi32 = [1, 2, 3, 4]

func.func @scattered(%x: tensor<?x1xf32, #stablehlo.bounds<2, ?>>, %u: tensor<1x1xf32>) -> tensor<?x1xf32, #stablehlo.bounds<2, ?>> {
  %i = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x1xf32, #stablehlo.bounds<2, ?>>, tensor<1xi32>, tensor<1x1xf32>) -> tensor<?x1xf32, #stablehlo.bounds<2, ?>>
  return %0 : tensor<?x1xf32, #stablehlo.bounds<2, ?>>
}
// SCATTERED:      result #0: 2x1xf32
// SCATTERED-NEXT: {{\[\[}}1.0],
// SCATTERED-NEXT:  [7.0]]
// OUTSIDE: result #0: 1x1xf32
// OUTSIDE-NEXT: {{\[\[}}1.0]]
