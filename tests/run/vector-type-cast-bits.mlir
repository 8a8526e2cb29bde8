// Bits of a vector are packed in memory; each i1 of a memref has a byte for itself.
//
// RUN: not freehold run %s 2>&1 | FileCheck %s

func.func @main() {
  %bools = memref.alloc() : memref<8xi1>
  // CHECK: [[@LINE+1]]:11: error: 'vector.type_cast' op cannot be lowered to native code: elements of 'memref<8xi1>' and of 'memref<vector<8xi1>>' lie at different places in memory
  %bits = vector.type_cast %bools : memref<8xi1> to memref<vector<8xi1>>
  %x = memref.load %bits[] : memref<vector<8xi1>>
  vector.print %x : vector<8xi1>
  memref.dealloc %bools : memref<8xi1>
  return
}
