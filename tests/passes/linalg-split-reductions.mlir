// RUN: freehold opt %s --split-input-file --linalg-split-reductions="fp=contract max-chain=8" | FileCheck %s
// RUN: freehold opt %s --split-input-file --linalg-split-reductions=max-chain=8 | FileCheck %s --check-prefix=STRICT
// RUN: freehold opt %s --split-input-file --linalg-split-reductions=fp=contract | FileCheck %s --check-prefix=SHORT

// SHORT-NOT: tensor.expand_shape

// Sums of columns, of parts of equal size: 25 times 4.
// CHECK-DAG:   #[[PART:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG:   #[[OF:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-LABEL: func.func @columns
// CHECK-SAME:    (%[[X:.*]]: tensor<100x3xf32>, %[[OUT:.*]]: tensor<3xf32>)
// CHECK:         %[[PARTS:.*]] = tensor.expand_shape %[[X]] {{\[\[}}0, 1], [2]] output_shape [{{[0-9]+}}, {{[0-9]+}}, 3]
// CHECK:         %[[ZEROS:.*]] = linalg.fill
// CHECK:         %[[SUMS:.*]] = linalg.generic {indexing_maps = [#[[PART]], #[[OF]]], iterator_types = ["parallel", "reduction", "parallel"]} ins(%[[PARTS]]
// CHECK-SAME:      outs(%[[ZEROS]]
// CHECK:           arith.addf %{{.*}}, %{{.*}} fastmath<reassoc>
// CHECK:         linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]} ins(%[[SUMS]] {{.*}} outs(%[[OUT]]
// CHECK:           arith.addf %{{.*}}, %{{.*}} fastmath<reassoc,contract>
// STRICT-LABEL: func.func @columns
// STRICT:         tensor.expand_shape
#rows = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
func.func @columns(%x: tensor<100x3xf32>, %out: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<100x3xf32>) outs(%out : tensor<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %a, %s fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// 101 has no such parts: what is left over is added last. Counters stay what they were.
// CHECK-DAG:   #[[COUNTED:.*]] = affine_map<(d0, d1, d2) -> (d0 * [[SIZE:[0-9]+]] + d1)>
// CHECK-DAG:   #[[LEFT:.*]] = affine_map<(d0, d1) -> (d0 + [[MAIN:[0-9]+]])>
// CHECK-LABEL: func.func @rest
// CHECK-SAME:    (%[[X:.*]]: tensor<101x3xf32>, %[[OUT:.*]]: tensor<3xf32>)
// CHECK:         %[[MAIN_PART:.*]] = tensor.extract_slice %[[X]][0, 0] {{\[}}[[MAIN]], 3] [1, 1]
// CHECK:         tensor.expand_shape %[[MAIN_PART]] {{\[\[}}0, 1], [2]]
// CHECK:         %[[SUMS:.*]] = linalg.generic
// CHECK:           affine.apply #[[COUNTED]]
// CHECK:         %[[LAST:.*]] = tensor.extract_slice %[[X]]{{\[}}[[MAIN]], 0] [{{[0-9]+}}, 3] [1, 1]
// CHECK:         %[[REST:.*]] = linalg.generic {{.*}} ins(%[[LAST]] {{.*}} outs(%[[OUT]]
// CHECK:           affine.apply #[[LEFT]]
// CHECK:         linalg.generic {{.*}} ins(%[[SUMS]] {{.*}} outs(%[[REST]]
#rows = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
func.func @rest(%x: tensor<101x3xf32>, %out: tensor<3xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<101x3xf32>) outs(%out : tensor<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %p = arith.mulf %a, %f : f32
    %t = arith.addf %s, %p fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

// Products of matrices are added up in any order unless everything is to be strict.
// CHECK-LABEL: func.func @product
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]]
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]]
// CHECK:         iterator_types = ["parallel", "parallel", "parallel", "reduction"]
// STRICT-LABEL: func.func @product
// STRICT-NOT:     tensor.expand_shape
#left = affine_map<(d0, d1, d2) -> (d2, d0)>
#right = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @product(%x: tensor<100x2xf32>, %y: tensor<100x3xf32>, %out: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = linalg.generic {indexing_maps = [#left, #right, #result], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<100x2xf32>, tensor<100x3xf32>) outs(%out : tensor<2x3xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  } -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// What is computed element by element beside the sum stays whole.
// STRICT-LABEL: func.func @beside
// CHECK-LABEL: func.func @beside
// CHECK:         %[[BOTH:.*]]:2 = linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]}
// CHECK:         } -> (tensor<{{.*}}x3xf32>, tensor<{{.*}}x3xf32>)
// CHECK:         tensor.collapse_shape %[[BOTH]]#0 {{\[\[}}0, 1], [2]] : {{.*}} into tensor<100x3xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[BOTH]]#1
#rows = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
func.func @beside(%x: tensor<100x3xf32>, %e: tensor<100x3xf32>, %out: tensor<3xf32>) -> (tensor<100x3xf32>, tensor<3xf32>) {
  %0:2 = linalg.generic {indexing_maps = [#rows, #rows, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<100x3xf32>) outs(%e, %out : tensor<100x3xf32>, tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %d = arith.addf %a, %a : f32
    %t = arith.addf %d, %s fastmath<reassoc> : f32
    linalg.yield %d, %t : f32, f32
  } -> (tensor<100x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<100x3xf32>, tensor<3xf32>
}

// -----

// The first of two loops that add up becomes parts, so that rows stay whole.
// CHECK-LABEL: func.func @all
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]]
// CHECK:         iterator_types = ["parallel", "reduction", "reduction"]
#rows = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
func.func @all(%x: tensor<100x30xf32>, %out: tensor<f32>) -> tensor<f32> {
  %0 = linalg.generic {indexing_maps = [#rows, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<100x30xf32>) outs(%out : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %a, %s fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

// Left alone: sums in order, sums of unknown length, windows, sums that something else reads, and what is no sum.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     tensor.expand_shape
#rows = affine_map<(d0, d1) -> (d0, d1)>
#columns = affine_map<(d0, d1) -> (d1)>
#window = affine_map<(d0, d1) -> (d0 + d1)>
func.func @others(%x: tensor<100x3xf32>, %y: tensor<?x3xf32>, %z: tensor<102xf32>, %out: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
  %0 = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<100x3xf32>) outs(%out : tensor<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %1 = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["reduction", "parallel"]} ins(%y : tensor<?x3xf32>) outs(%out : tensor<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %a, %s fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %2 = linalg.generic {indexing_maps = [#rows, #window, #columns], iterator_types = ["reduction", "parallel"]} ins(%x, %z : tensor<100x3xf32>, tensor<102xf32>) outs(%out : tensor<3xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.mulf %a, %b : f32
    %t = arith.addf %s, %p fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %3 = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<100x3xf32>) outs(%out : tensor<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %h = arith.mulf %s, %a : f32
    %t = arith.addf %h, %s fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  %4 = linalg.generic {indexing_maps = [#rows, #columns], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<100x3xf32>) outs(%out : tensor<3xf32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.maximumf %a, %s fastmath<reassoc> : f32
    linalg.yield %t : f32
  } -> tensor<3xf32>
  return %0, %1, %2, %3, %4 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
}

// -----

// Sums of complex numbers, as of floats.
// CHECK-LABEL: func.func @complex_numbers
// CHECK:         tensor.expand_shape
// CHECK:         linalg.generic
// CHECK:         complex.add %{{.*}}, %{{.*}} fastmath<reassoc> : complex<f32>
// CHECK:         linalg.generic
// CHECK:         complex.add %{{.*}}, %{{.*}} fastmath<{{.*}}reassoc{{.*}}> : complex<f32>
// STRICT-LABEL: func.func @complex_numbers
// STRICT:         tensor.expand_shape
func.func @complex_numbers(%x: tensor<100x3xcomplex<f32>>, %out: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<100x3xcomplex<f32>>) outs(%out : tensor<3xcomplex<f32>>) {
  ^bb0(%a: complex<f32>, %s: complex<f32>):
    %t = complex.add %a, %s fastmath<reassoc> : complex<f32>
    linalg.yield %t : complex<f32>
  } -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
