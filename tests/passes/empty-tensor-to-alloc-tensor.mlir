// RUN: freehold opt %s --empty-tensor-to-alloc-tensor | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    bufferization.alloc_tensor(%arg0) : tensor<?x4xf32>
func.func @f(%n: index) -> tensor<?x4xf32> {
  %0 = tensor.empty(%n) : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}
