// RUN: freehold opt %s --stablehlo-canonicalize | FileCheck %s

// Sizes that are known are attributes.
// CHECK-LABEL: func.func @sizes(
// CHECK-SAME:      %[[X:.*]]: tensor<2xf32>)
// CHECK-NEXT:    %[[WIDE:.*]] = stablehlo.broadcast_in_dim %[[X]], dims = [1]
// CHECK-NEXT:    stablehlo.slice %[[WIDE]] [0:3:2, 1:2]
// CHECK-NEXT:    return
func.func @sizes(%x: tensor<2xf32>) -> tensor<2x1xf32> {
  %sizes = stablehlo.constant dense<[4, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %sizes, dims = [1] : (tensor<2xf32>, tensor<2xi64>) -> tensor<4x2xf32>
  %1 = stablehlo.transpose %0, dims = [0, 1] : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %start = stablehlo.constant dense<[0, 1]> : tensor<2xi32>
  %limit = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
  %stride = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %2 = stablehlo.real_dynamic_slice %1, %start, %limit, %stride : (tensor<4x2xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<2x1xf32>
  return %2 : tensor<2x1xf32>
}

// A slice that is none ends the program when it runs.
// CHECK-LABEL: func.func @outside(
// CHECK:         stablehlo.real_dynamic_slice
func.func @outside(%x: tensor<2xf32>) -> tensor<1xf32> {
  %start = stablehlo.constant dense<2> : tensor<1xi32>
  %limit = stablehlo.constant dense<3> : tensor<1xi32>
  %stride = stablehlo.constant dense<1> : tensor<1xi32>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %stride : (tensor<2xf32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// The sum of -0.0 and 0.0 is another number than -0.0.
// CHECK-LABEL: func.func @neutral(
// CHECK-SAME:      %[[I:.*]]: tensor<4xi32>, %[[F:.*]]: tensor<4xf32>)
// CHECK:         %[[SUM:.*]] = stablehlo.add %[[F]]
// CHECK-NEXT:    return %[[I]], %[[SUM]]
func.func @neutral(%i: tensor<4xi32>, %f: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>) {
  %0 = stablehlo.constant dense<0> : tensor<4xi32>
  %1 = stablehlo.add %0, %i : tensor<4xi32>
  %2 = stablehlo.constant dense<0.0> : tensor<4xf32>
  %3 = stablehlo.add %f, %2 : tensor<4xf32>
  return %1, %3 : tensor<4xi32>, tensor<4xf32>
}
