// RUN: freehold opt %s --convert-elementwise-to-linalg | FileCheck %s

// CHECK: #[[MAP:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: func.func @operations(
// CHECK-SAME:    %[[A:.*]]: tensor<?x4xf32>, %[[B:.*]]: tensor<?x4xf32>, %[[C:.*]]: tensor<f32>)
// CHECK-NEXT:    %{{.*}} = linalg.generic {indexing_maps = [#[[MAP]], #[[MAP]], #[[MAP]]], iterator_types = ["parallel", "parallel"]} ins(%[[A]], %[[B]] : tensor<?x4xf32>, tensor<?x4xf32>) outs(%[[A]] : tensor<?x4xf32>) {
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %[[Y:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[S:.*]] = arith.addf %[[X]], %[[Y]] fastmath<fast> : f32
// CHECK-NEXT:      linalg.yield %[[S]] : f32
// CHECK-NEXT:    } -> tensor<?x4xf32>
// CHECK:         %[[DIM:.*]] = tensor.dim %[[A]]
// CHECK-NEXT:    %[[E:.*]] = tensor.empty(%[[DIM]]) : tensor<?x4xi1>
// CHECK-NEXT:    %[[L:.*]] = linalg.generic {{.*}} outs(%[[E]] : tensor<?x4xi1>)
// CHECK:           arith.cmpf ult
// CHECK:         linalg.generic {{.*}}iterator_types = []} ins(%[[C]] : tensor<f32>) outs(%[[C]] : tensor<f32>)
// CHECK:           math.exp
// CHECK:         linalg.generic {{.*}} ins(%[[L]], %[[A]], %[[B]]
// CHECK:           arith.select
func.func @operations(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>, %c: tensor<f32>) -> (tensor<?x4xf32>, tensor<f32>, tensor<?x4xf32>) {
  %0 = arith.addf %a, %b fastmath<fast> : tensor<?x4xf32>
  %1 = arith.cmpf ult, %a, %b : tensor<?x4xf32>
  %2 = math.exp %c : tensor<f32>
  %3 = arith.select %1, %a, %b : tensor<?x4xi1>, tensor<?x4xf32>
  return %0, %2, %3 : tensor<?x4xf32>, tensor<f32>, tensor<?x4xf32>
}

// A choice between whole tensors, vectors and scalars stay.
// CHECK-LABEL: func.func @others(
// CHECK-NEXT:    arith.select
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    return
func.func @others(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>, %v: vector<4xf32>) -> (tensor<4xf32>, vector<4xf32>) {
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  %1 = arith.addf %v, %v : vector<4xf32>
  return %0, %1 : tensor<4xf32>, vector<4xf32>
}

// One number for all elements.
// CHECK-LABEL: func.func @numbers
// CHECK-SAME:    %[[A:[^:]*]]: tensor<4xbf16>, %[[S:[^:]*]]: bf16
// CHECK:         linalg.generic {{.*}} ins(%[[A]] : tensor<4xbf16>)
// CHECK-NEXT:    ^bb0(%[[X:[^:]*]]: bf16
// CHECK-NEXT:      arith.scaling_extf %[[X]], %[[S]] : bf16, bf16 to f32
func.func @numbers(%a: tensor<4xbf16>, %s: bf16) -> tensor<4xf32> {
  %0 = arith.scaling_extf %a, %s : tensor<4xbf16>, bf16 to tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Operations that take tensors only stay.
// CHECK-LABEL: func.func @only_tensors
// CHECK-NEXT:    stablehlo.add
func.func @only_tensors(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.add %a, %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}
