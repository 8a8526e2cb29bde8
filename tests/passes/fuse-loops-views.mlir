// RUN: freehold opt %s --fuse-loops | FileCheck %s

// Nine columns of one buffer are one buffer: both loops become one.
// CHECK-LABEL: func.func @columns
// CHECK-COUNT-1: scf.for
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @columns(%x: memref<64x9xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  %x0 = memref.subview %x[0, 0] [64, 1] [1, 1] : memref<64x9xf32> to memref<64xf32, strided<[9]>>
  %x1 = memref.subview %x[0, 1] [64, 1] [1, 1] : memref<64x9xf32> to memref<64xf32, strided<[9], offset: 1>>
  %x2 = memref.subview %x[0, 2] [64, 1] [1, 1] : memref<64x9xf32> to memref<64xf32, strided<[9], offset: 2>>
  %x3 = memref.subview %x[0, 3] [64, 1] [1, 1] : memref<64x9xf32> to memref<64xf32, strided<[9], offset: 3>>
  %x4 = memref.subview %x[0, 4] [64, 1] [1, 1] : memref<64x9xf32> to memref<64xf32, strided<[9], offset: 4>>
  %x5 = memref.subview %x[0, 5] [64, 1] [1, 1] : memref<64x9xf32> to memref<64xf32, strided<[9], offset: 5>>
  %x6 = memref.subview %x[0, 6] [64, 1] [1, 1] : memref<64x9xf32> to memref<64xf32, strided<[9], offset: 6>>
  %x7 = memref.subview %x[0, 7] [64, 1] [1, 1] : memref<64x9xf32> to memref<64xf32, strided<[9], offset: 7>>
  %x8 = memref.subview %x[0, 8] [64, 1] [1, 1] : memref<64x9xf32> to memref<64xf32, strided<[9], offset: 8>>
  scf.for %i = %c0 to %c64 step %c1 {
    %0 = memref.load %x0[%i] : memref<64xf32, strided<[9]>>
    %1 = memref.load %x1[%i] : memref<64xf32, strided<[9], offset: 1>>
    %2 = memref.load %x2[%i] : memref<64xf32, strided<[9], offset: 2>>
    %3 = memref.load %x3[%i] : memref<64xf32, strided<[9], offset: 3>>
    %4 = memref.load %x4[%i] : memref<64xf32, strided<[9], offset: 4>>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %2, %3 : f32
    %7 = arith.addf %4, %5 : f32
    %8 = arith.mulf %6, %7 : f32
    memref.store %8, %a[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %0 = memref.load %x5[%i] : memref<64xf32, strided<[9], offset: 5>>
    %1 = memref.load %x6[%i] : memref<64xf32, strided<[9], offset: 6>>
    %2 = memref.load %x7[%i] : memref<64xf32, strided<[9], offset: 7>>
    %3 = memref.load %x8[%i] : memref<64xf32, strided<[9], offset: 8>>
    %4 = memref.load %a[%i] : memref<64xf32>
    %5 = arith.addf %0, %1 : f32
    %6 = arith.addf %2, %3 : f32
    %7 = arith.addf %4, %5 : f32
    %8 = arith.mulf %6, %7 : f32
    memref.store %8, %b[%i] : memref<64xf32>
  }
  memref.dealloc %a : memref<64xf32>
  return %b : memref<64xf32>
}
