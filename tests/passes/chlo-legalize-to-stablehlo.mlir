// RUN: freehold opt %s --chlo-legalize-to-stablehlo | FileCheck %s

// What comes later broadcasts the operand with less dimensions.
// CHECK-LABEL: func.func @broadcast(
// CHECK-SAME:      %[[X:.*]]: tensor<4x2xf32>, %[[Y:.*]]: tensor<2xf32>)
// CHECK:         %[[WIDE:.*]] = stablehlo.broadcast_in_dim %[[Y]], dims = [1]
// CHECK:         stablehlo.add %[[X]], %[[WIDE]] : tensor<4x2xf32>
func.func @broadcast(%x: tensor<4x2xf32>, %y: tensor<2xf32>) -> tensor<4x2xf32> {
  %0 = chlo.broadcast_add %x, %y : (tensor<4x2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %0 : tensor<4x2xf32>
}

// A size that is not 1 is the one of the result.
// CHECK-LABEL: func.func @unknown(
// CHECK:         stablehlo.get_dimension_size
// CHECK:         %[[SIZES:.*]] = stablehlo.concatenate
// CHECK:         stablehlo.dynamic_broadcast_in_dim %{{.*}}, %[[SIZES]], dims = [0]
// CHECK:         stablehlo.compare LT
func.func @unknown(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xi1> {
  %0 = chlo.broadcast_compare %x, %y {comparison_direction = #chlo<comparison_direction LT>} : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xi1>
  return %0 : tensor<?xi1>
}

// Functions become arithmetic on tensors.
// CHECK-LABEL: func.func @functions(
// CHECK-NOT:     chlo.
// CHECK-NOT:     arith.
// CHECK-NOT:     math.
// CHECK:         return
func.func @functions(%x: tensor<4xf32>, %z: tensor<4xcomplex<f32>>, %n: tensor<?xf32>) -> (tensor<4xf32>, tensor<4xcomplex<f32>>, tensor<?xf32>) {
  %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
  %1 = chlo.acosh %z : tensor<4xcomplex<f32>> -> tensor<4xcomplex<f32>>
  %2 = chlo.lgamma %n : tensor<?xf32> -> tensor<?xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xcomplex<f32>>, tensor<?xf32>
}

// CHECK-LABEL: func.func @greatest(
// CHECK:         %[[PLACES:.*]] = stablehlo.iota dim = 0 : tensor<8xi32>
// CHECK:         "stablehlo.sort"(%{{.*}}, %[[PLACES]])
// CHECK:           stablehlo.compare GT, {{.*}} TOTALORDER
// CHECK:         stablehlo.slice %{{.*}} [0:3]
func.func @greatest(%x: tensor<8xf32>) -> (tensor<3xf32>, tensor<3xi32>) {
  %0:2 = chlo.top_k(%x, k = 3) : tensor<8xf32> -> (tensor<3xf32>, tensor<3xi32>)
  return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
}
