// Operations that make, move, repeat or leave out elements.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

func.func @main() -> (tensor<2x3xi32>, tensor<3x2xi32>, tensor<2x2x3xi32>, tensor<2x2xi32>, tensor<4x6xi32>, tensor<1x2xi32>, tensor<2x3xi32>, tensor<1x2xi32>, tensor<2x3xi32>, tensor<2x3xf32>, tensor<6xi32>, tensor<4x3xi32>, tensor<2x4xui8>, tensor<2xui16>, tensor<i32>) {
  %a = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %row = stablehlo.iota dim = 0 : tensor<2x3xi32>
  %ten = stablehlo.constant dense<10> : tensor<2x3xi32>
  %tens = stablehlo.multiply %row, %ten : tensor<2x3xi32>
  %0 = stablehlo.add %a, %tens : tensor<2x3xi32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<2x3xi32>) -> tensor<2x2x3xi32>
  %3 = stablehlo.slice %0 [0:2, 0:3:2] : (tensor<2x3xi32>) -> tensor<2x2xi32>
  %zero = stablehlo.constant dense<-1> : tensor<i32>
  %4 = stablehlo.pad %0, %zero, low = [1, -1], high = [0, 2], interior = [1, 1] : (tensor<2x3xi32>, tensor<i32>) -> tensor<4x6xi32>
  // Both starts are moved so that the part lies inside.
  %start = stablehlo.constant dense<7> : tensor<i32>
  %less = stablehlo.constant dense<-7> : tensor<i32>
  %5 = stablehlo.dynamic_slice %0, %start, %start, sizes = [1, 2] : (tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<1x2xi32>
  %6 = stablehlo.dynamic_update_slice %0, %5, %start, %less : (tensor<2x3xi32>, tensor<1x2xi32>, tensor<i32>, tensor<i32>) -> tensor<2x3xi32>
  %7 = stablehlo.dynamic_slice %0, %less, %less, sizes = [1, 2] : (tensor<2x3xi32>, tensor<i32>, tensor<i32>) -> tensor<1x2xi32>
  %8 = stablehlo.reverse %0, dims = [0, 1] : tensor<2x3xi32>
  %9 = stablehlo.convert %8 : (tensor<2x3xi32>) -> tensor<2x3xf32>
  %10 = stablehlo.reshape %0 : (tensor<2x3xi32>) -> tensor<6xi32>
  %11 = stablehlo.concatenate %0, %8, dim = 0 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<4x3xi32>
  %word = stablehlo.constant dense<[16909060, -1]> : tensor<2xi32>
  %12 = stablehlo.bitcast_convert %word : (tensor<2xi32>) -> tensor<2x4xui8>
  %bytes = stablehlo.constant dense<[[1, 2], [255, 0]]> : tensor<2x2xui8>
  %13 = stablehlo.bitcast_convert %bytes : (tensor<2x2xui8>) -> tensor<2xui16>
  %14 = stablehlo.get_dimension_size %0, dim = 1 : (tensor<2x3xi32>) -> tensor<i32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14 : tensor<2x3xi32>, tensor<3x2xi32>, tensor<2x2x3xi32>, tensor<2x2xi32>, tensor<4x6xi32>, tensor<1x2xi32>, tensor<2x3xi32>, tensor<1x2xi32>, tensor<2x3xi32>, tensor<2x3xf32>, tensor<6xi32>, tensor<4x3xi32>, tensor<2x4xui8>, tensor<2xui16>, tensor<i32>
}

// CHECK:      result #0: 2x3xi32
// CHECK-NEXT: {{\[\[}}0, 1, 2],
// CHECK-NEXT:  [10, 11, 12]]
// CHECK-NEXT: result #1: 3x2xi32
// CHECK-NEXT: {{\[\[}}0, 10],
// CHECK-NEXT:  [1, 11],
// CHECK-NEXT:  [2, 12]]
// CHECK-NEXT: result #2: 2x2x3xi32
// CHECK-NEXT: {{\[\[\[}}0, 1, 2],
// CHECK-NEXT:   [0, 1, 2]],
// CHECK-EMPTY:
// CHECK-NEXT:  {{\[\[}}10, 11, 12],
// CHECK-NEXT:   [10, 11, 12]]]
// CHECK-NEXT: result #3: 2x2xi32
// CHECK-NEXT: {{\[\[}}0, 2],
// CHECK-NEXT:  [10, 12]]
// CHECK-NEXT: result #4: 4x6xi32
// CHECK-NEXT: {{\[\[}}-1, -1, -1, -1, -1, -1],
// CHECK-NEXT:  [-1, 1, -1, 2, -1, -1],
// CHECK-NEXT:  [-1, -1, -1, -1, -1, -1],
// CHECK-NEXT:  [-1, 11, -1, 12, -1, -1]]
// CHECK-NEXT: result #5: 1x2xi32
// CHECK-NEXT: {{\[\[}}11, 12]]
// CHECK-NEXT: result #6: 2x3xi32
// CHECK-NEXT: {{\[\[}}0, 1, 2],
// CHECK-NEXT:  [11, 12, 12]]
// CHECK-NEXT: result #7: 1x2xi32
// CHECK-NEXT: {{\[\[}}0, 1]]
// CHECK-NEXT: result #8: 2x3xi32
// CHECK-NEXT: {{\[\[}}12, 11, 10],
// CHECK-NEXT:  [2, 1, 0]]
// CHECK-NEXT: result #9: 2x3xf32
// CHECK-NEXT: {{\[\[}}12.0, 11.0, 10.0],
// CHECK-NEXT:  [2.0, 1.0, 0.0]]
// CHECK-NEXT: result #10: 6xi32 = [0, 1, 2, 10, 11, 12]
// CHECK-NEXT: result #11: 4x3xi32
// CHECK-NEXT: {{\[\[}}0, 1, 2],
// CHECK-NEXT:  [10, 11, 12],
// CHECK-NEXT:  [12, 11, 10],
// CHECK-NEXT:  [2, 1, 0]]
// CHECK-NEXT: result #12: 2x4xui8
// CHECK-NEXT: {{\[\[}}4, 3, 2, 1],
// CHECK-NEXT:  [255, 255, 255, 255]]
// CHECK-NEXT: result #13: 2xui16 = [513, 255]
// CHECK-NEXT: result #14: i32 = 3
