// RUN: freehold opt %s --linalg-generalize-named-ops | FileCheck %s

// Products, convolutions, transpositions, copies along new dimensions and fills become linalg.generic; what has a body
// of the program stays.
// CHECK-DAG:   #[[A:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG:   #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG:   #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG:   #[[T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG:   #[[ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG:   #[[ROW:.*]] = affine_map<(d0, d1) -> (d0)>
// CHECK-DAG:   #[[NONE:.*]] = affine_map<(d0, d1) -> ()>
// CHECK-DAG:   #[[WINDOW:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d6)>
// CHECK-LABEL: func.func @named
// CHECK-SAME:    (%[[X:.*]]: tensor<4x5xf32>, %[[Y:.*]]: tensor<5x4xf32>, %[[Z:[^:]*]]: tensor<4x4xf32>
// CHECK:         %[[P:.*]] = linalg.generic {indexing_maps = [#[[A]], #[[B]], #[[C]]], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[X]], %[[Y]] : tensor<4x5xf32>, tensor<5x4xf32>) outs(%[[Z]] : tensor<4x4xf32>)
// CHECK-NEXT:    ^bb0(%[[L:.*]]: f32, %[[R:.*]]: f32, %[[O:.*]]: f32):
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[L]], %[[R]]
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[O]], %[[M]]
// CHECK-NEXT:      linalg.yield %[[S]]
// CHECK:         linalg.generic {indexing_maps = [#[[T]], #[[ID]]]
// CHECK:         linalg.generic {indexing_maps = [#[[ROW]], #[[ID]]]
// CHECK:         linalg.generic {indexing_maps = [#[[NONE]], #[[ID]]]
// CHECK:         linalg.generic {indexing_maps = [#[[ID]], #[[ID]]]
// CHECK:           math.tanh
// CHECK:         linalg.map { math.exp }
// CHECK:         linalg.generic {indexing_maps = [#[[WINDOW]],
func.func @named(%a: tensor<4x5xf32>, %b: tensor<5x4xf32>, %c: tensor<4x4xf32>, %f: f32, %v: tensor<4xf32>, %i: tensor<1x8x8x2xf32>, %w: tensor<3x3x2x2xf32>, %o: tensor<1x6x6x2xf32>) -> (tensor<4x4xf32>, tensor<5x4xf32>, tensor<4x5xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x6x6x2xf32>) {
  %0 = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = linalg.transpose ins(%a : tensor<4x5xf32>) outs(%b : tensor<5x4xf32>) permutation = [1, 0]
  %2 = linalg.broadcast ins(%v : tensor<4xf32>) outs(%a : tensor<4x5xf32>) dimensions = [1]
  %3 = linalg.fill ins(%f : f32) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = linalg.tanh ins(%0 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.map { math.exp } ins(%4 : tensor<4x4xf32>) outs(%c : tensor<4x4xf32>)
  %5 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%i, %w : tensor<1x8x8x2xf32>, tensor<3x3x2x2xf32>) outs(%o : tensor<1x6x6x2xf32>) -> tensor<1x6x6x2xf32>
  return %3, %1, %2, %4, %m, %5 : tensor<4x4xf32>, tensor<5x4xf32>, tensor<4x5xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x6x6x2xf32>
}

// Buffers too.
// CHECK-LABEL: func.func @buffers
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : memref<?x?xf32>, memref<?x?xf32>) outs(%{{.*}} : memref<?x?xf32>)
func.func @buffers(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
