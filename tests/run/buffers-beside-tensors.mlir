// Structured operations on buffers stay where they are in a function that has tensors as well: a buffer that is only
// read does not become the one that is written.
//
// RUN: freehold run - -O0 < %s | FileCheck %s
// RUN: freehold run - -O2 < %s | FileCheck %s

func.func @main() -> (memref<2xf32>, memref<2xi8>, tensor<1xf32>) {
  %x = arith.constant -1.5 : f32
  %i = arith.constant 7 : i8
  %t = arith.constant dense<3.0> : tensor<1xf32>
  // CHECK: result #0: 2xf32 = [-1.5, -1.5]
  %a = memref.alloca() : memref<2xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
  %b = memref.alloc() : memref<2xf32>
  linalg.transpose ins(%a : memref<2xf32>) outs(%b : memref<2xf32>) permutation = [0]
  // CHECK-NEXT: result #1: 2xi8 = [7, 7]
  %c = memref.alloc() : memref<2xi8>
  linalg.fill ins(%i : i8) outs(%c : memref<2xi8>)
  %d = memref.alloc() : memref<2xi8>
  linalg.copy ins(%c : memref<2xi8>) outs(%d : memref<2xi8>)
  // CHECK-NEXT: result #2: 1xf32 = [3.0]
  return %b, %d, %t : memref<2xf32>, memref<2xi8>, tensor<1xf32>
}
