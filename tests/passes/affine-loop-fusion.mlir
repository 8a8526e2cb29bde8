// RUN: freehold opt %s --affine-loop-fusion | FileCheck %s
// RUN: freehold opt %s --affine-loop-fusion --affine-scalrep | FileCheck %s --check-prefix=SCALAR

// Nests of two loops each become one; then the buffer in between is not needed.
// CHECK-LABEL: func.func @chain
// CHECK-COUNT-2: affine.for
// CHECK-NOT:     affine.for
// SCALAR-LABEL: func.func @chain
// SCALAR-NOT:     memref.alloc
// SCALAR:         return
func.func @chain(%a: memref<8x8xf32>) {
  %t = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.load %a[%i, %j] : memref<8x8xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %t[%i, %j] : memref<8x8xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.load %t[%i, %j] : memref<8x8xf32>
      %w = arith.mulf %v, %v : f32
      affine.store %w, %a[%i, %j] : memref<8x8xf32>
    }
  }
  memref.dealloc %t : memref<8x8xf32>
  return
}

// The second loop reads what a later iteration of the first one writes; other bounds.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: affine.for
func.func @kept(%m: memref<9xf32>, %f: f32) {
  affine.for %i = 0 to 8 {
    affine.store %f, %m[%i] : memref<9xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %m[%i + 1] : memref<9xf32>
    func.call @use(%v) : (f32) -> ()
  }
  affine.for %i = 0 to 7 {
    affine.store %f, %m[%i] : memref<9xf32>
  }
  return
}
func.func private @use(f32)
