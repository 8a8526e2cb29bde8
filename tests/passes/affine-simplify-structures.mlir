// RUN: freehold opt %s --affine-simplify-structures | FileCheck %s

// CHECK-LABEL: func.func @f
// CHECK:         affine.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:      affine.load %arg0[%[[I]]]
// CHECK-NOT:       affine.if
func.func @f(%m: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %m[(%i * 4) floordiv 4 + 2 - 2] : memref<8xf32>
    func.call @use(%v) : (f32) -> ()
  }
  return
}
func.func private @use(f32)
