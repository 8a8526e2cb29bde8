// RUN: freehold opt %s --split-input-file --linalg-fuse-elementwise-ops="max-recomputed-ops=4 keep-expensive=true" --canonicalize | FileCheck %s

// A reduction computes what is one instruction in its own loop.
// CHECK-LABEL: func.func @bits
// CHECK:         linalg.generic {{.*}}["parallel", "reduction"]
// CHECK:           arith.shrui
// CHECK:           math.ctpop
// CHECK:           arith.maxui
// CHECK-NOT:     linalg.generic
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @bits(%x: tensor<4x8xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %e = tensor.empty() : tensor<4x8xi32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xi32>) outs(%e : tensor<4x8xi32>) {
  ^bb0(%a: i32, %o: i32):
    %one = arith.constant 1 : i32
    %s = arith.shrui %a, %one : i32
    %n = math.ctpop %s : i32
    linalg.yield %n : i32
  } -> tensor<4x8xi32>
  %1 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xi32>) outs(%y : tensor<4xi32>) {
  ^bb0(%a: i32, %o: i32):
    %m = arith.maxui %a, %o : i32
    linalg.yield %m : i32
  } -> tensor<4xi32>
  return %1 : tensor<4xi32>
}

// -----

// Functions stay in a loop of their own, which runs in vectors.
// CHECK-LABEL: func.func @functions
// CHECK:         linalg.generic {{.*}}["parallel", "parallel"]
// CHECK:           math.exp
// CHECK:         linalg.generic {{.*}}["parallel", "reduction"]
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @functions(%x: tensor<4x8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = math.exp %a : f32
    linalg.yield %n : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<4x8xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// What each row of a broadcast would compute again stays, too, unless it costs no more than to load it.
// CHECK-LABEL: func.func @rows
// CHECK:         linalg.generic {{.*}}["parallel"]
// CHECK:           arith.maximumf
// CHECK:         linalg.generic {{.*}}["parallel", "parallel"]
#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
func.func @rows(%x: tensor<8xf32>, %y: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %zero = arith.constant 0.0 : f32
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#column, #all, #all], iterator_types = ["parallel", "parallel"]} ins(%0, %y : tensor<8xf32>, tensor<4x8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
