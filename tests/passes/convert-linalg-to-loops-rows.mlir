// RUN: freehold opt %s --convert-linalg-to-loops="collapse-short-rows" | FileCheck %s
// RUN: freehold opt %s --convert-linalg-to-loops | FileCheck %s --check-prefix=ROWS

// Rows of three are one loop over all elements, if an element takes long.
// CHECK-LABEL: func.func @exponential
// CHECK-SAME:    (%[[X:.*]]: memref<64x3xf32>, %[[S:.*]]: f32)
// CHECK-DAG:     %[[XS:.*]] = memref.collapse_shape %[[X]] {{\[\[}}0, 1]] : memref<64x3xf32> into memref<192xf32>
// CHECK-DAG:     %[[YS:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<64x3xf32> into memref<192xf32>
// CHECK:         scf.for %[[I:.*]] =
// CHECK-NEXT:      memref.load %[[XS]][%[[I]]] : memref<192xf32>
// CHECK:           memref.store %{{.*}}, %[[YS]][%[[I]]]
// CHECK-NOT:     scf.for
// ROWS-LABEL: func.func @exponential
// ROWS-COUNT-2:  scf.for
func.func @exponential(%x: memref<64x3xf32>, %s: f32) -> memref<64x3xf32> {
  %y = memref.alloc() : memref<64x3xf32>
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x, %s : memref<64x3xf32>, f32) outs(%y : memref<64x3xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %e = math.exp %a : f32
    %f = arith.addf %e, %b : f32
    linalg.yield %f : f32
  }
  return %y : memref<64x3xf32>
}

// So are cheap ones of elements that registers do not take apart.
// CHECK-LABEL: func.func @bytes
// CHECK:         memref.store %{{.*}} : memref<192xi8>
func.func @bytes(%x: memref<64x3xi8>, %y: memref<64x3xi8>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x : memref<64x3xi8>) outs(%y : memref<64x3xi8>) {
  ^bb0(%a: i8, %old: i8):
    %f = arith.addi %a, %a : i8
    linalg.yield %f : i8
  }
  return
}

// Cheap ones stay, so that they fuse with loops around rows; so do those that know where they are, or read less.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     memref.collapse_shape
func.func @others(%x: memref<64x3xf32>, %row: memref<3xf32>, %y: memref<64x3xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x : memref<64x3xf32>) outs(%y : memref<64x3xf32>) {
  ^bb0(%a: f32, %old: f32):
    %f = arith.addf %a, %a : f32
    linalg.yield %f : f32
  }
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%x : memref<64x3xf32>) outs(%y : memref<64x3xf32>) {
  ^bb0(%a: f32, %old: f32):
    %e = math.exp %a : f32
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %g = arith.sitofp %n : i32 to f32
    %f = arith.addf %e, %g : f32
    linalg.yield %f : f32
  }
  linalg.generic {
    indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%row : memref<3xf32>) outs(%y : memref<64x3xf32>) {
  ^bb0(%a: f32, %old: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  }
  return
}
