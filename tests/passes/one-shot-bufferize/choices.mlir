// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries copy-before-write" | FileCheck %s --check-prefix=COPY
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries no-analysis-func-filter=f" | FileCheck %s --check-prefix=COPY
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries buffer-alignment=0" | FileCheck %s --check-prefix=PLAIN
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries test-analysis-only" | FileCheck %s --check-prefix=ANALYSIS
// RUN: freehold opt %s --one-shot-bufferize="dialect-filter=tensor,bufferization" | FileCheck %s --check-prefix=FILTER
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=fully-dynamic-layout-map" | FileCheck %s --check-prefix=DYNAMIC
// RUN: not freehold opt %s --one-shot-bufferize="analysis-heuristic=sideways" 2>&1 | FileCheck %s --check-prefix=HEURISTIC
// HEURISTIC: 'sideways' value invalid for option analysis-heuristic: expected one of bottom-up, bottom-up-from-terminators, fuzzer, top-down

// COPY-LABEL: func.func @f
// COPY-COUNT-2: memref.alloc() {alignment = 64 : i64}
// PLAIN-LABEL: func.func @f
// PLAIN:         memref.alloc() : memref<4xf32>
// PLAIN-NOT:     memref.alloc
// PLAIN:         return
// ANALYSIS-LABEL: func.func @f(%arg0: tensor<4xf32>
// ANALYSIS:         tensor.insert %arg1 into %arg0[%arg2] {__inplace_operands_attr__ = ["none", "false", "none"]}
// ANALYSIS:         linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// ANALYSIS:         return {__inplace_operands_attr__ = ["true"]}
// FILTER-LABEL: func.func @f(%arg0: tensor<4xf32>
// FILTER:         memref.store %arg1
// FILTER:         %[[T:.*]] = bufferization.to_tensor
// FILTER:         linalg.fill ins(%arg1 : f32) outs(%[[T]] : tensor<4xf32>) -> tensor<4xf32>
// DYNAMIC-LABEL: func.func @f
// DYNAMIC-SAME:    -> memref<4xf32, strided<[?], offset: ?>>
// DYNAMIC:         %[[R:.*]] = memref.cast %{{.*}} : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// DYNAMIC:         return %[[R]]
// DYNAMIC-LABEL: func.func @caller
// DYNAMIC:         %[[C:.*]] = call @f
// DYNAMIC:         memref.cast %[[C]] : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  %1 = linalg.fill ins(%x : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @caller(%t: tensor<4xf32>, %x: f32, %i: index) -> f32 {
  %0 = func.call @f(%t, %x, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  %1 = tensor.extract %0[%i] : tensor<4xf32>
  return %1 : f32
}
