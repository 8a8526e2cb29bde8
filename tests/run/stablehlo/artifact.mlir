// Programs that are stored as VHLO run as they are, whatever their version.
//
// RUN: freehold opt --stablehlo-legalize-to-vhlo --emit-bytecode < %s | freehold run - | FileCheck %s
// RUN: freehold opt --stablehlo-legalize-to-vhlo --vhlo-to-version=target=0.9.0 --emit-bytecode-version=4 < %s | freehold run - | FileCheck %s
// RUN: freehold opt --stablehlo-legalize-to-vhlo --vhlo-to-version=target=1.0.0 < %s | freehold run - | FileCheck %s

// CHECK: result #0: 2x2xf32
// CHECK-NEXT: 2.718281{{[0-9]*}}, 7.389056
// CHECK-NEXT: 20.085537, 54.59815
// CHECK-NEXT: result #1: i32 = 3
func.func @main() -> (tensor<2x2xf32>, tensor<i32>) {
  %a = stablehlo.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %e = stablehlo.exponential %a : tensor<2x2xf32>
  %p = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %i = stablehlo.convert %p : (tensor<4xi1>) -> tensor<4xi32>
  %n = stablehlo.reduce(%i init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  return %e, %n : tensor<2x2xf32>, tensor<i32>
}
