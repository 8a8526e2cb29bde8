// RUN: freehold opt %s --stablehlo-legalize-called-computations | FileCheck %s

// The size of the window is compared with that of the operand: sums of all elements so far take a step each.
// CHECK-LABEL: func.func @running(
// CHECK-SAME:      %[[X:.*]]: tensor<?xi32>)
// CHECK:         %[[ALL:.*]] = arith.cmpi eq
// CHECK:         scf.if %{{.*}} -> (tensor<?xi32>)
// CHECK:           iree_linalg_ext.scan
// CHECK:         } else {
// CHECK:           linalg.generic
// CHECK-NOT:     stablehlo.custom_call
func.func @running(%x: tensor<?xi32>) -> tensor<?xi32> {
  %init = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %none = stablehlo.constant dense<0> : tensor<1xi32>
  %less = stablehlo.constant dense<-1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xi32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %before = stablehlo.add %n, %less : tensor<i32>
  %before1 = stablehlo.reshape %before : (tensor<i32>) -> tensor<1xi32>
  %p = stablehlo.concatenate %before1, %none, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %padding = stablehlo.reshape %p : (tensor<2xi32>) -> tensor<1x2xi32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %init, %n1, %one, %one, %one, %padding) {called_computations = [@add]} : (tensor<?xi32>, tensor<i32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xi32>
  return %0 : tensor<?xi32>
}

// CHECK-LABEL: func.func private @add(
func.func private @add(%a: tensor<i32>, %b: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %a, %b : tensor<i32>
  return %0 : tensor<i32>
}
