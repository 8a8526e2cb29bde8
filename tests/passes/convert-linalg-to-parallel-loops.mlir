// RUN: freehold opt %s --convert-linalg-to-parallel-loops | FileCheck %s

// CHECK-LABEL: func.func @matmul
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) =
// CHECK-NEXT:      scf.for %[[K:.*]] =
// CHECK-NEXT:        memref.load %arg0[%[[I]], %[[K]]]
// CHECK-NEXT:        memref.load %arg1[%[[K]], %[[J]]]
// CHECK-NEXT:        memref.load %arg2[%[[I]], %[[J]]]
// CHECK:             memref.store %{{.*}}, %arg2[%[[I]], %[[J]]]
// CHECK:           scf.reduce
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// A transpose in place: an iteration reads what another one writes. Upstream makes it parallel.
// CHECK-LABEL: func.func @in_place
// CHECK-NOT:     scf.parallel
// CHECK-COUNT-2: scf.for
func.func @in_place(%m: memref<4x4xf32>) {
  linalg.transpose ins(%m : memref<4x4xf32>) outs(%m : memref<4x4xf32>) permutation = [1, 0]
  return
}

// Iterations along d1 write one element.
// CHECK-LABEL: func.func @last
// CHECK:         scf.parallel (%[[I:.*]]) =
// CHECK-NEXT:      scf.for
func.func @last(%a: memref<4x4xf32>, %b: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>],
                  iterator_types = ["parallel", "parallel"]}
    ins(%a : memref<4x4xf32>) outs(%b : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}
