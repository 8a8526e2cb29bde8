// RUN: freehold opt %s --split-input-file --linalg-interchange-reductions | FileCheck %s

// The sum goes through the pooled tensor as it was made. Its body sees the loops under their new numbers.
// CHECK-DAG:   #[[P:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG:   #[[S:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3)>
// CHECK-LABEL: func.func @pooled
// CHECK:         linalg.generic {indexing_maps = [#[[P]], #[[S]]], iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
// CHECK:           linalg.index 3
// CHECK:           linalg.index 1
#nhwc = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3, d1)>
#nc = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
func.func @pooled(%x: tensor<1x8x8x4xf32>, %w: tensor<2x2xf32>, %p: tensor<1x4x4x4xf32>, %s: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%x, %w : tensor<1x8x8x4xf32>, tensor<2x2xf32>) outs(%p : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  %1 = linalg.generic {indexing_maps = [#nhwc, #nc], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%0 : tensor<1x4x4x4xf32>) outs(%s : tensor<1x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = linalg.index 1 : index
    %h = linalg.index 2 : index
    %i = arith.addi %c, %h : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %m = arith.mulf %a, %f : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x4xf32>
  return %1 : tensor<1x4xf32>
}

// -----

// The order of what is added up stays: the tensor is made row by row, and read column by column.
// CHECK-LABEL: func.func @in_order
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}], iterator_types = ["reduction", "reduction"]}
#t = affine_map<(d0, d1) -> (d1, d0)>
#none = affine_map<(d0, d1) -> ()>
#row = affine_map<(d0, d1) -> (d0)>
func.func @in_order(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>, %e: tensor<4x4xf32>, %s: tensor<f32>) -> tensor<f32> {
  %0 = linalg.matmul ins(%x, %y : tensor<4x8xf32>, tensor<8x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#t, #none], iterator_types = ["reduction", "reduction"]} ins(%0 : tensor<4x4xf32>) outs(%s : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %1 : tensor<f32>
}

// What is there anyway is read in any order.
// CHECK-LABEL: func.func @argument
// CHECK:         iterator_types = ["parallel", "reduction"]
func.func @argument(%x: tensor<4x8xf32>, %s: tensor<8xf32>) -> tensor<8xf32> {
  %1 = linalg.generic {indexing_maps = [#t, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x8xf32>) outs(%s : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
