// RUN: freehold opt %s --linalg-generalize-named-ops | FileCheck %s

// Inputs are cast to the type of the output one by one.
// CHECK-LABEL: func.func @mixed
// CHECK:         arith.extf %{{.*}} : bf16 to f32
// CHECK-NEXT:    arith.extf %{{.*}} : bf16 to f32
// CHECK-NEXT:    arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT:    arith.addf %{{.*}}, %{{.*}} : f32
func.func @mixed(%a: memref<2x1x3xbf16>, %b: memref<2x3x2xbf16>, %c: memref<1x2xf32>) {
  linalg.batch_reduce_matmul ins(%a, %b : memref<2x1x3xbf16>, memref<2x3x2xbf16>) outs(%c : memref<1x2xf32>)
  return
}
