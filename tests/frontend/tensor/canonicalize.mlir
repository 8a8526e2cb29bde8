// Folds of tensor operations.

// RUN: freehold opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @sizes
// CHECK-SAME:  (%[[T:.*]]: tensor<?x4xf32>, %[[N:.*]]: index)
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[C2:.*]] = arith.constant 2 : index
// CHECK:         return %[[C4]], %[[N]], %[[C2]], %[[T]]
func.func @sizes(%t: tensor<?x4xf32>, %n: index) -> (index, index, index, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = tensor.dim %t, %c1 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %1 = tensor.dim %e, %c0 : tensor<?x4xf32>
  %2 = tensor.rank %t : tensor<?x4xf32>
  %3 = tensor.cast %t : tensor<?x4xf32> to tensor<?x4xf32>
  return %0, %1, %2, %3 : index, index, index, tensor<?x4xf32>
}

// A tensor of a buffer has its sizes.
// CHECK-LABEL: func.func @sizes_of_buffers
// CHECK-SAME:  (%[[M:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK:         %[[D:.*]] = memref.dim %[[M]], %{{.*}} : memref<?xf32>
// CHECK:         return %[[D]], %[[N]]
func.func @sizes_of_buffers(%m: memref<?xf32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %t = bufferization.to_tensor %m restrict : memref<?xf32>
  %0 = tensor.dim %t, %c0 : tensor<?xf32>
  %a = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %1 = tensor.dim %a, %c0 : tensor<?xf32>
  return %0, %1 : index, index
}
