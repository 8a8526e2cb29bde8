// RUN: freehold opt %s --stablehlo-select-masked-products | FileCheck %s
// RUN: freehold run - --fp=contract < %s | FileCheck %s --check-prefix=CONTRACT
// RUN: freehold run - < %s | FileCheck %s --check-prefix=STRICT

// CHECK-LABEL: func.func private @masked
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[M:.*]]: tensor<4xi1>)
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: stablehlo.select %[[M]], %[[X]], %[[ZERO]]
// CHECK: stablehlo.select %[[M]], %[[X]], %{{.*}}
func.func private @masked(%x: tensor<4xf32>, %m: tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>) {
  %f = stablehlo.convert %m : (tensor<4xi1>) -> tensor<4xf32>
  %0 = stablehlo.multiply %x, %f : tensor<4xf32>
  %1 = stablehlo.multiply %f, %x : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// The square of a mask is a choice of masks.
// CHECK-LABEL: func.func private @square
// CHECK: stablehlo.select
func.func private @square(%m: tensor<4xi1>) -> tensor<4xf32> {
  %f = stablehlo.convert %m : (tensor<4xi1>) -> tensor<4xf32>
  %0 = stablehlo.multiply %f, %f : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Broadcast masks, numbers of integers, integers and sizes of run time stay.
// CHECK-LABEL: func.func private @others
// CHECK-NOT: stablehlo.select
func.func private @others(%x: tensor<2x4xf32>, %m: tensor<4xi1>, %i: tensor<4xi32>, %d: tensor<?xf32>, %k: tensor<?xi1>)
    -> (tensor<2x4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<?xf32>) {
  %f = stablehlo.convert %m : (tensor<4xi1>) -> tensor<4xf32>
  %b = stablehlo.broadcast_in_dim %f, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %0 = stablehlo.multiply %x, %b : tensor<2x4xf32>
  %g = stablehlo.convert %i : (tensor<4xi32>) -> tensor<4xf32>
  %1 = stablehlo.multiply %g, %g : tensor<4xf32>
  %h = stablehlo.convert %m : (tensor<4xi1>) -> tensor<4xi32>
  %2 = stablehlo.multiply %i, %h : tensor<4xi32>
  %l = stablehlo.convert %k : (tensor<?xi1>) -> tensor<?xf32>
  %3 = stablehlo.multiply %d, %l : tensor<?xf32>
  return %0, %1, %2, %3 : tensor<2x4xf32>, tensor<4xf32>, tensor<4xi32>, tensor<?xf32>
}

// CONTRACT: [0.0, 0.0, 3.0, -inf]
// CONTRACT: [0.0, 0.0, 3.0, -inf]
// STRICT: [NaN, NaN, 3.0, -inf]
// STRICT: [NaN, NaN, 3.0, -inf]
func.func @main() -> (tensor<4xf32>, tensor<4xf32>) {
  %x = stablehlo.constant dense<[0x7F800000, 0x7FC00000, 3.0, 0xFF800000]> : tensor<4xf32>
  %m = stablehlo.constant dense<[false, false, true, true]> : tensor<4xi1>
  %0:2 = func.call @masked(%x, %m) : (tensor<4xf32>, tensor<4xi1>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
