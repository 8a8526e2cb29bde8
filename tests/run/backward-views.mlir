// A view that runs backwards through the rows of a buffer, and one that overlaps its end: elements
// must be stored one after the other.

// RUN: freehold run %s --check=accesses | FileCheck %s
// RUN: freehold run %s -O3 | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s

func.func private @printMemrefI32(memref<*xi32>)

func.func private @spread(%from: memref<3x8xi32, strided<[8, 1], offset: ?>>,
                          %to: memref<3x8xi32, strided<[-8, 1], offset: ?>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %x = memref.load %from[%i, %j] : memref<3x8xi32, strided<[8, 1], offset: ?>>
      memref.store %x, %to[%i, %j] : memref<3x8xi32, strided<[-8, 1], offset: ?>>
    }
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c40 = arith.constant 40 : index
  %buffer = memref.alloc() : memref<40xi32>
  scf.for %i = %c0 to %c40 step %c1 {
    %n = arith.index_cast %i : index to i32
    memref.store %n, %buffer[%i] : memref<40xi32>
  }
  // Rows at 16, 8 and 0 are stored to; rows at 15, 23 and 31 are loaded from.
  %c15 = arith.constant 15 : index
  %c16 = arith.constant 16 : index
  %from = memref.reinterpret_cast %buffer to offset: [%c15], sizes: [3, 8], strides: [8, 1]
    : memref<40xi32> to memref<3x8xi32, strided<[8, 1], offset: ?>>
  %to = memref.reinterpret_cast %buffer to offset: [%c16], sizes: [3, 8], strides: [-8, 1]
    : memref<40xi32> to memref<3x8xi32, strided<[-8, 1], offset: ?>>
  call @spread(%from, %to) : (memref<3x8xi32, strided<[8, 1], offset: ?>>,
                              memref<3x8xi32, strided<[-8, 1], offset: ?>>) -> ()
  // Element 15 is carried through the whole first row.
  // CHECK: [31,  32,  33,  34,  35,  36,  37,  38,  15,  24,  25,  26,  27,  28,  29,  30,  15,  15,  15,  15,  15,  15,  15,  15,  24,
  %u = memref.cast %buffer : memref<40xi32> to memref<*xi32>
  call @printMemrefI32(%u) : (memref<*xi32>) -> ()
  return
}
