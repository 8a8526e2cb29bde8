// Operations of MLIR 22: products with maps of their own, and those that are read as linalg.generic.

// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-version=19 | FileCheck %s --check-prefix=OLD

#m = affine_map<(i, j, k) -> (i, k)>
#n = affine_map<(i, j, k) -> (j, k)>
#o = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func.func @matmul
// OLD-LABEL: func.func @matmul
func.func @matmul(%a: tensor<3x4xf32>, %bt: tensor<5x4xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // CHECK-NEXT: linalg.matmul indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}] ins(%arg0, %arg1 : tensor<3x4xf32>, tensor<5x4xf32>) outs(
  // OLD-NEXT: linalg.matmul {linalg.memoized_indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}]} ins(
  %0 = linalg.matmul indexing_maps = [#m, #n, #o] ins(%a, %bt : tensor<3x4xf32>, tensor<5x4xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @contract
func.func @contract(%a: tensor<3x4xf32>, %bt: tensor<5x4xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // CHECK-NEXT: linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<3x4xf32>, tensor<5x4xf32>) outs(%arg2 : tensor<3x5xf32>) {
  // CHECK:        %[[P:.*]] = arith.mulf %in, %in_0 : f32
  // CHECK-NEXT:   %[[S:.*]] = arith.addf %out, %[[P]] : f32
  // CHECK-NEXT:   linalg.yield %[[S]] : f32
  // CHECK-NEXT: } -> tensor<3x5xf32>
  %0 = linalg.contract indexing_maps = [#m, #n, #o] ins(%a, %bt : tensor<3x4xf32>, tensor<5x4xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @elementwise
func.func @elementwise(%a: tensor<3x5xf32>, %r: tensor<5xf32>, %c: tensor<3x5xf32>, %i: tensor<3x5xi32>) -> (tensor<3x5xf32>, tensor<3x5xi32>) {
  // CHECK-NEXT: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<3x5xf32>)
  // CHECK:        math.exp
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a : tensor<3x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  // CHECK: linalg.generic {{.*}}ins(%{{.*}}, %arg1 : tensor<3x5xf32>, tensor<5xf32>)
  // CHECK:   arith.mulf
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#id, #row, #id] ins(%0, %r : tensor<3x5xf32>, tensor<5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  // CHECK: arith.maxui
  %2 = linalg.elementwise kind=#linalg.elementwise_kind<max_unsigned> ins(%i, %i : tensor<3x5xi32>, tensor<3x5xi32>) outs(%i : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %1, %2 : tensor<3x5xf32>, tensor<3x5xi32>
}

// The body of a map sees the output, which need not be used.
// CHECK-LABEL: func.func @maps
func.func @maps(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>) {
  // CHECK: linalg.map { arith.addf } ins(
  linalg.map ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%c : memref<4xf32>)
    (%x: f32, %y: f32, %o: f32) {
      %s = arith.addf %x, %y : f32
      linalg.yield %s : f32
    }
  // CHECK: linalg.map ins(
  // CHECK-NEXT: (%{{.*}}: f32, %{{.*}}: f32) {
  linalg.map ins(%a : memref<4xf32>) outs(%c : memref<4xf32>)
    (%x: f32, %o: f32) {
      %s = arith.mulf %x, %o : f32
      linalg.yield %s : f32
    }
  return
}
