// RUN: freehold opt %s --stablehlo-drop-bounds | FileCheck %s

// Arguments, results, calls and what bodies have.

// CHECK-LABEL: func.func @loop(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>, %[[N:.*]]: tensor<i32>) -> tensor<?x4xf32> {
// CHECK: %[[CALL:.*]] = call @same(%[[X]]) : (tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK: stablehlo.while({{.*}} = %[[CALL]], {{.*}} = %[[N]]) : tensor<?x4xf32>, tensor<i32>
// CHECK: stablehlo.add {{.*}} : tensor<?x4xf32>
// CHECK: return {{.*}} : tensor<?x4xf32>
func.func @loop(%x: tensor<?x4xf32, #stablehlo.bounds<3, ?>>, %n: tensor<i32>) -> tensor<?x4xf32, #stablehlo.bounds<3, ?>> {
  %0 = func.call @same(%x) : (tensor<?x4xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<3, ?>>
  %1:2 = stablehlo.while(%a = %0, %i = %n) : tensor<?x4xf32, #stablehlo.bounds<3, ?>>, tensor<i32>
    cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %c = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.subtract %i, %one : tensor<i32>
    %b = stablehlo.add %a, %a : tensor<?x4xf32, #stablehlo.bounds<3, ?>>
    stablehlo.return %b, %j : tensor<?x4xf32, #stablehlo.bounds<3, ?>>, tensor<i32>
  }
  return %1#0 : tensor<?x4xf32, #stablehlo.bounds<3, ?>>
}

// CHECK-LABEL: func.func private @same(
// CHECK-SAME: %[[X:.*]]: tensor<?x4xf32>) -> tensor<?x4xf32> {
// CHECK-NEXT: return %[[X]] : tensor<?x4xf32>
func.func private @same(%x: tensor<?x4xf32, #stablehlo.bounds<3, ?>>) -> tensor<?x4xf32, #stablehlo.bounds<3, ?>> {
  return %x : tensor<?x4xf32, #stablehlo.bounds<3, ?>>
}

// Sizes of results follow from those of operands.

// CHECK-LABEL: func.func @moved(
// CHECK-SAME: %[[X:.*]]: tensor<?xi32>) -> tensor<?x2x2xi32> {
// CHECK: %[[N:.*]] = tensor.dim %[[X]], %{{.*}} : tensor<?xi32>
// CHECK: %[[HALF:.*]] = arith.divui %{{.*}}, %c2{{.*}} : index
// CHECK: %[[SIZES:.*]] = tensor.from_elements %[[HALF]], %c2{{.*}} : tensor<2xindex>
// CHECK: %[[R:.*]] = stablehlo.dynamic_reshape %[[X]], %[[SIZES]] : (tensor<?xi32>, tensor<2xindex>) -> tensor<?x2xi32>
// CHECK: %[[ROWS:.*]] = tensor.dim %[[R]], %{{.*}} : tensor<?x2xi32>
// CHECK: %[[SIZES:.*]] = tensor.from_elements %[[ROWS]], %{{.*}}, %{{.*}} : tensor<3xindex>
// CHECK: stablehlo.dynamic_broadcast_in_dim %[[R]], %[[SIZES]], dims = [0, 2] : (tensor<?x2xi32>, tensor<3xindex>) -> tensor<?x2x2xi32>
func.func @moved(%x: tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<?x2x2xi32, #stablehlo.bounds<3, ?, ?>> {
  %0 = stablehlo.reshape %x : (tensor<?xi32, #stablehlo.bounds<6>>) -> tensor<?x2xi32, #stablehlo.bounds<3, ?>>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 2] : (tensor<?x2xi32, #stablehlo.bounds<3, ?>>) -> tensor<?x2x2xi32, #stablehlo.bounds<3, ?, ?>>
  return %1 : tensor<?x2x2xi32, #stablehlo.bounds<3, ?, ?>>
}
