// RUN: freehold opt %s --linalg-fold-transposes-into-contractions | FileCheck %s
// CHECK-DAG:   #[[$Q:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG:   #[[$V:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG:   #[[$R:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
// CHECK-LABEL: func.func @result
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<256x8x64xf32>
// CHECK:         %[[Z:.*]] = linalg.fill {{.*}} outs(%[[E]]
// CHECK:         %[[P:.*]] = linalg.generic {indexing_maps = [#[[$Q]], #[[$V]], #[[$R]]]
// CHECK-SAME:      outs(%[[Z]] : tensor<256x8x64xf32>)
// CHECK-NOT:     linalg.transpose
// CHECK:         return %[[P]]
func.func @result(%q: tensor<8x256x256xf32>, %v: tensor<8x256x64xf32>) -> tensor<256x8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x256x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
  %p = linalg.batch_matmul ins(%q, %v : tensor<8x256x256xf32>, tensor<8x256x64xf32>) outs(%z : tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
  %f = tensor.empty() : tensor<256x8x64xf32>
  %t = linalg.transpose ins(%p : tensor<8x256x64xf32>) outs(%f : tensor<256x8x64xf32>) permutation = [1, 0, 2]
  return %t : tensor<256x8x64xf32>
}
