// Promises that memory is in different allocations; the results are the operands.
//
// RUN: freehold run %s -O0 --check | FileCheck %s
// RUN: freehold run %s -O2 --check | FileCheck %s
// RUN: freehold run %s -O0 --dealloc=hlo | FileCheck %s
// RUN: freehold run %s -O0 --dealloc=clone | FileCheck %s

func.func private @fill(%x: f32) -> (memref<4xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc(%c4) : memref<?xf32>
  %0:2 = memref.distinct_objects %a, %b : memref<4xf32>, memref<?xf32>
  memref.store %x, %0#0[%c0] : memref<4xf32>
  %double = arith.addf %x, %x : f32
  memref.store %double, %0#1[%c0] : memref<?xf32>
  return %0#0, %b : memref<4xf32>, memref<?xf32>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %x = arith.constant 1.5 : f32
  %a, %b = call @fill(%x) : (f32) -> (memref<4xf32>, memref<?xf32>)
  %0:2 = memref.distinct_objects %b, %a : memref<?xf32>, memref<4xf32>
  %first = memref.load %0#1[%c0] : memref<4xf32>
  %second = memref.load %0#0[%c0] : memref<?xf32>
  // CHECK: 1.5
  vector.print %first : f32
  // CHECK-NEXT: 3
  vector.print %second : f32
  return
}
