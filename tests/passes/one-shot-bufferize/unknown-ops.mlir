// RUN: freehold opt %s --allow-unregistered-dialect --one-shot-bufferize="allow-unknown-ops bufferize-function-boundaries" | FileCheck %s
// RUN: not freehold opt %s --allow-unregistered-dialect --one-shot-bufferize="bufferize-function-boundaries" 2>&1 | FileCheck %s --check-prefix=REFUSED

// REFUSED: error: op was not bufferized

// The unknown operation may return the tensor that it was given: what it was given is not written afterwards. Upstream
// writes to it before the result is copied.
// CHECK-LABEL: func.func @f
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         memref.copy %arg0, %[[A]]
// CHECK:         memref.store %arg1, %[[A]][%arg2]
// CHECK:         %[[T:.*]] = bufferization.to_tensor %[[A]]
// CHECK:         %[[U:.*]] = "test.dummy"(%[[T]])
// CHECK:         %[[M:.*]] = bufferization.to_memref %[[U]]
// CHECK:         %[[B:.*]] = memref.alloc
// CHECK:         memref.copy %[[A]], %[[B]]
// CHECK:         memref.store %arg1, %[[B]][%arg2]
// CHECK:         %[[C:.*]] = memref.alloc
// CHECK:         memref.copy %[[M]], %[[C]]
// CHECK:         memref.store %arg1, %[[C]][%arg2]
// CHECK:         return %[[B]], %[[C]]
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %1 = "test.dummy"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = tensor.insert %x into %0[%i] : tensor<4xf32>
  %3 = tensor.insert %x into %1[%i] : tensor<4xf32>
  return %2, %3 : tensor<4xf32>, tensor<4xf32>
}

// From one unknown operation to the next, and into a region.
// CHECK-LABEL: func.func @region
// CHECK:         %[[U:.*]] = "test.one"() : () -> tensor<4xf32>
// CHECK-NEXT:    "test.two"(%[[U]]) ({
// CHECK-NEXT:    ^bb0(%[[V:.*]]: tensor<4xf32>):
// CHECK-NEXT:      %[[M:.*]] = bufferization.to_memref %[[V]]
// CHECK-NEXT:      %[[E:.*]] = memref.load %[[M]][%arg0]
// CHECK-NEXT:      "test.yield"(%[[E]])
func.func @region(%i: index) {
  %0 = "test.one"() : () -> tensor<4xf32>
  "test.two"(%0) ({
  ^bb0(%v: tensor<4xf32>):
    %e = tensor.extract %v[%i] : tensor<4xf32>
    "test.yield"(%e) : (f32) -> ()
  }) : (tensor<4xf32>) -> ()
  return
}
