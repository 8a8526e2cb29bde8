// RUN: freehold opt %s --affine-loop-invariant-code-motion | FileCheck %s

// CHECK-LABEL: func.func @moved
// CHECK:         affine.load
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    affine.for
// CHECK-NEXT:      affine.store
func.func @moved(%m: memref<8xf32> {llvm.noalias}, %o: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %m[3] : memref<8xf32>
    %w = arith.addf %v, %v : f32
    affine.store %w, %o[%i] : memref<8xf32>
  }
  return
}

// A loop that may not run, and one that may write there.
// CHECK-LABEL: func.func @kept
// CHECK:         affine.for
// CHECK-NEXT:      affine.load
// CHECK:         affine.for
// CHECK-NEXT:      affine.load
func.func @kept(%m: memref<8xf32>, %o: memref<8xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %v = affine.load %m[symbol(%n)] : memref<8xf32>
    func.call @use(%v) : (f32) -> ()
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %m[3] : memref<8xf32>
    affine.store %v, %o[%i] : memref<8xf32>
  }
  return
}
func.func private @use(f32)
