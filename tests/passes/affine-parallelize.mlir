// RUN: freehold opt %s --affine-parallelize | FileCheck %s

// CHECK-LABEL: func.func @product
// CHECK:         affine.parallel (%[[I:.*]]) = (0) to (8) {
// CHECK-NEXT:      affine.parallel (%[[J:.*]]) = (0) to (symbol(%arg3)) {
// CHECK-NEXT:        affine.for %[[K:.*]] = 0 to 8 {
func.func @product(%a: memref<8x8xf32> {llvm.noalias}, %b: memref<8x?xf32> {llvm.noalias}, %c: memref<8x?xf32> {llvm.noalias}, %n: index) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to %n {
      affine.for %k = 0 to 8 {
        %0 = affine.load %a[%i, %k] : memref<8x8xf32>
        %1 = affine.load %b[%k, %j] : memref<8x?xf32>
        %2 = affine.load %c[%i, %j] : memref<8x?xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %c[%i, %j] : memref<8x?xf32>
      }
    }
  }
  return
}

// Blocks of a row: other blocks are other elements. The rest of a division by two is not understood.
// CHECK-LABEL: func.func @blocks
// CHECK:         affine.parallel
// CHECK:           affine.for
// CHECK:         affine.for
func.func @blocks(%m: memref<64xf32>, %f: f32) {
  affine.for %i = 0 to 64 step 4 {
    affine.for %j = 0 to 4 {
      %v = affine.load %m[%i + %j] : memref<64xf32>
      affine.store %f, %m[%i] : memref<64xf32>
    }
  }
  affine.for %i = 0 to 64 {
    affine.store %f, %m[%i mod 2] : memref<64xf32>
  }
  return
}

// The next iteration reads; two arguments may be one buffer (upstream makes this parallel); a call.
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     affine.parallel
// CHECK-COUNT-3: affine.for
func.func @kept(%m: memref<9xf32>, %o: memref<9xf32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %m[%i] : memref<9xf32>
    affine.store %v, %m[%i + 1] : memref<9xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %m[%i + 1] : memref<9xf32>
    affine.store %v, %o[%i] : memref<9xf32>
  }
  affine.for %i = 0 to 8 {
    func.call @use() : () -> ()
  }
  return
}
func.func private @use()

// Rows that overlap: another row is no other element. Rows of a part with steps, turned around, are.
// CHECK-LABEL: func.func @rows
// CHECK-NOT:     affine.parallel
// CHECK-COUNT-2: affine.for
// CHECK:         memref.transpose
// CHECK-NEXT:    affine.parallel
// CHECK-NEXT:      affine.parallel
func.func @rows(%m: memref<32xf32>, %n: memref<?x?xf32>, %f: f32) {
  %o = memref.reinterpret_cast %m to offset: [0], sizes: [8, 17], strides: [1, 1]
      : memref<32xf32> to memref<8x17xf32, strided<[1, 1]>>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 17 {
      affine.store %f, %o[%i, %j] : memref<8x17xf32, strided<[1, 1]>>
    }
  }
  %p = memref.subview %n[0, 0] [8, 8] [1, 2] : memref<?x?xf32> to memref<8x8xf32, strided<[?, 2]>>
  %t = memref.transpose %p (i, j) -> (j, i) : memref<8x8xf32, strided<[?, 2]>> to memref<8x8xf32, strided<[2, ?]>>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.store %f, %t[%i, %j] : memref<8x8xf32, strided<[2, ?]>>
    }
  }
  return
}
