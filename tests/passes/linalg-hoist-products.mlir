// RUN: freehold opt --linalg-hoist-products --cse --canonicalize %s | FileCheck %s

#row = affine_map<(d0, d1) -> (d1)>
#weights = affine_map<(d0, d1) -> (d1, d0)>
#out = affine_map<(d0, d1) -> (d0)>

// The slice may be of any dimension, and the counter need not be its place.
// CHECK: #[[ALL:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// CHECK: #[[WEIGHTS:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK: #[[OUT:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-LABEL: func.func @sliced
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK-SAME: tensor<5x8xf32>
// CHECK: %[[P:.*]] = linalg.generic {indexing_maps = [#[[ALL]], #[[WEIGHTS]], #[[OUT]]], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK-SAME: outs(%[[FILL]] : tensor<5x8xf32>)
// CHECK: scf.for %[[I:[a-z0-9]+]] =
// CHECK: %[[PLACE:.*]] = arith.subi %{{.*}}, %[[I]]
// CHECK: %[[SLICE:.*]] = tensor.extract_slice %[[P]][%[[PLACE]], 0] [1, 8] [1, 1] : tensor<5x8xf32> to tensor<{{.*}}8xf32>
// CHECK-NOT: arith.mulf
// CHECK: return
func.func @sliced(%xs: tensor<3x5xf32>, %w: tensor<3x8xf32>, %h: tensor<8xf32>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %h) -> tensor<8xf32> {
    %place = arith.subi %c4, %i : index
    %s = tensor.extract_slice %xs[0, %place] [3, 1] [1, 1] : tensor<3x5xf32> to tensor<3x1xf32>
    %x = tensor.collapse_shape %s [[0, 1]] : tensor<3x1xf32> into tensor<3xf32>
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %p = linalg.generic {indexing_maps = [#row, #weights, #out], iterator_types = ["parallel", "reduction"]}
        ins(%x, %w : tensor<3xf32>, tensor<3x8xf32>) outs(%f : tensor<8xf32>) {
    ^bb0(%in: f32, %weight: f32, %sum: f32):
      %m = arith.mulf %in, %weight : f32
      %n = arith.addf %sum, %m : f32
      linalg.yield %n : f32
    } -> tensor<8xf32>
    %next = linalg.add ins(%a, %p : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %next : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// More slices than iterations, or weights that change: nothing moves.
// CHECK-LABEL: func.func @stays
// CHECK-NOT: linalg.generic
// CHECK: scf.for
// CHECK: linalg.generic
// CHECK: linalg.generic
func.func @stays(%xs: tensor<5x3xf32>, %w: tensor<3x3xf32>, %h: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %r:2 = scf.for %i = %c0 to %c4 step %c1 iter_args(%a = %h, %b = %h) -> (tensor<3xf32>, tensor<3xf32>) {
    %x = tensor.extract_slice %xs[%i, 0] [1, 3] [1, 1] : tensor<5x3xf32> to tensor<3xf32>
    %p = linalg.generic {indexing_maps = [#row, #weights, #out], iterator_types = ["parallel", "reduction"]}
        ins(%x, %w : tensor<3xf32>, tensor<3x3xf32>) outs(%f : tensor<3xf32>) {
    ^bb0(%in: f32, %weight: f32, %sum: f32):
      %m = arith.mulf %in, %weight : f32
      %n = arith.addf %sum, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    %q = linalg.generic {indexing_maps = [#row, #weights, #out], iterator_types = ["parallel", "reduction"]}
        ins(%b, %w : tensor<3xf32>, tensor<3x3xf32>) outs(%f : tensor<3xf32>) {
    ^bb0(%in: f32, %weight: f32, %sum: f32):
      %m = arith.mulf %in, %weight : f32
      %n = arith.addf %sum, %m : f32
      linalg.yield %n : f32
    } -> tensor<3xf32>
    scf.yield %p, %q : tensor<3xf32>, tensor<3xf32>
  }
  return %r#0, %r#1 : tensor<3xf32>, tensor<3xf32>
}
