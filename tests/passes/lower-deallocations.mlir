// The name that documents use for bufferization-lower-deallocations.
// RUN: freehold opt %s --lower-deallocations | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK:         scf.if %arg1
// CHECK-NEXT:      memref.dealloc %arg0
func.func @f(%m: memref<2xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<2xf32>) if (%c)
  return
}
