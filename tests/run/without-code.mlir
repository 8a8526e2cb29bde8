// What no processor here has is an error that says why, once for each operation: copies by a device, and vectors whose
// size is not known.
//
// RUN: not freehold run %s -e dma 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not freehold compile -O0 %s -o %t 2>&1 | FileCheck %s --implicit-check-not=error:

// CHECK: without-code.mlir:[[@LINE+6]]:3: error: 'memref.dma_start' op cannot be lowered to native code: it is up to a device to copy beside the program; memref.copy runs here
// CHECK: without-code.mlir:[[@LINE+6]]:3: error: 'memref.dma_wait' op cannot be lowered to native code: it is up to a device
func.func @dma() {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m:3 = call @buffers() : () -> (memref<16xf32>, memref<16xf32>, memref<1xi32>)
  memref.dma_start %m#0[%c0], %m#1[%c0], %c4, %m#2[%c0] : memref<16xf32>, memref<16xf32>, memref<1xi32>
  memref.dma_wait %m#2[%c0], %c4 : memref<1xi32>
  return
}
func.func private @buffers() -> (memref<16xf32>, memref<16xf32>, memref<1xi32>)

// CHECK: without-code.mlir:[[@LINE+2]]:8: error: 'vector.vscale' op cannot be lowered to native code: the sizes of vectors have to be known when code is generated, and scalable ones are not
func.func @vscale() -> index {
  %s = vector.vscale
  return %s : index
}

// CHECK: without-code.mlir:[[@LINE+4]]:8: error: 'vector.load' op cannot be lowered to native code on type 'vector<[4]xf32>': the sizes of vectors
func.func @scalable(%m: memref<16xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  // A second operation on such vectors is no second mistake.
  %v = vector.load %m[%c0] : memref<16xf32>, vector<[4]xf32>
  %s = vector.reduction <add>, %v : vector<[4]xf32> into f32
  return %s : f32
}
