// RUN: freehold opt %s --split-input-file --linalg-split-batches | FileCheck %s

// Attention of 8 heads, of which each needs a matrix of its own only. The mask belongs to all of them.
// CHECK-LABEL: func.func @attention
// CHECK-SAME:    (%[[Q:.*]]: tensor<8x256x64xf32>, %[[K:.*]]: tensor<8x64x256xf32>, %[[V:.*]]: tensor<8x256x64xf32>, %[[M:.*]]: tensor<256x256xf32>)
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<8x256x64xf32>
// CHECK:         %[[R:.*]] = scf.for %[[I:.*]] = %c0{{[_0-9]*}} to %c8{{[_0-9]*}} step %c1{{[_0-9]*}} iter_args(%[[ALL:.*]] = %[[E]])
// CHECK-DAG:       %[[Q1:.*]] = tensor.extract_slice %[[Q]][%[[I]], 0, 0] [1, 256, 64] [1, 1, 1]
// CHECK-DAG:       %[[K1:.*]] = tensor.extract_slice %[[K]][%[[I]], 0, 0] [1, 64, 256] [1, 1, 1]
// CHECK:           %[[S:.*]] = linalg.batch_matmul ins(%[[Q1]], %[[K1]]
// CHECK:           %[[P:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[M]] : tensor<1x256x256xf32>, tensor<256x256xf32>)
// CHECK:             arith.index_cast %[[I]] : index to i32
// CHECK:           %[[V1:.*]] = tensor.extract_slice %[[V]][%[[I]], 0, 0] [1, 256, 64] [1, 1, 1]
// CHECK:           %[[R1:.*]] = linalg.batch_matmul ins(%[[P]], %[[V1]]
// CHECK:           %[[N:.*]] = tensor.insert_slice %[[R1]] into %[[ALL]][%[[I]], 0, 0] [1, 256, 64] [1, 1, 1]
// CHECK:           scf.yield %[[N]]
// CHECK:         return %[[R]]
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#mask = affine_map<(d0, d1, d2) -> (d1, d2)>
func.func @attention(%q: tensor<8x256x64xf32>, %k: tensor<8x64x256xf32>, %v: tensor<8x256x64xf32>, %m: tensor<256x256xf32>) -> tensor<8x256x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x256x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<8x256x64xf32>, tensor<8x64x256xf32>) outs(%z : tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
  %f = tensor.empty() : tensor<8x256x256xf32>
  %p = linalg.generic {indexing_maps = [#id, #mask, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %m : tensor<8x256x256xf32>, tensor<256x256xf32>) outs(%f : tensor<8x256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %b = linalg.index 0 : index
    %c = arith.index_cast %b : index to i32
    %d = arith.sitofp %c : i32 to f32
    %x = arith.addf %in, %mask : f32
    %y = arith.addf %x, %d : f32
    linalg.yield %y : f32
  } -> tensor<8x256x256xf32>
  %g = tensor.empty() : tensor<8x256x64xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
  %r = linalg.batch_matmul ins(%p, %v : tensor<8x256x256xf32>, tensor<8x256x64xf32>) outs(%h : tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
  return %r : tensor<8x256x64xf32>
}

// -----

// Somebody else needs the scores.
// CHECK-LABEL: func.func @returned
// CHECK-NOT:     scf.for
func.func @returned(%q: tensor<8x256x64xf32>, %k: tensor<8x64x256xf32>, %v: tensor<8x256x64xf32>) -> (tensor<8x256x64xf32>, tensor<8x256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x256x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<8x256x64xf32>, tensor<8x64x256xf32>) outs(%z : tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
  %g = tensor.empty() : tensor<8x256x64xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
  %r = linalg.batch_matmul ins(%s, %v : tensor<8x256x256xf32>, tensor<8x256x64xf32>) outs(%h : tensor<8x256x64xf32>) -> tensor<8x256x64xf32>
  return %r, %s : tensor<8x256x64xf32>, tensor<8x256x256xf32>
}

// -----

// What is between is small.
// CHECK-LABEL: func.func @small
// CHECK-NOT:     scf.for
func.func @small(%q: tensor<4x64x256xf32>, %k: tensor<4x256x64xf32>, %v: tensor<4x64x256xf32>) -> tensor<4x64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<4x64x256xf32>, tensor<4x256x64xf32>) outs(%z : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
  %g = tensor.empty() : tensor<4x64x256xf32>
  %h = linalg.fill ins(%zero : f32) outs(%g : tensor<4x64x256xf32>) -> tensor<4x64x256xf32>
  %r = linalg.batch_matmul ins(%s, %v : tensor<4x64x64xf32>, tensor<4x64x256xf32>) outs(%h : tensor<4x64x256xf32>) -> tensor<4x64x256xf32>
  return %r : tensor<4x64x256xf32>
}
