// RUN: freehold opt %s --split-input-file --linalg-fuse-elementwise-ops="several-results=true" --canonicalize | FileCheck %s
// RUN: freehold opt %s --split-input-file --linalg-fuse-elementwise-ops --canonicalize | FileCheck %s --check-prefix=ALONE
// RUN: freehold opt %s --split-input-file --linalg-fuse-elementwise-ops="several-results=true max-recomputed-ops=4" --canonicalize | FileCheck %s --check-prefix=ROUNDS

// Both need what is computed first, and one of them what the other one computes: one operation.
// CHECK-LABEL: func.func @diamond
// CHECK-SAME:    (%[[X:.*]]: tensor<8xf32>, %[[Y:.*]]: tensor<8xf32>)
// CHECK:         %[[R:.*]]:2 = linalg.generic {{.*}} ins(%[[X]], %[[Y]] : tensor<8xf32>, tensor<8xf32>)
// CHECK-NEXT:    ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[E:.*]] = math.exp %[[A]]
// CHECK-NEXT:      %[[F:.*]] = arith.addf %[[E]], %[[B]]
// CHECK-NEXT:      %[[G:.*]] = arith.mulf %[[F]], %[[E]]
// CHECK-NEXT:      linalg.yield %[[G]], %[[F]]
// CHECK-NOT:     linalg.generic
// CHECK:         return %[[R]]#1, %[[R]]#0
// ALONE-LABEL: func.func @diamond
// ALONE-COUNT-3: linalg.generic
#id = affine_map<(d0) -> (d0)>
func.func @diamond(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.addf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%1, %0 : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Two that read the same tensor, one of them transposed; the counters of the first one are the other way round.
// CHECK-LABEL: func.func @transposed
// CHECK:         linalg.generic
// CHECK-SAME:      outs(%{{.*}}, %{{.*}} : tensor<5x4xf32>, tensor<4x5xf32>)
// CHECK:           linalg.index 1
// CHECK-NOT:     linalg.generic
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @transposed(%x: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<5x4xf32>) {
  %e = tensor.empty() : tensor<4x5xf32>
  %et = tensor.empty() : tensor<5x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %s = arith.addf %a, %k : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  %1 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x5xf32>) outs(%et : tensor<5x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<5x4xf32>
  return %0, %1 : tensor<4x5xf32>, tensor<5x4xf32>
}

// -----

// What reads whole rows of the first one's result comes after it. So does what updates that result.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-3: linalg.generic
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @apart(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [#id, #t, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %0, %0 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %m = arith.addf %a, %b : f32
    %n = arith.addf %m, %c : f32
    linalg.yield %n : f32
  } -> tensor<4x4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%1 : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<4x4xf32>
  return %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A reduction that reads each element of its inputs once takes all of their producers.
// CHECK-LABEL: func.func @products
// CHECK:         linalg.generic {{.*}}["parallel", "reduction"]
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.negf
// CHECK-NEXT:      arith.subf
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      arith.addf
// CHECK-NOT:     linalg.generic
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @products(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.subf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.negf %a : f32
    linalg.yield %m : f32
  } -> tensor<4x8xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%0, %1 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %o, %p : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Rounds of a random number generator, both words of which are results: cheap operations that two others need become
// part of one operation with both before they would be repeated in each, and no number that fills a tensor stands in
// between.
// CHECK-LABEL: func.func @rounds
// ALONE-LABEL: func.func @rounds
// ROUNDS-LABEL: func.func @rounds
// ROUNDS: linalg.generic
// ROUNDS-NEXT: ^bb0(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32, %{{.*}}: i32):
// ROUNDS-COUNT-5: arith.addi
// ROUNDS-NOT: arith.addi
// ROUNDS-NOT: linalg.generic
// ROUNDS: return
#id = affine_map<(d0) -> (d0)>
func.func @rounds(%x: tensor<8xi32>, %y: tensor<8xi32>, %k: i32) -> (tensor<8xi32>, tensor<8xi32>) {
  %e = tensor.empty() : tensor<8xi32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %m = arith.addi %a, %b : i32
    linalg.yield %m : i32
  } -> tensor<8xi32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0, %y : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %m = arith.xori %a, %b : i32
    linalg.yield %m : i32
  } -> tensor<8xi32>
  %2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%0, %1 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %m = arith.addi %a, %b : i32
    linalg.yield %m : i32
  } -> tensor<8xi32>
  %3 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%2, %1 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %m = arith.xori %a, %b : i32
    linalg.yield %m : i32
  } -> tensor<8xi32>
  %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%2, %3 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %m = arith.addi %a, %b : i32
    linalg.yield %m : i32
  } -> tensor<8xi32>
  %5 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%4, %3 : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %m = arith.xori %a, %b : i32
    linalg.yield %m : i32
  } -> tensor<8xi32>
  %f = linalg.fill ins(%k : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %6 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%4, %f : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %m = arith.addi %a, %b : i32
    linalg.yield %m : i32
  } -> tensor<8xi32>
  %g = linalg.fill ins(%k : i32) outs(%e : tensor<8xi32>) -> tensor<8xi32>
  %7 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%5, %g : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
  ^bb0(%a: i32, %b: i32, %o: i32):
    %m = arith.addi %a, %b : i32
    linalg.yield %m : i32
  } -> tensor<8xi32>
  return %6, %7 : tensor<8xi32>, tensor<8xi32>
}
