// RUN: freehold opt %s --finalizing-bufferize --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK-NEXT:    return %arg0
func.func @f(%m: memref<4xf32>) -> memref<4xf32> {
  %t = bufferization.to_tensor %m restrict : memref<4xf32>
  %n = bufferization.to_memref %t : memref<4xf32>
  return %n : memref<4xf32>
}

// -----

func.func @left(%t: tensor<4xf32>) -> memref<4xf32> {
  // expected-error @+1 {{failed to legalize operation 'bufferization.to_memref'}}
  %n = bufferization.to_memref %t : memref<4xf32>
  return %n : memref<4xf32>
}
