// Results may know sizes that operands do not, and the other way round.
//
// RUN: freehold run - --input=3xf32=1,2,3 < %s | FileCheck %s

// CHECK: result #0: 3xf32 = [2.0, 4.0, 6.0]
// CHECK-NEXT: result #1: 3xf32 = [-1.0, -2.0, -3.0]
func.func @main(%a: tensor<?xf32>) -> (tensor<3xf32>, tensor<?xf32>) {
  %0 = "stablehlo.add"(%a, %a) : (tensor<?xf32>, tensor<?xf32>) -> tensor<3xf32>
  %b = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %1 = "stablehlo.negate"(%b) : (tensor<3xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<3xf32>, tensor<?xf32>
}
