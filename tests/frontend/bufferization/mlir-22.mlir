// What MLIR 22 calls otherwise is read by both names; what was read decides what is printed, unless
// a version is given.

// RUN: freehold opt %s | FileCheck %s --check-prefix=NEW
// RUN: freehold opt %s | freehold opt | FileCheck %s --check-prefix=NEW
// RUN: freehold opt %s --mlir-version=22 --mlir-print-op-generic | freehold opt | FileCheck %s --check-prefix=NEW
// RUN: freehold opt %s --mlir-version=19 | FileCheck %s --check-prefix=OLD
// RUN: freehold opt %s --mlir-version=19 | freehold opt | FileCheck %s --check-prefix=OLD
// RUN: freehold opt %s --mlir-version=19 | freehold opt --mlir-version=22 | FileCheck %s --check-prefix=NEW
// RUN: not freehold opt %s --mlir-version=20 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// UNKNOWN: '20' is an invalid value for '--mlir-version'

#m = affine_map<(i, j, k) -> (i, k)>
#n = affine_map<(i, j, k) -> (j, k)>
#o = affine_map<(i, j, k) -> (i, j)>

// NEW-LABEL: func.func @buffers
// OLD-LABEL: func.func @buffers
func.func @buffers(%t: tensor<4xf32>, %m: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // NEW-NEXT: bufferization.to_buffer %arg0 : tensor<4xf32> to memref<4xf32>
  // OLD-NEXT: bufferization.to_memref %arg0 : memref<4xf32>
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  // NEW-NEXT: bufferization.to_buffer %arg0 read_only : tensor<4xf32> to memref<4xf32>
  // OLD-NEXT: bufferization.to_memref %arg0 read_only : memref<4xf32>
  %1 = bufferization.to_memref %t read_only : memref<4xf32>
  // NEW-NEXT: bufferization.to_tensor %arg1 restrict writable : memref<4xf32> to tensor<4xf32>
  // OLD-NEXT: bufferization.to_tensor %arg1 restrict writable : memref<4xf32>{{$}}
  %2 = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  // NEW-NEXT: bufferization.to_tensor %arg1 : memref<4xf32> to tensor<4xf32>
  // OLD-NEXT: bufferization.to_tensor %arg1 : memref<4xf32>{{$}}
  %3 = bufferization.to_tensor %m : memref<4xf32>
  return %0, %1, %2, %3 : memref<4xf32>, memref<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// NEW-LABEL: func.func @tiles
// OLD-LABEL: func.func @tiles
func.func @tiles(%x: tensor<13x15xf32>, %d: tensor<2x8x8x2xf32>, %p: f32) -> tensor<13x15xf32> {
  // NEW-NEXT: linalg.pack %arg0 padding_value(%arg2 : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %arg1 : tensor<13x15xf32> -> tensor<2x8x8x2xf32>
  // OLD-NEXT: tensor.pack %arg0 padding_value(%arg2 : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %arg1 : tensor<13x15xf32> -> tensor<2x8x8x2xf32>
  %0 = linalg.pack %x padding_value(%p : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %d : tensor<13x15xf32> -> tensor<2x8x8x2xf32>
  // NEW-NEXT: linalg.unpack %{{.*}} inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %arg0
  // OLD-NEXT: tensor.unpack %{{.*}} inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %arg0
  %1 = linalg.unpack %0 inner_dims_pos = [0, 1] inner_tiles = [8, 2] into %x : tensor<2x8x8x2xf32> -> tensor<13x15xf32>
  return %1 : tensor<13x15xf32>
}

// NEW-LABEL: func.func @products
func.func @products(%a: tensor<3x4xf32>, %b: tensor<4x5xf32>, %bt: tensor<5x4xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  // NEW-NEXT: linalg.matmul ins(
  %0 = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x5xf32>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}
