// Casts of operands are looked through only where the operation is valid with what was cast.

// RUN: freehold opt %s --canonicalize --verify-each | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize=bufferize-function-boundaries --buffer-deallocation-pipeline --verify-each | FileCheck %s --check-prefix=BUFFERS

// CHECK-LABEL: func.func @broadcast
// CHECK: memref.cast
// CHECK: linalg.broadcast
func.func @broadcast(%s: memref<?xf32>, %o: memref<3x8xf32>) {
  %c = memref.cast %s : memref<?xf32> to memref<8xf32>
  linalg.broadcast ins(%c : memref<8xf32>) outs(%o : memref<3x8xf32>) dimensions = [0]
  return
}

// CHECK-LABEL: func.func @transpose
// CHECK: memref.cast
// CHECK: linalg.transpose
func.func @transpose(%s: memref<?x4xf32>, %o: memref<4x8xf32>) {
  %c = memref.cast %s : memref<?x4xf32> to memref<8x4xf32>
  linalg.transpose ins(%c : memref<8x4xf32>) outs(%o : memref<4x8xf32>) permutation = [1, 0]
  return
}

// CHECK-LABEL: func.func @reduce
// CHECK: memref.cast
// CHECK: linalg.reduce
func.func @reduce(%s: memref<?x4xf32>, %o: memref<8xf32>) {
  %c = memref.cast %s : memref<?x4xf32> to memref<8x4xf32>
  linalg.reduce { arith.addf } ins(%c : memref<8x4xf32>) outs(%o : memref<8xf32>) dimensions = [1]
  return
}

// CHECK-LABEL: func.func @map
// CHECK: memref.cast
// CHECK: linalg.map
func.func @map(%s: memref<?xf32>, %o: memref<8xf32>) {
  %c = memref.cast %s : memref<?xf32> to memref<8xf32>
  linalg.map { math.absf } ins(%c : memref<8xf32>) outs(%o : memref<8xf32>)
  return
}

// A size that contradicts another one stays hidden.
// CHECK-LABEL: func.func @contradiction
// CHECK: memref.cast
// CHECK: linalg.matmul
func.func @contradiction(%a: memref<3x4xf32>, %b: memref<5x2xf32>, %o: memref<3x2xf32>) {
  %c = memref.cast %b : memref<5x2xf32> to memref<?x2xf32>
  linalg.matmul ins(%a, %c : memref<3x4xf32>, memref<?x2xf32>) outs(%o : memref<3x2xf32>)
  return
}

// CHECK-LABEL: func.func @fits
// CHECK-SAME: (%[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<4xf32>)
// CHECK-NEXT: linalg.copy ins(%[[A]] : memref<4xf32>) outs(%[[B]] : memref<4xf32>)
func.func @fits(%a: memref<4xf32>, %b: memref<4xf32>) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  %d = memref.cast %b : memref<4xf32> to memref<?xf32>
  linalg.copy ins(%c : memref<?xf32>) outs(%d : memref<?xf32>)
  return
}

// BUFFERS-LABEL: func.func @broadcast_tensor
// BUFFERS: memref.cast
// BUFFERS: linalg.broadcast ins(%{{.*}} : memref<32xf32
func.func @broadcast_tensor(%s: tensor<?xf32>, %o: tensor<56x32xf32>) -> tensor<56x32xf32> {
  %c = tensor.cast %s : tensor<?xf32> to tensor<32xf32>
  %b = linalg.broadcast ins(%c : tensor<32xf32>) outs(%o : tensor<56x32xf32>) dimensions = [0]
  return %b : tensor<56x32xf32>
}
