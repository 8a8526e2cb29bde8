// Functions that are values take and return tensors as long as all functions do.

// RUN: freehold opt %s --one-shot-bufferize | FileCheck %s

func.func private @callee(tensor<4xf32>) -> tensor<4xf32>

// CHECK-LABEL: func.func @indirect(
// CHECK:         %[[R:.*]] = call_indirect %{{.*}}(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %[[M:.*]] = bufferization.to_memref %[[R]]
// CHECK:         memref.copy %[[M]], %[[A:.*]] :
// CHECK:         memref.store %{{.*}}, %[[A]]
func.func @indirect(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %f = func.constant @callee : (tensor<4xf32>) -> tensor<4xf32>
  %r = func.call_indirect %f(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %s = tensor.insert %x into %r[%i] : tensor<4xf32>
  return %s : tensor<4xf32>
}
