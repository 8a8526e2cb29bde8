// Where the buffers of tensors are: where what they are made of is, or where the encodings of their types say.

// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries must-infer-memory-space" | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries use-encoding-for-memory-space" | FileCheck %s

// Copies and what a loop carries are in the memory space of the first tensor.
// CHECK-LABEL: func.func @loop
// CHECK:         %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1>
// CHECK:         linalg.fill ins(%{{.*}} : f32) outs(%[[A]] : memref<4xf32, 1>)
// CHECK:         %[[B:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1>
// CHECK:         memref.copy %[[A]], %[[B]] : memref<4xf32, 1> to memref<4xf32, 1>
// CHECK:         memref.store %{{.*}}, %[[B]]
// CHECK:         memref.store %{{.*}}, %[[A]]
// CHECK:         scf.for {{.*}} iter_args(%[[C:.*]] = %[[B]]) -> (memref<4xf32, 1>) {
// CHECK:           memref.store %{{.*}}, %[[C]]
// CHECK:           scf.yield %[[C]] : memref<4xf32, 1>
func.func @loop(%x: f32, %i: index) -> f32 {
  %e = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0 = tensor.insert %x into %f[%i] : tensor<4xf32>
  %1 = tensor.insert %x into %f[%i] : tensor<4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %j = %c0 to %i step %c1 iter_args(%a = %0) -> tensor<4xf32> {
    %3 = tensor.insert %x into %a[%j] : tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  }
  %p = tensor.extract %r[%i] : tensor<4xf32>
  %q = tensor.extract %1[%i] : tensor<4xf32>
  %s = arith.addf %p, %q : f32
  return %s : f32
}

// Views and new tensors that are like others.
// CHECK-LABEL: func.func @views
// CHECK:         memref.cast %{{.*}} : memref<4xf32, 3> to memref<?xf32, 3>
// CHECK:         memref.subview %{{.*}} : memref<?xf32, 3> to memref<2xf32, strided<[1]>, 3>
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<2xf32, 3>
// CHECK:         memref.copy %{{.*}} : memref<2xf32, strided<[1]>, 3> to memref<2xf32, 3>
func.func @views(%m: memref<4xf32, 3>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32, 3> to tensor<4xf32>
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %u = tensor.extract_slice %c[0] [2] [1] : tensor<?xf32> to tensor<2xf32>
  %k = bufferization.alloc_tensor() copy(%u) : tensor<2xf32>
  %p = tensor.extract %k[%i] : tensor<2xf32>
  return %p : f32
}
