// What sorting computes.

// RUN: freehold run - --check=accesses < %s | FileCheck %s
// RUN: freehold run - -O0 < %s | FileCheck %s

// CHECK: result #0: 7xf32 = [-inf, -3.0, -0.0, 0.0, 1.0, inf, NaN]
// CHECK: result #1: 5x2xui8
// CHECK-NEXT: {{\[\[}}200, 2],
// CHECK-NEXT: [200, 1],
// CHECK-NEXT: [100, 1],
// CHECK-NEXT: [100, 1],
// CHECK-NEXT: [0, 0]]
// CHECK: result #2: 5x2xi32
// CHECK-NEXT: {{\[\[}}0, 3],
// CHECK-NEXT: [2, 0],
// CHECK-NEXT: [1, 1],
// CHECK-NEXT: [4, 4],
// CHECK-NEXT: [3, 2]]
// CHECK: result #3: 2x3xf32
// CHECK-NEXT: {{\[\[}}3.0, 3.0, 1.0],
// CHECK-NEXT: [NaN, 0.0, -0.0]]
// CHECK: result #4: 2x3xi32
// CHECK-NEXT: {{\[\[}}1, 3, 0],
// CHECK-NEXT: [3, 0, 1]]
// CHECK: result #5: 17xi8 = [127, 100, 11, 8, 7, 6, 5, 5, 5, 4, 3, 2, 2, 1, 0, -1, -9]
// CHECK: result #6: 17xi32 = [5, 17, 15, 11, 4, 12, 2, 3, 13, 14, 7, 9, 10, 0, 6, 16, 8]
// CHECK: result #7: 4xf32 = [0.0, 5.0, NaN, 1.0]

// By the total order of floats: -0 comes before 0, NaN last.
func.func private @floats() -> tensor<7xf32> {
  %a = stablehlo.constant dense<[1.0, 0x7FC00000, 0.0, -0.0, 0xFF800000, -3.0, 0x7F800000]> : tensor<7xf32>
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<7xf32>) -> tensor<7xf32>
  return %0 : tensor<7xf32>
}

// Columns, the largest first; equal keys without sign stay in order, as their positions show.
func.func private @columns() -> (tensor<5x2xui8>, tensor<5x2xi32>) {
  %keys = stablehlo.constant dense<[[200, 1], [100, 1], [200, 0], [0, 2], [100, 1]]> : tensor<5x2xui8>
  %positions = stablehlo.iota dim = 0 : tensor<5x2xi32>
  %0:2 = "stablehlo.sort"(%keys, %positions) <{dimension = -2 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<ui8>, %y: tensor<ui8>, %i: tensor<i32>, %j: tensor<i32>):
    %1 = stablehlo.compare GT, %x, %y : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x2xui8>, tensor<5x2xi32>) -> (tensor<5x2xui8>, tensor<5x2xi32>)
  return %0#0, %0#1 : tensor<5x2xui8>, tensor<5x2xi32>
}

// Of equal ones the first; NaN is the largest. Few are found by insertion.
func.func private @largest() -> (tensor<2x3xf32>, tensor<2x3xi32>) {
  %a = stablehlo.constant dense<[[1.0, 3.0, 0.5, 3.0, -2.0], [0.0, -0.0, 0xFF800000, 0x7FC00000, -1.0]]> : tensor<2x5xf32>
  %values, %indices = chlo.top_k(%a, k = 3) : tensor<2x5xf32> -> (tensor<2x3xf32>, tensor<2x3xi32>)
  return %values, %indices : tensor<2x3xf32>, tensor<2x3xi32>
}

// Many by sorting.
func.func private @many() -> (tensor<17xi8>, tensor<17xi32>) {
  %a = stablehlo.constant dense<[1, -128, 5, 5, 7, 127, 0, 3, -9, 2, 2, 8, 6, 5, 4, 11, -1, 100]> : tensor<18xi8>
  %values, %indices = chlo.top_k(%a, k = 17) : tensor<18xi8> -> (tensor<17xi8>, tensor<17xi32>)
  return %values, %indices : tensor<17xi8>, tensor<17xi32>
}

// `<` is no order of floats with NaN; all the same, no element is lost.
func.func private @unordered() -> tensor<4xf32> {
  %a = stablehlo.constant dense<[0.0, 5.0, 0x7FC00000, 1.0]> : tensor<4xf32>
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %1 = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

func.func @main() -> (tensor<7xf32>, tensor<5x2xui8>, tensor<5x2xi32>, tensor<2x3xf32>, tensor<2x3xi32>, tensor<17xi8>, tensor<17xi32>, tensor<4xf32>) {
  %0 = call @floats() : () -> tensor<7xf32>
  %1:2 = call @columns() : () -> (tensor<5x2xui8>, tensor<5x2xi32>)
  %2:2 = call @largest() : () -> (tensor<2x3xf32>, tensor<2x3xi32>)
  %3:2 = call @many() : () -> (tensor<17xi8>, tensor<17xi32>)
  %4 = call @unordered() : () -> tensor<4xf32>
  return %0, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1, %4 : tensor<7xf32>, tensor<5x2xui8>, tensor<5x2xi32>, tensor<2x3xf32>, tensor<2x3xi32>, tensor<17xi8>, tensor<17xi32>, tensor<4xf32>
}
