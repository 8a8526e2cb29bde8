// What is not lowered is an error of the lowering, or of bufferization where that was left out.
//
// RUN: not freehold run %s 2>&1 | FileCheck %s
// RUN: not freehold opt --one-shot-bufferize=bufferize-function-boundaries %s 2>&1 | FileCheck --check-prefix=LEFT %s

// LEFT: 9:8: error: op was not bufferized: `--stablehlo-legalize-to-linalg` makes linalg of it
// CHECK: 9:8: error: 'stablehlo.custom_call' op is not lowered: nothing is known of the target 'lapack_spotrf_ffi'
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.custom_call @lapack_spotrf_ffi(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
