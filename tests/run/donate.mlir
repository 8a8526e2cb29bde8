// What is donated holds results, without an allocation.
//
// RUN: freehold run %s --donate --stats --input=4xf32=1,2,3,4 --input=4xf32=10 --input=4xf32=100 | FileCheck %s
// RUN: freehold run %s --donate --dealloc=hlo --check --input=4xf32=1,2,3,4 --input=4xf32=10 --input=4xf32=100 | FileCheck %s
// RUN: freehold run %s --stats --input=4xf32=1,2,3,4 --input=4xf32=10 --input=4xf32=100 | FileCheck %s --check-prefix=KEPT
//
// CHECK:      result #0: 4xf32 = [11.0, 12.0, 13.0, 14.0]
// CHECK-NEXT: result #1: 4xf32 = [110.0, 110.0, 110.0, 110.0]
// CHECK-NEXT: argument #0: 4xf32 = [11.0, 12.0, 13.0, 14.0]
// CHECK-NEXT: argument #2: 4xf32 = [110.0, 110.0, 110.0, 110.0]
// KEPT:       result #0: 4xf32 = [11.0, 12.0, 13.0, 14.0]
// KEPT-NEXT:  result #1: 4xf32 = [110.0, 110.0, 110.0, 110.0]
// KEPT-NOT:   argument

func.func @main(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32>, %c: tensor<4xf32> {jax.buffer_donor = true}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.add %c, %b : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
