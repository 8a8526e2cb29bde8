// RUN: freehold opt %s --split-input-file --linalg-separate-windows | FileCheck %s

// The rows of the window first, then its columns.
// CHECK: #[[ROWS:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1 + d3, d2)>
// CHECK: #[[COLUMNS:.+]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2 * 2 + d3 * 3)>
// CHECK-LABEL: @greatest(
// CHECK-SAME: %[[X:.*]]: tensor<2x?x48xf32>
#x = affine_map<(n, h, w, i, j) -> (n, h + i, w * 2 + j * 3)>
#w = affine_map<(n, h, w, i, j) -> (i, j)>
#y = affine_map<(n, h, w, i, j) -> (n, h, w)>
func.func @greatest(%x: tensor<2x?x48xf32>, %out: tensor<2x?x14xf32>) -> tensor<2x?x14xf32> {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<8x8xf32>
  // CHECK: %[[FILL:.*]] = linalg.fill {{.*}} tensor<2x?x14xf32>
  // CHECK: %[[FILL0:.*]] = linalg.fill {{.*}} tensor<2x?x48xf32>
  // CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[ROWS]], {{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[X]], %{{.*}} : tensor<2x?x48xf32>, tensor<8xf32>) outs(%[[FILL0]] : tensor<2x?x48xf32>)
  // CHECK: arith.maximumf
  // CHECK: linalg.generic {indexing_maps = [#[[COLUMNS]], {{.*}}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%[[R]], %{{.*}} : tensor<2x?x48xf32>, tensor<8xf32>) outs(%[[FILL]] : tensor<2x?x14xf32>)
  // CHECK: arith.maximumf
  %fill = linalg.fill ins(%least : f32) outs(%out : tensor<2x?x14xf32>) -> tensor<2x?x14xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %window : tensor<2x?x48xf32>, tensor<8x8xf32>) outs(%fill : tensor<2x?x14xf32>) {
  ^bb0(%a: f32, %_: f32, %m: f32):
    %max = arith.maximumf %m, %a : f32
    linalg.yield %max : f32
  } -> tensor<2x?x14xf32>
  return %r : tensor<2x?x14xf32>
}

// -----

// Three dimensions take two steps; named operations are windows as well.
// CHECK-LABEL: @least(
// CHECK-COUNT-3: arith.minsi
// CHECK-NOT: linalg.pooling_ndhwc_min
func.func @least(%x: tensor<1x9x9x9x4xi32>) -> tensor<1x5x5x5x4xi32> {
  %most = arith.constant 2147483647 : i32
  %window = tensor.empty() : tensor<5x5x5xi32>
  %empty = tensor.empty() : tensor<1x5x5x5x4xi32>
  %fill = linalg.fill ins(%most : i32) outs(%empty : tensor<1x5x5x5x4xi32>) -> tensor<1x5x5x5x4xi32>
  %r = linalg.pooling_ndhwc_min {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
      ins(%x, %window : tensor<1x9x9x9x4xi32>, tensor<5x5x5xi32>) outs(%fill : tensor<1x5x5x5x4xi32>) -> tensor<1x5x5x5x4xi32>
  return %r : tensor<1x5x5x5x4xi32>
}

// -----

// Small windows, sums, and results that begin with something else stay.
// CHECK-LABEL: @stays(
// CHECK: linalg.pooling_nchw_max
// CHECK: linalg.pooling_nchw_sum
// CHECK: linalg.pooling_nchw_max
// CHECK-NOT: linalg.generic
func.func @stays(%x: tensor<1x2x9x9xf32>, %out: tensor<1x2x5x5xf32>) -> (tensor<1x2x7x7xf32>, tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %small = tensor.empty() : tensor<3x3xf32>
  %large = tensor.empty() : tensor<5x5xf32>
  %e7 = tensor.empty() : tensor<1x2x7x7xf32>
  %e5 = tensor.empty() : tensor<1x2x5x5xf32>
  %f7 = linalg.fill ins(%least : f32) outs(%e7 : tensor<1x2x7x7xf32>) -> tensor<1x2x7x7xf32>
  %f5 = linalg.fill ins(%zero : f32) outs(%e5 : tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %0 = linalg.pooling_nchw_max ins(%x, %small : tensor<1x2x9x9xf32>, tensor<3x3xf32>) outs(%f7 : tensor<1x2x7x7xf32>) -> tensor<1x2x7x7xf32>
  %1 = linalg.pooling_nchw_sum ins(%x, %large : tensor<1x2x9x9xf32>, tensor<5x5xf32>) outs(%f5 : tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  %2 = linalg.pooling_nchw_max ins(%x, %large : tensor<1x2x9x9xf32>, tensor<5x5xf32>) outs(%out : tensor<1x2x5x5xf32>) -> tensor<1x2x5x5xf32>
  return %0, %1, %2 : tensor<1x2x7x7xf32>, tensor<1x2x5x5xf32>, tensor<1x2x5x5xf32>
}

// -----

// So do bodies that do more, and results without a dimension that nothing is reduced along.
func.func private @seen(f32) -> ()
// CHECK-LABEL: @more(
// CHECK: iterator_types = ["parallel", "parallel", "reduction", "reduction"]
// CHECK: iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
// CHECK-NOT: linalg.generic
#x = affine_map<(h, w, i, j) -> (h + i, w + j)>
#w = affine_map<(h, w, i, j) -> (i, j)>
#y = affine_map<(h, w, i, j) -> (h, w)>
#xn = affine_map<(n, h, w, i, j) -> (n, h + i, w + j)>
#wn = affine_map<(n, h, w, i, j) -> (i, j)>
#yn = affine_map<(n, h, w, i, j) -> (h, w)>
func.func @more(%x: tensor<12x12xf32>, %n: tensor<2x12x12xf32>) -> (tensor<7x7xf32>, tensor<7x7xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<6x6xf32>
  %e = tensor.empty() : tensor<7x7xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<7x7xf32>) -> tensor<7x7xf32>
  %r = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %window : tensor<12x12xf32>, tensor<6x6xf32>) outs(%f : tensor<7x7xf32>) {
  ^bb0(%a: f32, %_: f32, %m: f32):
    func.call @seen(%a) : (f32) -> ()
    %max = arith.maximumf %m, %a : f32
    linalg.yield %max : f32
  } -> tensor<7x7xf32>
  %s = linalg.generic {indexing_maps = [#xn, #wn, #yn], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%n, %window : tensor<2x12x12xf32>, tensor<6x6xf32>) outs(%f : tensor<7x7xf32>) {
  ^bb0(%a: f32, %_: f32, %m: f32):
    %max = arith.maximumf %m, %a : f32
    linalg.yield %max : f32
  } -> tensor<7x7xf32>
  return %r, %s : tensor<7x7xf32>, tensor<7x7xf32>
}
