// Rows of vectors are padded in memory to a power of two: a cast from rows that are not is no cast of the descriptor.
//
// RUN: not freehold run %s -O0 2>&1 | FileCheck %s
// RUN: not freehold run %s -O2 2>&1 | FileCheck %s

func.func @main() {
  %threes = memref.alloc() : memref<2x3xi32>
  // CHECK: [[@LINE+1]]:11: error: 'vector.type_cast' op cannot be lowered to native code: elements of 'memref<2x3xi32>' and of 'memref<vector<2x3xi32>>' lie at different places in memory
  %rows = vector.type_cast %threes : memref<2x3xi32> to memref<vector<2x3xi32>>
  %x = memref.load %rows[] : memref<vector<2x3xi32>>
  vector.print %x : vector<2x3xi32>
  memref.dealloc %threes : memref<2x3xi32>
  return
}
