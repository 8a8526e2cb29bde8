// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries use-encoding-for-memory-space" | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s --check-prefix=ZERO
// RUN: freehold opt %s --one-shot-bufferize="use-encoding-for-memory-space" | FileCheck %s --check-prefix=KEEP

// CHECK: memref.global "private" constant @__constant_2xf32 : memref<2xf32, 1> = dense<[1.000000e+00, 2.000000e+00]>
// CHECK-LABEL: func.func @constant
// CHECK:         memref.get_global @__constant_2xf32 : memref<2xf32, 1>
// ZERO-LABEL: func.func @constant
// ZERO:         memref.get_global @__constant_2xf32 : memref<2xf32>
func.func @constant(%i: index) -> f32 {
  %t = arith.constant dense<[1.0, 2.0]> : tensor<2xf32, 1 : i64>
  %q = tensor.extract %t[%i] : tensor<2xf32, 1 : i64>
  return %q : f32
}

// CHECK-LABEL: func.func @branches
// CHECK:         %[[R:.*]]:2 = scf.if {{.*}} -> (memref<4xf32, 1>, memref<?xf32, "near">) {
// CHECK:         memref.load %[[R]]#1[%{{.*}}] : memref<?xf32, "near">
// ZERO-LABEL: func.func @branches
// ZERO:         scf.if {{.*}} -> (memref<4xf32>, memref<?xf32>) {
func.func @branches(%c: i1, %i: index) -> f32 {
  %r:2 = scf.if %c -> (tensor<4xf32, 1>, tensor<?xf32, "near">) {
    %e = tensor.empty() : tensor<4xf32, 1>
    %f = tensor.empty(%i) : tensor<?xf32, "near">
    scf.yield %e, %f : tensor<4xf32, 1>, tensor<?xf32, "near">
  } else {
    %e = bufferization.alloc_tensor() : tensor<4xf32, 1>
    %f = bufferization.alloc_tensor(%i) : tensor<?xf32, "near">
    scf.yield %e, %f : tensor<4xf32, 1>, tensor<?xf32, "near">
  }
  %q = tensor.extract %r#1[%i] : tensor<?xf32, "near">
  return %q : f32
}

// A cast does not move the buffer; an argument in another memory space is a copy.
// CHECK-LABEL: func.func private @near(memref<4xf32, strided<[?], offset: ?>, 1>)
func.func private @near(tensor<4xf32, 1 : i64>)
// CHECK-LABEL: func.func @call
// CHECK:         %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 2>
// CHECK:         %[[B:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1>
// CHECK:         memref.copy %[[A]], %[[B]] : memref<4xf32, 2> to memref<4xf32, 1>
// CHECK:         %[[C:.*]] = memref.cast %[[B]]
// CHECK:         call @near(%[[C]])
// KEEP-LABEL: func.func @call
// KEEP:         %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 2>
// KEEP:         %[[T:.*]] = bufferization.to_tensor %[[A]]
// KEEP:         %[[E:.*]] = tensor.cast %[[T]] : tensor<4xf32> to tensor<4xf32, 1 : i64>
// KEEP:         call @near(%[[E]]) : (tensor<4xf32, 1 : i64>) -> ()
func.func @call(%x: f32) {
  %e = tensor.empty() : tensor<4xf32, 2 : i64>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32, 2 : i64>) -> tensor<4xf32, 2 : i64>
  %c = tensor.cast %f : tensor<4xf32, 2 : i64> to tensor<4xf32, 1 : i64>
  call @near(%c) : (tensor<4xf32, 1 : i64>) -> ()
  return
}

// KEEP-LABEL: func.func @argument
// KEEP-SAME:      %[[T:.*]]: tensor<4xf32, 1 : i64>
// KEEP:         %[[P:.*]] = tensor.cast %[[T]] : tensor<4xf32, 1 : i64> to tensor<4xf32>
// KEEP:         bufferization.to_{{buffer|memref}} %[[P]] : {{.*}}memref<4xf32, strided<[?], offset: ?>, 1>
func.func @argument(%t: tensor<4xf32, 1 : i64>, %i: index) -> f32 {
  %q = tensor.extract %t[%i] : tensor<4xf32, 1 : i64>
  return %q : f32
}
