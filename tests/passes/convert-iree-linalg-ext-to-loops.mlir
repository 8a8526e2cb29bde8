// RUN: freehold opt %s --convert-iree-linalg-ext-to-loops | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize=bufferize-function-boundaries | FileCheck %s --check-prefix=BUFFERS

// Runs of 1, 2, 4, 8 elements are merged: four rounds for 9 to 16 elements.
// CHECK-LABEL: func.func @sort
// CHECK:         %[[ROUNDS:.*]] = arith.constant 4 : index
// CHECK:         %[[A:.*]] = memref.alloc() : memref<10xf32>
// CHECK:         %[[B:.*]] = memref.alloc() : memref<10xf32>
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             memref.store %{{.*}}, %[[A]]
// CHECK:           %[[SORTED:.*]]:2 = scf.for %[[ROUND:.*]] = %{{.*}} to %[[ROUNDS]] {{.*}} iter_args(%[[FROM:.*]] = %[[A]], %[[TO:.*]] = %[[B]])
// CHECK:             arith.shli %{{.*}}, %[[ROUND]]
// CHECK:             scf.for
// CHECK:               scf.for {{.*}} iter_args
// CHECK:                 %[[R:.*]] = memref.load %[[FROM]]
// CHECK:                 %[[L:.*]] = memref.load %[[FROM]]
// CHECK:                 arith.cmpf olt, %[[R]], %[[L]]
// CHECK:                 memref.store %{{.*}}, %[[TO]]
// CHECK:             scf.yield %[[TO]], %[[FROM]]
// CHECK:           scf.for
// CHECK:             memref.load %[[SORTED]]#0
// CHECK:         memref.dealloc %[[A]]
// CHECK:         memref.dealloc %[[B]]
// CHECK-NOT:     iree_linalg_ext
func.func @sort(%x: memref<2x10xf32>) {
  iree_linalg_ext.sort dimension(1) outs(%x : memref<2x10xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// The last output is carried; of run-time sizes there may be no first one.
// CHECK-LABEL: func.func @scan
// CHECK:         %[[ANY:.*]] = arith.cmpi ugt
// CHECK:         scf.if %[[ANY]] {
// CHECK:           %[[LAST:.*]] = scf.for {{.*}} iter_args
// CHECK:             arith.mulf
// CHECK:           memref.store %[[LAST]], %arg2[]
func.func @scan(%x: memref<?xf32>, %o: memref<?xf32>, %acc: memref<f32>) {
  iree_linalg_ext.scan dimension(0) inclusive(true) ins(%x : memref<?xf32>) outs(%o, %acc : memref<?xf32>, memref<f32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.mulf %a, %b : f32
    iree_linalg_ext.yield %c : f32
  }
  return
}

// Updates outside of the original are dropped.
// CHECK-LABEL: func.func @scatter
// CHECK:         scf.for
// CHECK:           %[[AT:.*]] = arith.index_cast %{{.*}} : i32 to index
// CHECK:           %[[WITHIN:.*]] = arith.cmpi ult, %[[AT]], %c8
// CHECK:           scf.if %[[WITHIN]] {
// CHECK:             scf.for
// CHECK:               arith.addf
// CHECK:               memref.store
func.func @scatter(%u: memref<4x3xf32>, %i: memref<4x1xi32>, %o: memref<8x3xf32>) {
  iree_linalg_ext.scatter dimension_map = [0] unique_indices(false) ins(%u, %i : memref<4x3xf32>, memref<4x1xi32>) outs(%o : memref<8x3xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    iree_linalg_ext.yield %c : f32
  }
  return
}

// Most elements are compared with the last output only.
// CHECK-LABEL: func.func @topk
// CHECK:         %[[LAST:.*]] = arith.subi %c3, %c1
// CHECK:         scf.for
// CHECK:           memref.load %arg1[%[[LAST]]
// CHECK:           %[[ENTERS:.*]] = arith.ori
// CHECK:           scf.if %[[ENTERS]] {
// CHECK:             scf.while
func.func @topk(%x: memref<10xf32>, %v: memref<3xf32>, %i: memref<3xi32>) {
  iree_linalg_ext.topk dimension(0) ins(%x : memref<10xf32>) outs(%v, %i : memref<3xf32>, memref<3xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// Of a run-time number of outputs there may be no last one.
// CHECK-LABEL: func.func @topk_of_any_number
// CHECK:         %[[ANY:.*]] = arith.cmpi ne, %dim{{.*}}, %c0
// CHECK:         scf.if %[[ANY]] {
// CHECK:           arith.subi
// CHECK:           scf.for
func.func @topk_of_any_number(%x: memref<10xf32>, %v: memref<?xf32>, %i: memref<?xi32>) {
  iree_linalg_ext.topk dimension(0) ins(%x : memref<10xf32>) outs(%v, %i : memref<?xf32>, memref<?xi32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  }
  return
}

// What is done to tensors waits for buffers. Outputs that are looked at later are copied, those
// that are written before they are read are not.
// CHECK-LABEL: func.func @tensors
// CHECK:         iree_linalg_ext.sort
// BUFFERS-LABEL: func.func @tensors
// BUFFERS:         %[[NEW:.*]] = memref.alloc
// BUFFERS:         memref.copy %arg0, %[[NEW]]
// BUFFERS:         iree_linalg_ext.sort dimension(0) outs(%[[NEW]] : memref<4xf32>)
// BUFFERS:         %[[OUT:.*]] = memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         iree_linalg_ext.gather dimension_map = [0] ins(%[[NEW]], %arg1 : {{.*}}) outs(%[[OUT]] : memref<2xf32>)
// BUFFERS:         return %[[NEW]], %[[OUT]]
func.func @tensors(%x: tensor<4xf32>, %i: tensor<2xindex>) -> (tensor<4xf32>, tensor<2xf32>) {
  %0 = iree_linalg_ext.sort dimension(0) outs(%x : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf olt, %a, %b : f32
    iree_linalg_ext.yield %c : i1
  } -> tensor<4xf32>
  %1 = tensor.empty() : tensor<2xf32>
  %2 = iree_linalg_ext.gather dimension_map = [0] ins(%0, %i : tensor<4xf32>, tensor<2xindex>) outs(%1 : tensor<2xf32>) -> tensor<2xf32>
  return %0, %2 : tensor<4xf32>, tensor<2xf32>
}
