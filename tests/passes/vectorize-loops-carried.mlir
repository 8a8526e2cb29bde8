// RUN: freehold opt %s --vectorize-loops | FileCheck %s

// What the loop carries is one of two allocations, and the tensor that it writes to a third one: nothing is compared at run
// time. The two that it exchanges may be the same, for all that is known.
// CHECK-LABEL: func.func @carried
// CHECK:         scf.for
// CHECK-NOT:       memref.extract_aligned_pointer_as_index
// CHECK:           vector.store %{{.*}}, %{{.*}} : memref<32xf32, strided<[1], offset: ?>>
// CHECK-LABEL: func.func @exchanged
// CHECK:         memref.extract_aligned_pointer_as_index
// CHECK-LABEL: func.func @argument
// CHECK:         memref.extract_aligned_pointer_as_index
func.func @carried() -> memref<8x32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xf32>
  %b = memref.alloc() : memref<32xf32>
  %all = memref.alloc() : memref<8x32xf32>
  %last:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %a, %y = %b) -> (memref<32xf32>, memref<32xf32>) {
    %row = memref.subview %all[%i, 0] [1, 32] [1, 1] : memref<8x32xf32> to memref<32xf32, strided<[1], offset: ?>>
    scf.for %j = %c0 to %c32 step %c1 {
      %u = memref.load %x[%j] : memref<32xf32>
      %v = arith.addf %u, %u : f32
      memref.store %v, %row[%j] : memref<32xf32, strided<[1], offset: ?>>
    }
    scf.yield %y, %x : memref<32xf32>, memref<32xf32>
  }
  return %all : memref<8x32xf32>
}

func.func @exchanged() -> memref<32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %a = memref.alloc() : memref<32xf32>
  %b = memref.alloc() : memref<32xf32>
  %last:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %a, %y = %b) -> (memref<32xf32>, memref<32xf32>) {
    scf.for %j = %c0 to %c32 step %c1 {
      %u = memref.load %x[%j] : memref<32xf32>
      %v = arith.addf %u, %u : f32
      memref.store %v, %y[%j] : memref<32xf32>
    }
    scf.yield %y, %x : memref<32xf32>, memref<32xf32>
  }
  return %last#0 : memref<32xf32>
}

func.func @argument(%a: memref<32xf32>, %all: memref<8x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %b = memref.alloc() : memref<32xf32>
  %last:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%x = %a, %y = %b) -> (memref<32xf32>, memref<32xf32>) {
    %row = memref.subview %all[%i, 0] [1, 32] [1, 1] : memref<8x32xf32> to memref<32xf32, strided<[1], offset: ?>>
    scf.for %j = %c0 to %c32 step %c1 {
      %u = memref.load %x[%j] : memref<32xf32>
      %v = arith.addf %u, %u : f32
      memref.store %v, %row[%j] : memref<32xf32, strided<[1], offset: ?>>
    }
    scf.yield %y, %x : memref<32xf32>, memref<32xf32>
  }
  return
}
