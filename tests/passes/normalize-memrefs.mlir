// RUN: freehold opt %s --normalize-memrefs | FileCheck %s
// RUN: freehold opt %s --normalize-memrefs | freehold run - | FileCheck %s --check-prefix=OUT

#tiled = affine_map<(i) -> (i floordiv 4, i mod 4)>
#columns = affine_map<(i, j) -> (j, i)>

// CHECK-LABEL: func.func @main
// CHECK:         %[[M:.*]] = memref.alloc() : memref<4x4xindex>
// CHECK:         affine.for %[[I:.*]] = 0 to 16 {
// CHECK:           affine.store %{{.*}}, %[[M]][%[[I]] floordiv 4, %[[I]] mod 4] : memref<4x4xindex>
// CHECK:         affine.load %[[M]][1, 3]
// CHECK:         memref.load %[[M]][%{{.*}}, %{{.*}}]
// CHECK:         memref.dealloc %[[M]] : memref<4x4xindex>
// OUT:      7
// OUT-NEXT: 9
// OUT-NEXT: 12
func.func @main() {
  %m = memref.alloc() : memref<16xindex, #tiled>
  affine.for %i = 0 to 16 {
    affine.store %i, %m[%i] : memref<16xindex, #tiled>
  }
  %c9 = arith.constant 9 : index
  %a = affine.load %m[7] : memref<16xindex, #tiled>
  vector.print %a : index
  %b = memref.load %m[%c9] : memref<16xindex, #tiled>
  vector.print %b : index
  memref.dealloc %m : memref<16xindex, #tiled>
  %t = memref.alloc() : memref<8x2xindex, #columns>
  %c12 = arith.constant 12 : index
  affine.store %c12, %t[7, 1] : memref<8x2xindex, #columns>
  %d = affine.load %t[7, 1] : memref<8x2xindex, #columns>
  vector.print %d : index
  memref.dealloc %t : memref<8x2xindex, #columns>
  return
}

// Passed on.
// CHECK-LABEL: func.func @kept
// CHECK:         memref.alloc() : memref<8x2xindex, #{{.*}}>
func.func @kept() {
  %t = memref.alloc() : memref<8x2xindex, #columns>
  func.call @use(%t) : (memref<8x2xindex, #columns>) -> ()
  return
}
func.func private @use(%m: memref<8x2xindex, #columns>) {
  return
}
