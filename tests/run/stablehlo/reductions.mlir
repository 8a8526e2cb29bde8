// Reductions over dimensions and windows, with bodies of one operation and of several.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

func.func @main() -> (tensor<3xf32>, tensor<f32>, tensor<2xf32>, tensor<2xi32>, tensor<1x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i1>) {
  %a = stablehlo.constant dense<[[1.0, 5.0, 2.0, 8.0], [7.0, 3.0, 9.0, 4.0]]> : tensor<2x4xf32>
  %b = stablehlo.slice %a [0:2, 0:3] : (tensor<2x4xf32>) -> tensor<2x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %0 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = stablehlo.reduce(%b init: %least) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  // The greatest element of each row, and where it is.
  %places = stablehlo.iota dim = 1 : tensor<2x4xi32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %2:2 = stablehlo.reduce(%a init: %least), (%places init: %none) across dimensions = [1] : (tensor<2x4xf32>, tensor<2x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %first = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %value = stablehlo.select %first, %x, %y : tensor<i1>, tensor<f32>
    %place = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %value, %place : tensor<f32>, tensor<i32>
  }
  %3 = "stablehlo.reduce_window"(%a, %least) <{window_dimensions = array<i64: 2, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %m = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<1x3xf32>
  // Sums of all elements up to each one, and of those from each one on.
  %4 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [3, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %5 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 1, 4>, padding = dense<[[0, 0], [0, 3]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %6 = "stablehlo.reduce_window"(%a, %zero) <{window_dimensions = array<i64: 2, 2>, window_dilations = array<i64: 1, 2>, padding = dense<[[0, 1], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  %7 = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.multiply %x, %y : tensor<f32>
    %t = stablehlo.subtract %s, %x : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %big = stablehlo.compare GT, %a, %4 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xi1>
  %no = stablehlo.constant dense<false> : tensor<i1>
  %8 = stablehlo.reduce(%big init: %no) applies stablehlo.or across dimensions = [0, 1] : (tensor<2x4xi1>, tensor<i1>) -> tensor<i1>
  return %0, %1, %2#0, %2#1, %3, %4, %5, %6, %7, %8 : tensor<3xf32>, tensor<f32>, tensor<2xf32>, tensor<2xi32>, tensor<1x3xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<i1>
}

// CHECK:      result #0: 3xf32 = [8.0, 8.0, 11.0]
// CHECK-NEXT: result #1: f32 = 9.0
// CHECK-NEXT: result #2: 2xf32 = [8.0, 9.0]
// CHECK-NEXT: result #3: 2xi32 = [3, 2]
// CHECK-NEXT: result #4: 1x3xf32
// CHECK-NEXT: {{\[\[}}7.0, 9.0, 9.0]]
// CHECK-NEXT: result #5: 2x4xf32
// CHECK-NEXT: {{\[\[}}1.0, 6.0, 8.0, 16.0],
// CHECK-NEXT:  [7.0, 10.0, 19.0, 23.0]]
// CHECK-NEXT: result #6: 2x4xf32
// CHECK-NEXT: {{\[\[}}16.0, 15.0, 10.0, 8.0],
// CHECK-NEXT:  [23.0, 16.0, 13.0, 4.0]]
// CHECK-NEXT: result #7: 2x4xf32
// CHECK-NEXT: {{\[\[}}8.0, 19.0, 20.0, 11.0],
// CHECK-NEXT:  [3.0, 16.0, 7.0, 9.0]]
// CHECK-NEXT: result #8: 2x4xf32
// CHECK-NEXT: {{\[\[}}0.0, 20.0, 2.0, 56.0],
// CHECK-NEXT:  [42.0, 6.0, 72.0, 12.0]]
// CHECK-NEXT: result #9: i1 = false
