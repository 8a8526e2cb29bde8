// Every operation in custom form: printed as mlir-opt prints it, and the same
// after a detour through the generic form.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @buffers
// CHECK-SAME:  (%[[M:.*]]: memref<?x4xf32>, %[[U:.*]]: memref<*xf32>, %[[C:.*]]: i1)
func.func @buffers(%m: memref<?x4xf32>, %u: memref<*xf32>, %c: i1) {
  // CHECK-NEXT: %[[CLONE:.*]] = bufferization.clone %[[M]] {note} : memref<?x4xf32> to memref<?x4xf32>
  %0 = bufferization.clone %m {note} : memref<?x4xf32> to memref<?x4xf32>
  // CHECK-NEXT: %{{.*}}:2 = bufferization.dealloc (%[[M]], %[[CLONE]] : memref<?x4xf32>, memref<?x4xf32>) if (%[[C]], %[[C]]) retain (%[[U]], %[[M]] : memref<*xf32>, memref<?x4xf32>) {note}
  %1:2 = bufferization.dealloc (%m, %0 : memref<?x4xf32>, memref<?x4xf32>) if (%c, %c) retain (%u, %m : memref<*xf32>, memref<?x4xf32>) {note}
  // CHECK-NEXT: bufferization.dealloc{{$}}
  bufferization.dealloc
  // CHECK-NEXT: bufferization.dealloc retain (%[[M]] : memref<?x4xf32>)
  %2 = bufferization.dealloc retain (%m : memref<?x4xf32>)
  // CHECK-NEXT: bufferization.dealloc (%[[U]] : memref<*xf32>) if (%[[C]])
  bufferization.dealloc (%u : memref<*xf32>) if (%c)
  return
}

// CHECK-LABEL: func.func @tensors
// CHECK-SAME:  (%[[T:.*]]: tensor<?x4xf32>, %[[M:.*]]: memref<?x4xf32>, %[[N:.*]]: index)
func.func @tensors(%t: tensor<?x4xf32>, %m: memref<?x4xf32>, %n: index) {
  // CHECK-NEXT: bufferization.alloc_tensor(%[[N]]) {note} : tensor<?x4xf32>
  %0 = bufferization.alloc_tensor(%n) {note} : tensor<?x4xf32>
  // CHECK-NEXT: bufferization.alloc_tensor() copy(%[[T]]) size_hint=%[[N]] {memory_space = 1 : i64} : tensor<?x4xf32>
  %1 = bufferization.alloc_tensor() copy(%t) size_hint=%n {memory_space = 1 : i64} : tensor<?x4xf32>
  // CHECK-NEXT: bufferization.dealloc_tensor %[[T]] : tensor<?x4xf32>
  bufferization.dealloc_tensor %t : tensor<?x4xf32>
  // CHECK-NEXT: bufferization.materialize_in_destination %[[T]] in %[[T]] : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  %2 = bufferization.materialize_in_destination %t in %t : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  // CHECK-NEXT: bufferization.materialize_in_destination %[[T]] in restrict writable %[[M]] : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<?x4xf32>, memref<?x4xf32>) -> ()
  // CHECK-NEXT: bufferization.to_tensor %[[M]] restrict writable {note} : memref<?x4xf32>
  %3 = bufferization.to_tensor %m restrict writable {note} : memref<?x4xf32>
  // CHECK-NEXT: bufferization.to_memref %[[T]] read_only : memref<?x4xf32>
  %4 = bufferization.to_memref %t read_only : memref<?x4xf32>
  return
}
