// A promise of MLIR 22 that memrefs are in different allocations.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s
// RUN: freehold opt %s --canonicalize | FileCheck %s --check-prefix=FOLDED

// CHECK-LABEL: func.func @distinct
func.func @distinct(%a: memref<4xf32>, %b: memref<?xi8, strided<[?]>>) -> (memref<4xf32>, memref<?xi8, strided<[?]>>) {
  // CHECK: %[[ONE:[^ ]+]] = memref.distinct_objects %{{[^ ]+}} : memref<4xf32>
  %0 = memref.distinct_objects %a : memref<4xf32>
  // CHECK: %[[TWO:[^ :]+]]:2 = memref.distinct_objects %[[ONE]], %{{[^ ]+}} {x} : memref<4xf32>, memref<?xi8, strided<[?]>>
  %1:2 = memref.distinct_objects %0, %b {x} : memref<4xf32>, memref<?xi8, strided<[?]>>
  // FOLDED: return %arg0, %arg1
  return %1#0, %1#1 : memref<4xf32>, memref<?xi8, strided<[?]>>
}
