// RUN: freehold opt %s --split-input-file --linalg-fuse-elementwise-ops --canonicalize | FileCheck %s
// RUN: freehold opt %s --split-input-file --linalg-fuse-elementwise-ops="max-recomputed-ops=4" --canonicalize | FileCheck %s --check-prefix=AGAIN

// Through a transposition, with the counters of loops and a constant.
// CHECK-DAG:   #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[$T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG:   #[[$ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-LABEL: func.func @transposed
// CHECK-SAME:    (%[[X:.*]]: tensor<4x5xf32>, %[[B:.*]]: tensor<5xf32>)
// CHECK:         %[[TWO:.*]] = arith.constant 2.0
// CHECK:         linalg.generic {indexing_maps = [#[[$T]], #[[$ROW]], #[[$ID]]]
// CHECK-SAME:      ins(%[[X]], %[[B]]
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[C:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      linalg.index 0
// CHECK:           %[[S:.*]] = arith.addf %[[A]]
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[S]], %[[TWO]]
// CHECK-NEXT:      %[[R:.*]] = arith.addf %[[M]], %[[C]]
// CHECK-NEXT:      linalg.yield %[[R]]
// CHECK-NOT:     linalg.generic
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @transposed(%x: tensor<4x5xf32>, %b: tensor<5xf32>) -> tensor<5x4xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %et = tensor.empty() : tensor<5x4xf32>
  %cst = arith.constant dense<2.0> : tensor<4x5xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %cst : tensor<4x5xf32>, tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %s = arith.addf %a, %k : f32
    %m = arith.mulf %s, %c : f32
    linalg.yield %m : f32
  } -> tensor<4x5xf32>
  %1 = linalg.generic {indexing_maps = [#t, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %b : tensor<4x5xf32>, tensor<5xf32>) outs(%et : tensor<5x4xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %m = arith.addf %a, %c : f32
    linalg.yield %m : f32
  } -> tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}

// -----

// Into a reduction, whose loops the new input still bounds. An output of which only the shape matters
// is no use of a producer.
// CHECK-LABEL: func.func @reduced
// CHECK:         linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[SUM:.*]]: f32):
// CHECK-NEXT:      %[[P:.*]] = arith.mulf %[[A]], %[[A]]
// CHECK-NEXT:      %[[N:.*]] = math.exp %[[P]]
// CHECK-NEXT:      arith.addf %[[N]], %[[SUM]]
// CHECK-NOT:     linalg.generic
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @reduced(%x: tensor<?x?xf32>, %init: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %x : tensor<?x?xf32>, tensor<?x?xf32>) outs(%x : tensor<?x?xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<?x?xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<?x?xf32>) outs(%0 : tensor<?x?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<?x?xf32>
  %2 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<?x?xf32>) outs(%init : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<?xf32>
  return %2 : tensor<?xf32>
}

// -----

// What two use is computed once, unless it is cheap and may be computed again.
// CHECK-LABEL: func.func @used_twice
// CHECK-COUNT-3: linalg.generic
// CHECK:         return
// AGAIN-LABEL: func.func @used_twice
// AGAIN-COUNT-2: linalg.generic
// AGAIN-NOT:     linalg.generic
// AGAIN:         return
#id = affine_map<(d0) -> (d0)>
func.func @used_twice(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.mulf %a, %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.log %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// What is expensive is not.
// AGAIN-LABEL: func.func @expensive
// AGAIN-COUNT-3: linalg.generic
// AGAIN:         return
#id = affine_map<(d0) -> (d0)>
func.func @expensive(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.tanh %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.log %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Without its input, the loop of the reduction would have no bounds.
// CHECK-LABEL: func.func @unbounded
// CHECK:         linalg.fill
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%{{.*}} : tensor<8xf32>)
#id = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
func.func @unbounded(%n: f32, %init: tensor<f32>) -> tensor<f32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.fill ins(%n : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction"]} ins(%0 : tensor<8xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

// A producer outside of the loop is computed once. One that writes into what it got, or that reads
// memory, stays.
// CHECK-LABEL: func.func @stays
// CHECK-COUNT-4: linalg.generic
// CHECK:         return
#id = affine_map<(d0) -> (d0)>
func.func @stays(%x: tensor<8xf32>, %m: memref<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = math.tanh %a : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %1 = scf.for %i = %c0 to %c8 step %c1 iter_args(%t = %x) -> tensor<8xf32> {
    %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%t : tensor<8xf32>) {
    ^bb0(%a: f32, %o: f32):
      %y = arith.addf %a, %o : f32
      linalg.yield %y : f32
    } -> tensor<8xf32>
    scf.yield %2 : tensor<8xf32>
  }
  %3 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %y = memref.load %m[%i] : memref<8xf32>
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%3 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %y = math.exp %a : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %1, %4 : tensor<8xf32>, tensor<8xf32>
}
