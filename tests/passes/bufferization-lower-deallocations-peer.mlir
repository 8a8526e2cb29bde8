// What is lowered is in upstream's dialects alone, for each lowering but that to the runtime, and
// also where buffers have no rank.
// REQUIRES: mlir-opt-19
// RUN: freehold opt %s --buffer-deallocation-pipeline | mlir-opt-19 | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=lowering=generic | mlir-opt-19 | FileCheck %s --check-prefix=GENERIC
// RUN: freehold opt %s --convert-bufferization-to-memref | mlir-opt-19 | FileCheck %s --check-prefix=UNRANKED
// RUN: freehold opt %s --lower-deallocations | freehold opt --buffer-deallocation-pipeline | mlir-opt-19 | FileCheck %s --check-prefix=UNRANKED

// CHECK-LABEL: func.func @one_of_three
// CHECK-COUNT-3: memref.extract_aligned_pointer_as_index {{.*}} {freehold.allocated}
// GENERIC-LABEL: func.func @one_of_three
// GENERIC:         call @dealloc_helper
func.func @one_of_three(%c: i1, %d: i1, %lent: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %b : memref<2xf32>
  %t = arith.select %d, %s, %lent : memref<2xf32>
  return %t : memref<2xf32>
}

// UNRANKED-LABEL: func.func @unranked
// UNRANKED:         memref.extract_aligned_pointer_as_index {{.*}} : memref<*xi64> -> index {freehold.allocated}
func.func @unranked(%c: i1, %kept: memref<*xi64>) -> i1 {
  %a = memref.alloc() : memref<5xi64>
  %b = memref.cast %a : memref<5xi64> to memref<*xi64>
  %owned = bufferization.dealloc (%b : memref<*xi64>) if (%c) retain (%kept : memref<*xi64>)
  return %owned : i1
}
