// Convolutions, pools and running sums of any size.

// RUN: freehold run %s --function=convolve --input=1x4x1xf32=1,2,3,4 --input=2x1x1xf32=10,1 --check | FileCheck %s --check-prefix=CONV
// RUN: freehold run %s --function=grouped --input=1x2x2xf32=1,2,3,4 --input=1x1x2xf32=10,100 --check | FileCheck %s --check-prefix=GROUPED
// RUN: freehold run %s --function=margins --input=1x3x1xf32=1,2,3 --input=2x1x1xf32=10,1 --input=1x2xi32=1,-1 --check | FileCheck %s --check-prefix=MARGINS
// RUN: freehold run %s --function=margins --input=1x1x1xf32=1 --input=2x1x1xf32=10,1 --input=1x2xi32=-3,1 --check | FileCheck %s --check-prefix=NOTHING
// RUN: freehold run %s --function=pool --input=1x5xf32=1,5,2,4,3 --check | FileCheck %s --check-prefix=POOL
// RUN: freehold run %s --function=nowhere --input=2x1xf32=1,5 --check | FileCheck %s --check-prefix=NOWHERE
// RUN: freehold run %s --function=running --input=2x3xi32=1,2,3,4,5,6 --check | FileCheck %s --check-prefix=RUNNING
// RUN: freehold run %s --function=behind --input=4xi32=1,2,3,4 --check | FileCheck %s --check-prefix=BEHIND
// RUN: freehold run %s --function=least --input=1x4xf64=3,1,2,0 --check | FileCheck %s --check-prefix=LEAST
// RUN: freehold run %s --function=biased --input=3xi32=1,2,3 --check | FileCheck %s --check-prefix=BIASED
// RUN: freehold run %s --function=update --input=2x4xi32=0 --input=1x2xi32=1,2 --check | FileCheck %s --check-prefix=UPDATE

// CONV:      result #0: 1x3x1xf32
// CONV-NEXT: {{\[\[}}[12.0],
// CONV-NEXT: [23.0],
// CONV-NEXT: [34.0]]]
func.func @convolve(%x: tensor<?x?x1xf32>, %w: tensor<?x1x1xf32>) -> tensor<?x?x1xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64, window_strides = array<i64: 1>}> : (tensor<?x?x1xf32>, tensor<?x1x1xf32>) -> tensor<?x?x1xf32>
  return %0 : tensor<?x?x1xf32>
}

// GROUPED:      result #0: 1x2x2xf32
// GROUPED-NEXT: {{\[\[}}[10.0, 200.0],
// GROUPED-NEXT: [30.0, 400.0]]]
func.func @grouped(%x: tensor<?x?x2xf32>, %w: tensor<1x1x2xf32>) -> tensor<?x?x2xf32> {
  %0 = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 2 : i64, batch_group_count = 1 : i64}> : (tensor<?x?x2xf32>, tensor<1x1x2xf32>) -> tensor<?x?x2xf32>
  return %0 : tensor<?x?x2xf32>
}

// The last element is cut off, a zero stands in front.
// MARGINS:      result #0: 1x2x1xf32
// MARGINS-NEXT: {{\[\[}}[1.0],
// MARGINS-NEXT: [12.0]]]
// More is cut off than there is.
// NOTHING: result #0: 1x0x1xf32
func.func @margins(%x: tensor<?x?x1xf32>, %w: tensor<2x1x1xf32>, %padding: tensor<1x2xi32>) -> tensor<?x?x1xf32> {
  %0 = "stablehlo.dynamic_conv"(%x, %w, %padding) <{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}> : (tensor<?x?x1xf32>, tensor<2x1x1xf32>, tensor<1x2xi32>) -> tensor<?x?x1xf32>
  return %0 : tensor<?x?x1xf32>
}

// POOL:      result #0: 1x2xf32
// POOL-NEXT: {{\[\[}}5.0, 4.0]]
func.func @pool(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %least) <{window_dimensions = array<i64: 1, 2>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// A window that fits nowhere.
// NOWHERE: result #0: 2x0xf32
func.func @nowhere(%x: tensor<?x1xf32>) -> tensor<?x?xf32> {
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %least) <{window_dimensions = array<i64: 1, 3>, window_dilations = array<i64: 1, 2>, padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<?x1xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func private @add(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %b : tensor<i32>
  return %0 : tensor<i32>
}

// As JAX writes a running sum.
// RUNNING:      result #0: 2x3xi32
// RUNNING-NEXT: {{\[\[}}1, 3, 6],
// RUNNING-NEXT: [4, 9, 15]]
func.func @running(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %init = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<i32>
  %none = stablehlo.constant dense<0> : tensor<1xi32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %less = stablehlo.constant dense<-1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %before = stablehlo.add %n, %less : tensor<i32>
  %before1 = stablehlo.reshape %before : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %one, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %ones = stablehlo.concatenate %one, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %p0 = stablehlo.concatenate %none, %none, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %p1 = stablehlo.concatenate %before1, %none, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %q0 = stablehlo.reshape %p0 : (tensor<2xi32>) -> tensor<1x2xi32>
  %q1 = stablehlo.reshape %p1 : (tensor<2xi32>) -> tensor<1x2xi32>
  %padding = stablehlo.concatenate %q0, %q1, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %init, %sizes, %ones, %ones, %ones, %padding) {called_computations = [@add]} : (tensor<?x?xi32>, tensor<i32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2x2xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// BEHIND: result #0: 4xi32 = [10, 9, 7, 4]
func.func @behind(%x: tensor<?xi32>) -> tensor<?xi32> {
  %init = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %none = stablehlo.constant dense<0> : tensor<1xi32>
  %less = stablehlo.constant dense<-1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %behind = stablehlo.add %n, %less : tensor<i32>
  %behind1 = stablehlo.reshape %behind : (tensor<i32>) -> tensor<1xi32>
  %p = stablehlo.concatenate %none, %behind1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %padding = stablehlo.reshape %p : (tensor<2xi32>) -> tensor<1x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %init, %n1, %one, %one, %one, %padding) {called_computations = [@add]} : (tensor<?xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// The margin has elements like the initial value, which is less than the first one.
// LEAST:      result #0: 1x4xf64
// LEAST-NEXT: {{\[\[}}1.5, 1.0, 1.0, 0.0]]
func.func @least(%x: tensor<1x4xf64>) -> tensor<1x4xf64> {
  %init = stablehlo.constant dense<1.5> : tensor<f64>
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %1 = stablehlo.minimum %a, %b : tensor<f64>
    stablehlo.return %1 : tensor<f64>
  }) : (tensor<1x4xf64>, tensor<f64>) -> tensor<1x4xf64>
  return %0 : tensor<1x4xf64>
}

// Each sum begins with 10, and has 10 for each element of the margin.
// BIASED: result #0: 3xi32 = [31, 23, 16]
func.func @biased(%x: tensor<3xi32>) -> tensor<3xi32> {
  %init = stablehlo.constant dense<10> : tensor<i32>
  %0 = "stablehlo.reduce_window"(%x, %init) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// The part is moved so that it lies inside.
// UPDATE:      result #0: 2x4xi32
// UPDATE-NEXT: {{\[\[}}0, 0, 0, 0],
// UPDATE-NEXT: [0, 0, 1, 2]]
func.func @update(%x: tensor<?x?xi32>, %part: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %at = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.dynamic_update_slice %x, %part, %at, %at : (tensor<?x?xi32>, tensor<?x?xi32>, tensor<i32>, tensor<i32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}
