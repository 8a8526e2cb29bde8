// Tensors of declared operations become buffers as their destinations and effects say.
// RUN: freehold opt --irdl-file=%S/inputs/tensors.mlir --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" %s | FileCheck %s

// The destination is used no more: it is written in place, and the result is gone.
// CHECK-LABEL: func.func @in_place
// CHECK:         %[[OUT:.*]] = memref.alloc
// CHECK-NEXT:    "t.fill"(%{{.*}}, %[[OUT]]) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    return %[[OUT]]
func.func @in_place(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %0 = "t.fill"(%x, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// It is read later: the operation writes a copy.
// CHECK-LABEL: func.func @copied
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         "t.fill"(%{{.*}}, %[[A]])
// CHECK:         %[[B:.*]] = memref.alloc
// CHECK:         memref.copy %[[A]], %[[B]]
// CHECK:         "t.fill"(%{{.*}}, %[[B]])
// CHECK:         memref.load %[[A]]
func.func @copied(%x: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = "t.fill"(%x, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = "t.fill"(%x, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %v = tensor.extract %0[%i] : tensor<4xf32>
  return %1, %v : tensor<4xf32>, f32
}

// A destination that is not there is a new buffer.
// CHECK-LABEL: func.func @optional
// CHECK:         %[[NEW:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf64>
// CHECK-NEXT:    "t.measure"(%[[NEW]]) {operandSegmentSizes = array<i32: 0, 1>} : (memref<8xf64>) -> ()
// CHECK-NEXT:    return %[[NEW]]
func.func @optional() -> tensor<8xf64> {
  %0 = "t.measure"() {operandSegmentSizes = array<i32: 0, 0>} : () -> tensor<8xf64>
  return %0 : tensor<8xf64>
}

// A result that is allocated stays one.
// CHECK-LABEL: func.func @made
// CHECK:         %[[MADE:.*]] = "t.make"() : () -> memref<4xf32>
// CHECK-NEXT:    return %[[MADE]]
func.func @made() -> tensor<4xf32> {
  %0 = "t.make"() : () -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
