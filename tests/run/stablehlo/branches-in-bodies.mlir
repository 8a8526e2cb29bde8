// Bodies of maps, reductions, scatters and sorts that choose: all branches are computed, and one of them is taken.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

func.func @main() -> (tensor<6xi32>, tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<4xi32>, tensor<6xf32>) {
  %a = stablehlo.constant dense<[7, -2, 0, 1, 2, 3]> : tensor<6xi32>
  %x = stablehlo.constant dense<[0.5, -2.0, 4.0, 0.25, -8.0, 1.0]> : tensor<6xf32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  // Numbers without a branch take the last one, and a branch reads what is outside of the body.
  %0 = "stablehlo.map"(%a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%i: tensor<i32>):
    %r = "stablehlo.case"(%i) ({
      stablehlo.return %ten : tensor<i32>
    }, {
      %s = stablehlo.add %i, %ten : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }, {
      %s = stablehlo.multiply %i, %i : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<i32>) -> tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<6xi32>) -> tensor<6xi32>
  // A branch in a branch, with several results.
  %1 = "stablehlo.map"(%x, %a) <{dimensions = array<i64: 0>}> ({
  ^bb0(%y: tensor<f32>, %i: tensor<i32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %below = stablehlo.compare LT, %y, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %r:2 = "stablehlo.if"(%below) ({
      %odd = stablehlo.compare GT, %i, %none : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %s = "stablehlo.if"(%odd) ({
        %n = stablehlo.negate %y : tensor<f32>
        stablehlo.return %n : tensor<f32>
      }, {
        stablehlo.return %zero : tensor<f32>
      }) : (tensor<i1>) -> tensor<f32>
      stablehlo.return %s, %y : tensor<f32>, tensor<f32>
    }, {
      stablehlo.return %y, %y : tensor<f32>, tensor<f32>
    }) : (tensor<i1>) -> (tensor<f32>, tensor<f32>)
    %t = stablehlo.add %r#0, %r#1 : tensor<f32>
    stablehlo.return %t : tensor<f32>
  }) : (tensor<6xf32>, tensor<6xi32>) -> tensor<6xf32>
  // The greatest element and its place.
  %places = stablehlo.iota dim = 0 : tensor<6xi32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2:2 = stablehlo.reduce(%x init: %least), (%places init: %none) across dimensions = [0] : (tensor<6xf32>, tensor<6xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
   reducer(%v: tensor<f32>, %w: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %first = stablehlo.compare GE, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %r:2 = "stablehlo.if"(%first) ({
      stablehlo.return %v, %i : tensor<f32>, tensor<i32>
    }, {
      stablehlo.return %w, %j : tensor<f32>, tensor<i32>
    }) : (tensor<i1>) -> (tensor<f32>, tensor<i32>)
    stablehlo.return %r#0, %r#1 : tensor<f32>, tensor<i32>
  }
  %into = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %at = stablehlo.constant dense<[[3], [0], [3], [9], [1], [1]]> : tensor<6x1xi32>
  %3 = "stablehlo.scatter"(%into, %at, %a) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%old: tensor<i32>, %new: tensor<i32>):
    %more = stablehlo.compare GT, %new, %old : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %r = "stablehlo.if"(%more) ({
      stablehlo.return %new : tensor<i32>
    }, {
      %s = stablehlo.subtract %old, %ten : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    stablehlo.return %r : tensor<i32>
  }) : (tensor<4xi32>, tensor<6x1xi32>, tensor<6xi32>) -> tensor<4xi32>
  // Numbers below zero come last.
  %4 = "stablehlo.sort"(%x) <{dimension = 0 : i64}> ({
  ^bb0(%v: tensor<f32>, %w: tensor<f32>):
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %p = stablehlo.compare LT, %v, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %q = stablehlo.compare LT, %w, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %same = stablehlo.compare EQ, %p, %q : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %r = "stablehlo.if"(%same) ({
      %s = stablehlo.compare LT, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }, {
      stablehlo.return %q : tensor<i1>
    }) : (tensor<i1>) -> tensor<i1>
    stablehlo.return %r : tensor<i1>
  }) : (tensor<6xf32>) -> tensor<6xf32>
  return %0, %1, %2#1, %2#0, %3, %4 : tensor<6xi32>, tensor<6xf32>, tensor<i32>, tensor<f32>, tensor<4xi32>, tensor<6xf32>
}

// CHECK:      result #0: 6xi32 = [49, 4, 10, 11, 4, 9]
// CHECK-NEXT: result #1: 6xf32 = [1.0, -2.0, 8.0, 0.5, 0.0, 2.0]
// CHECK-NEXT: result #2: i32 = 2
// CHECK-NEXT: result #3: f32 = 4.0
// CHECK-NEXT: result #4: 4xi32 = [-9, 3, 3, -3]
// CHECK-NEXT: result #5: 6xf32 = [0.25, 0.5, 1.0, 4.0, -8.0, -2.0]
