// Negative dimensions of an index select count from the last one on.
//
// RUN: freehold run %s --input=2x2x2xi32=100,101,110,111,200,201,210,211 --input=2x2x2xi64=0,1,1,0,0,0,1,1 | FileCheck %s

// CHECK:      result #0: 2x2x2xi32
// CHECK-NEXT: {{\[\[\[}}100, 101],
// CHECK-NEXT:   [111, 110]],
// CHECK:       {{\[\[}}200, 200],
// CHECK-NEXT:   [211, 211]]]
func.func @main(%x: tensor<2x2x2xi32>, %i: tensor<2x2x2xi64>) -> tensor<2x2x2xi32> {
  %0 = "stablehlo.torch_index_select"(%x, %i) <{dim = -1 : i64, batch_dims = -1 : i64}> : (tensor<2x2x2xi32>, tensor<2x2x2xi64>) -> tensor<2x2x2xi32>
  return %0 : tensor<2x2x2xi32>
}
