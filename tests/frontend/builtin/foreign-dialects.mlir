// One line per dialect that is not compiled says what makes linalg of it; the list of registered
// dialects is there once.

// RUN: not freehold opt %s 2>&1 | FileCheck %s --implicit-check-not=error: --implicit-check-not=Registered

func.func @f(%a: tensor<4xf32>, %m: memref<2xi64>) {
  // CHECK: 9:8: error: Dialect `tosa' not found for custom op 'tosa.exp': `mlir-opt --tosa-to-linalg-pipeline` makes linalg of it
  // CHECK: 11:8: error: Dialect `mhlo' not found for custom op 'mhlo.add': `iree-opt --iree-stablehlo-input-transformation-pipeline` makes linalg of it
  %0 = tosa.exp %a : (tensor<4xf32>) -> tensor<4xf32>
  %1 = tosa.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2 = mhlo.add %a, %1 : tensor<4xf32>
  // CHECK: 13:8: error: Dialect `gpu' not found for custom op 'gpu.wait': programs for graphics processors are not compiled
  %t = gpu.wait async
  gpu.wait [%t]
  // CHECK: 16:3: error: dialect `spirv' of 'spirv.Nop' is not registered: programs for graphics processors are not compiled
  "spirv.Nop"() : () -> ()
  // CHECK: 19:3: error: Dialect `mine' not found for custom op 'mine.op'
  // CHECK: 19:3: note: Registered dialects: affine, arith
  mine.op
  // CHECK: 21:3: error: Dialect `yours' not found for custom op 'yours.op'
  yours.op
  return
}
