// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=128" | FileCheck %s
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=128" | FileCheck %s --check-prefix=KEPT
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=8" | freehold run - | FileCheck %s --check-prefix=PRINTED
// RUN: not freehold opt %s --affine-super-vectorize="virtual-vector-size=4,0" 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not freehold opt %s --affine-super-vectorize 2>&1 | FileCheck %s --check-prefix=SIZES

// SIZES: error: 'virtual-vector-size' has to be sizes of vectors of 1 to 65536 elements

// CHECK-LABEL: func.func @add
// CHECK:         affine.for %[[I:.*]] = 0 to 1024 step 128 {
// CHECK:           %[[A:.*]] = vector.transfer_read %arg0[%[[I]]], %{{.*}} : memref<1024xf32>, vector<128xf32>
// CHECK:           %[[B:.*]] = vector.transfer_read %arg1[%[[I]]], %{{.*}} : memref<1024xf32>, vector<128xf32>
// CHECK:           %[[S:.*]] = arith.addf %[[A]], %[[B]] : vector<128xf32>
// CHECK:           vector.transfer_write %[[S]], %arg2[%[[I]]] : vector<128xf32>, memref<1024xf32>
func.func @add(%A: memref<1024xf32> {llvm.noalias}, %B: memref<1024xf32> {llvm.noalias}, %C: memref<1024xf32> {llvm.noalias}) {
  affine.for %i = 0 to 1024 {
    %a = affine.load %A[%i] : memref<1024xf32>
    %b = affine.load %B[%i] : memref<1024xf32>
    %s = arith.addf %a, %b : f32
    affine.store %s, %C[%i] : memref<1024xf32>
  }
  return
}

// One element for all, and a subscript that is computed.
// CHECK-LABEL: func.func @uniform
// CHECK:         affine.for %[[I:.*]] = 0 to 128 step 128 {
// CHECK:           %[[U:.*]] = affine.load %arg1[symbol(%arg2)]
// CHECK:           %[[P:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK:           %[[A:.*]] = vector.transfer_read %arg0[%arg2, %[[P]]]
// CHECK:           %[[V:.*]] = vector.broadcast %[[U]] : f32 to vector<128xf32>
// CHECK:           %[[S:.*]] = arith.mulf %[[A]], %[[V]] : vector<128xf32>
// CHECK:           vector.transfer_write %[[S]], %arg0
func.func @uniform(%A: memref<4x256xf32> {llvm.noalias}, %B: memref<4xf32> {llvm.noalias}, %k: index) {
  affine.for %i = 0 to 128 {
    %b = affine.load %B[symbol(%k)] : memref<4xf32>
    %a = affine.load %A[symbol(%k), %i + 3] : memref<4x256xf32>
    %s = arith.mulf %a, %b : f32
    affine.store %s, %A[symbol(%k), %i + 3] : memref<4x256xf32>
  }
  return
}

// Not: two arguments that may be one buffer, an iteration that needs another one,
// accesses along different dimensions.
// KEPT-LABEL: func.func @kept
// KEPT-NOT:     vector.
// KEPT:         return
func.func @kept(%A: memref<1024xf32>, %B: memref<1024xf32>, %C: memref<256x256xf32> {llvm.noalias}, %D: memref<128xf32> {llvm.noalias}) {
  affine.for %i = 0 to 128 {
    %a = affine.load %A[%i] : memref<1024xf32>
    affine.store %a, %B[%i] : memref<1024xf32>
  }
  affine.for %i = 0 to 128 {
    %a = affine.load %A[%i] : memref<1024xf32>
    affine.store %a, %A[%i + 1] : memref<1024xf32>
  }
  affine.for %i = 0 to 128 {
    %a = affine.load %C[%i, 3] : memref<256x256xf32>
    %b = affine.load %D[%i] : memref<128xf32>
    %t = arith.addf %a, %b : f32
    affine.store %t, %C[%i, 3] : memref<256x256xf32>
  }
  return
}

// PRINTED: 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
func.func @main() {
  %m = memref.alloc() : memref<16xi32>
  affine.for %i = 0 to 16 {
    %v = arith.index_cast %i : index to i32
    affine.store %v, %m[%i] : memref<16xi32>
  }
  affine.for %i = 0 to 16 {
    %v = affine.load %m[%i] : memref<16xi32>
    %w = arith.addi %v, %v : i32
    affine.store %w, %m[%i] : memref<16xi32>
  }
  %c0 = arith.constant 0 : index
  %z = arith.constant 0 : i32
  %r = vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<16xi32>, vector<16xi32>
  vector.print %r : vector<16xi32>
  memref.dealloc %m : memref<16xi32>
  return
}
