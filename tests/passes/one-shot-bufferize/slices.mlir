// Slices that are taken out, changed and put back are changed where they are.

// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s

// CHECK-LABEL: func.func @loop(
// CHECK:         scf.for
// CHECK-SAME:      iter_args(%[[T:.*]] = %{{.*}}) -> (memref<8xf32>) {
// CHECK-NEXT:      %[[S:.*]] = memref.subview %[[T]][%{{.*}}] [4] [1]
// CHECK-NEXT:      linalg.fill ins(%{{.*}}) outs(%[[S]]
// CHECK-NEXT:      linalg.add ins(%[[S]], %[[S]] : {{.*}}) outs(%[[S]] :
// CHECK-NEXT:      scf.yield %[[T]]
func.func @loop(%t: tensor<8xf32>, %x: f32, %l: index, %u: index, %s: index) -> tensor<8xf32> {
  %r = scf.for %i = %l to %u step %s iter_args(%a = %t) -> (tensor<8xf32>) {
    %s0 = tensor.extract_slice %a[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %s1 = linalg.fill ins(%x : f32) outs(%s0 : tensor<4xf32>) -> tensor<4xf32>
    %s2 = linalg.add ins(%s1, %s1 : tensor<4xf32>, tensor<4xf32>) outs(%s1 : tensor<4xf32>) -> tensor<4xf32>
    %0 = tensor.insert_slice %s2 into %a[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// Not if someone reads the tensor in between, or it goes elsewhere.
// CHECK-LABEL: func.func @read_between(
// CHECK:         %[[S:.*]] = memref.subview %[[T:.*]][0] [4] [1]
// CHECK-NEXT:    %[[NEW:.*]] = memref.alloc()
// CHECK-NEXT:    linalg.fill ins(%{{.*}}) outs(%[[NEW]]
// CHECK-NEXT:    memref.load %[[T]]
// CHECK:         memref.copy %[[NEW]], %{{.*}}
func.func @read_between(%x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %t = tensor.splat %x : tensor<8xf32>
  %s0 = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %s1 = linalg.fill ins(%x : f32) outs(%s0 : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.extract %t[%i] : tensor<8xf32>
  %0 = tensor.insert_slice %s1 into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0, %e : tensor<8xf32>, f32
}

// CHECK-LABEL: func.func @elsewhere(
// CHECK:         memref.subview %{{.*}}[0] [4] [1]
// CHECK-NEXT:    memref.alloc()
// CHECK:         memref.copy
func.func @elsewhere(%x: f32) -> tensor<8xf32> {
  %t = tensor.splat %x : tensor<8xf32>
  %s0 = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %s1 = linalg.fill ins(%x : f32) outs(%s0 : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert_slice %s1 into %t[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %0 : tensor<8xf32>
}

// CHECK-LABEL: func.func @parallel(
// CHECK:         memref.copy
// CHECK:         scf.forall (%[[I:.*]]) in (8) {
// CHECK-NEXT:      %[[S:.*]] = memref.subview %[[T:.*]][%[[I]]] [1] [1]
// CHECK-NEXT:      linalg.fill ins(%{{.*}}) outs(%[[S]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[T]]
func.func @parallel(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %r = scf.forall (%i) in (8) shared_outs(%o = %t) -> (tensor<8xf32>) {
    %s0 = tensor.extract_slice %o[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
    %s1 = linalg.fill ins(%x : f32) outs(%s0 : tensor<1xf32>) -> tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s1 into %o[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %r : tensor<8xf32>
}
