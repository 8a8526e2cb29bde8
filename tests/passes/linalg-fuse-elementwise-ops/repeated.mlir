// RUN: freehold opt %s --split-input-file --linalg-fuse-elementwise-ops="max-recomputed-ops=4" --canonicalize | FileCheck %s

// Cheap operations are computed by both that need them.
// CHECK-LABEL: func.func @cheap
// CHECK:         linalg.generic {{.*}}["parallel", "parallel"]
// CHECK:           arith.addf
// CHECK:           arith.mulf
// CHECK:         linalg.generic {{.*}}["parallel"]
// CHECK:           arith.addf
// CHECK:           math.exp
// CHECK-NOT:     linalg.generic
#id = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @cheap(%x: tensor<8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%0, %y : tensor<8xf32>, tensor<4x8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<8xf32>
}

// -----

// A choice by conditions in a tensor is made once: loops that read such tensors would not run in vectors.
// CHECK-LABEL: func.func @condition
// CHECK:         %[[CHOSEN:.*]] = linalg.generic
// CHECK:           arith.select
// CHECK:         linalg.generic {{.*}} ins(%[[CHOSEN]], %{{.*}} : tensor<8xf32>, tensor<4x8xf32>)
// CHECK:         linalg.generic {{.*}} ins(%[[CHOSEN]] : tensor<8xf32>)
#id = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @condition(%c: tensor<8xi1>, %x: tensor<8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%c, %x : tensor<8xi1>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%d: i1, %a: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %m = arith.select %d, %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%0, %y : tensor<8xf32>, tensor<4x8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %1, %2 : tensor<4x8xf32>, tensor<8xf32>
}

// -----

// Nor is more computed for each row that is the same in all, though each operation is cheap and nothing else needs it.
// CHECK-LABEL: func.func @rows
// CHECK:         %[[ROW:.*]] = linalg.generic
// CHECK:           arith.subf
// CHECK:         linalg.generic {{.*}} ins(%[[ROW]], %{{.*}} : tensor<8xf32>, tensor<4x8xf32>)
#id = affine_map<(d0) -> (d0)>
#row = affine_map<(d0, d1) -> (d1)>
#all = affine_map<(d0, d1) -> (d0, d1)>
func.func @rows(%x: tensor<8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %a : f32
    %n = arith.mulf %m, %a : f32
    %p = arith.subf %n, %m : f32
    %q = arith.mulf %p, %n : f32
    %r = arith.subf %q, %p : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#row, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%0, %y : tensor<8xf32>, tensor<4x8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
