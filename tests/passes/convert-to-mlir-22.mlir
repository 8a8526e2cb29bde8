// RUN: freehold opt %s --convert-to-mlir-22 | FileCheck %s
// RUN: freehold opt %s --mlir-version=22 | FileCheck %s --check-prefix=NEW
// RUN: freehold opt %s --mlir-version=22 | FileCheck %s --check-prefix=SIGNED
// RUN: freehold opt %s --mlir-version=22 | freehold opt --mlir-version=22 | FileCheck %s --check-prefix=NEW
// RUN: freehold opt %s --mlir-version=22 --mlir-print-op-generic | freehold opt | FileCheck %s --check-prefix=NEW
// RUN: freehold opt %s | FileCheck %s --check-prefix=OLD

// NEW-DAG: #[[A:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>
// NEW-DAG: #[[B:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// NEW-DAG: #[[C:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>

// What MLIR 22 writes as a product with maps of its own, with all attributes and results.
// CHECK-LABEL: func.func @products
// NEW-LABEL: func.func @products
// OLD-LABEL: func.func @products
func.func @products(%a: memref<8x4xf32>, %b: memref<8x5xf32>, %c: memref<4x5xf32>,
                    %x: tensor<2x4x8xi8>, %y: tensor<2x5x8xi8>, %z: tensor<2x4x5xi32>) -> tensor<2x4x5xi32> {
  // CHECK: linalg.matmul {linalg.memoized_indexing_maps = [{{.*}}]} ins(%{{.*}}, %{{.*}} : memref<8x4xf32>, memref<8x5xf32>)
  // NEW: linalg.matmul indexing_maps = [#[[A]], #[[B]], #[[C]]] ins(%{{.*}}, %{{.*}} : memref<8x4xf32>, memref<8x5xf32>) outs(%{{.*}} : memref<4x5xf32>)
  // OLD: linalg.matmul_transpose_a ins
  linalg.matmul_transpose_a ins(%a, %b : memref<8x4xf32>, memref<8x5xf32>) outs(%c : memref<4x5xf32>)
  // NEW: linalg.matmul indexing_maps = [#[[A]], #[[B]], #[[C]]] {cast = #linalg.type_fn<cast_unsigned>, test.kept}
  linalg.matmul_transpose_a {cast = #linalg.type_fn<cast_unsigned>, test.kept}
    ins(%a, %b : memref<8x4xf32>, memref<8x5xf32>) outs(%c : memref<4x5xf32>)
  // NEW: %[[R:.*]] = linalg.batch_matmul indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}] ins(%{{.*}}, %{{.*}} : tensor<2x4x8xi8>, tensor<2x5x8xi8>) outs(%{{.*}} : tensor<2x4x5xi32>) -> tensor<2x4x5xi32>
  // OLD: linalg.batch_matmul_transpose_b
  %r = linalg.batch_matmul_transpose_b ins(%x, %y : tensor<2x4x8xi8>, tensor<2x5x8xi8>)
    outs(%z : tensor<2x4x5xi32>) -> tensor<2x4x5xi32>
  // NEW: return %[[R]]
  return %r : tensor<2x4x5xi32>
}

// CHECK-LABEL: func.func @vectors
// NEW-LABEL: func.func @vectors
func.func @vectors(%x: f32, %v: vector<4xf32>, %z: vector<f32>, %s: vector<[4]xf32>, %i: index, %n: i8)
    -> (f32, f32, f32, vector<4xf32>, vector<[4]xf32>, vector<f32>) {
  // NEW: vector.broadcast %{{.*}} : f32 to vector<4xf32>
  %0 = vector.splat %x : vector<4xf32>
  // NEW: vector.extract %{{.*}}[%{{.*}}] : f32 from vector<4xf32>
  %1 = vector.extractelement %v[%i : index] : vector<4xf32>
  // NEW: %[[N:.*]] = arith.index_castui %{{.*}} : i8 to index
  // NEW: vector.extract %{{.*}}[%[[N]]] : f32 from vector<4xf32>
  %2 = vector.extractelement %0[%n : i8] : vector<4xf32>
  // NEW: vector.extract %{{.*}}[] : f32 from vector<f32>
  %3 = vector.extractelement %z[] : vector<f32>
  // NEW: vector.insert %{{.*}}, %{{.*}} [%{{.*}}] : f32 into vector<4xf32>
  %4 = vector.insertelement %x, %v[%i : index] : vector<4xf32>
  // NEW: vector.insert %{{.*}}, %{{.*}} [%{{.*}}] : f32 into vector<[4]xf32>
  %5 = vector.insertelement %x, %s[%i : index] : vector<[4]xf32>
  // NEW: vector.insert %{{.*}}, %{{.*}} [] : f32 into vector<f32>
  %6 = vector.insertelement %x, %z[] : vector<f32>
  return %1, %2, %3, %4, %5, %6 : f32, f32, f32, vector<4xf32>, vector<[4]xf32>, vector<f32>
}

// SIGNED-LABEL: func.func @cases
// OLD-LABEL: func.func @cases
func.func @cases(%a: i64) {
  // SIGNED: -1: ^
  // OLD: 18446744073709551615: ^
  cf.switch %a : i64, [ default: ^bb1, -1: ^bb1 ]
^bb1:
  return
}
