// RUN: freehold opt %s --split-input-file --linalg-fuse-elementwise-ops="max-recomputed-ops=4" | FileCheck %s

// Of a quantized table, elements are widened where they are read.
// CHECK-LABEL: func.func @table
// CHECK-SAME:    (%[[T:.*]]: tensor<1000x64xi8>, %[[AT:.*]]: tensor<16xindex>, %[[S:.*]]: f32)
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[AT]]
// CHECK:           %[[J:.*]] = linalg.index 1
// CHECK:           %[[X:.*]] = tensor.extract %[[T]][%{{.*}}, %[[J]]] : tensor<1000x64xi8>
// CHECK:           %[[F:.*]] = arith.sitofp %[[X]]
// CHECK:           %[[Y:.*]] = arith.mulf %[[F]], %[[S]]
// CHECK:           linalg.yield %[[Y]]
// CHECK-NOT:     linalg.generic
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @table(%t: tensor<1000x64xi8>, %at: tensor<16xindex>, %s: f32) -> tensor<16x64xf32> {
  %e = tensor.empty() : tensor<1000x64xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<1000x64xi8>) outs(%e : tensor<1000x64xf32>) {
  ^bb0(%in: i8, %out: f32):
    %f = arith.sitofp %in : i8 to f32
    %y = arith.mulf %f, %s : f32
    linalg.yield %y : f32
  } -> tensor<1000x64xf32>
  %o = tensor.empty() : tensor<16x64xf32>
  %r = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%at : tensor<16xindex>) outs(%o : tensor<16x64xf32>) {
  ^bb0(%i: index, %out: f32):
    %j = linalg.index 1 : index
    %x = tensor.extract %w[%i, %j] : tensor<1000x64xf32>
    linalg.yield %x : f32
  } -> tensor<16x64xf32>
  return %r : tensor<16x64xf32>
}

// -----

// More elements are read than there are, so they are computed once each.
// CHECK-LABEL: func.func @small
// CHECK:         %[[W:.*]] = linalg.generic
// CHECK:           math.exp
// CHECK:         linalg.generic
// CHECK:           tensor.extract %[[W]]
#id = affine_map<(d0) -> (d0)>
func.func @small(%t: tensor<8xf32>, %at: tensor<100xindex>) -> tensor<100xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = math.exp %in : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %o = tensor.empty() : tensor<100xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%at : tensor<100xindex>) outs(%o : tensor<100xf32>) {
  ^bb0(%i: index, %out: f32):
    %x = tensor.extract %w[%i] : tensor<8xf32>
    linalg.yield %x : f32
  } -> tensor<100xf32>
  return %r : tensor<100xf32>
}

// -----

// A mask of counters is computed by both of its users, which see it through a reshape.
// CHECK-LABEL: func.func @mask
// CHECK-COUNT-2: arith.cmpi sge
// CHECK-NOT:     arith.cmpi
// CHECK:         return
#two = affine_map<(d0, d1) -> (d0, d1)>
#three = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @mask(%x: tensor<1x8x8xf32>) -> (tensor<1x8x8xf32>, tensor<1x8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xi1>
  %m = linalg.generic {indexing_maps = [#two], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x8xi1>) {
  ^bb0(%out: i1):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %a = arith.index_cast %i : index to i64
    %b = arith.index_cast %j : index to i64
    %c = arith.trunci %a : i64 to i32
    %d = arith.trunci %b : i64 to i32
    %s = arith.cmpi sge, %c, %d : i32
    linalg.yield %s : i1
  } -> tensor<8x8xi1>
  %r = tensor.expand_shape %m [[0, 1], [2]] output_shape [1, 8, 8] : tensor<8x8xi1> into tensor<1x8x8xi1>
  %o = tensor.empty() : tensor<1x8x8xf32>
  %y = linalg.generic {indexing_maps = [#three, #three, #three], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r, %x : tensor<1x8x8xi1>, tensor<1x8x8xf32>) outs(%o : tensor<1x8x8xf32>) {
  ^bb0(%k: i1, %in: f32, %out: f32):
    %v = arith.select %k, %in, %zero : f32
    linalg.yield %v : f32
  } -> tensor<1x8x8xf32>
  %p = tensor.empty() : tensor<1x8x8xf32>
  %z = linalg.generic {indexing_maps = [#three, #three, #three], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r, %y : tensor<1x8x8xi1>, tensor<1x8x8xf32>) outs(%p : tensor<1x8x8xf32>) {
  ^bb0(%k: i1, %in: f32, %out: f32):
    %f = math.exp %in : f32
    %v = arith.select %k, %f, %zero : f32
    linalg.yield %v : f32
  } -> tensor<1x8x8xf32>
  return %y, %z : tensor<1x8x8xf32>, tensor<1x8x8xf32>
}
