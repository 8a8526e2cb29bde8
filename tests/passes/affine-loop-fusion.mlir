// RUN: freehold opt %s --affine-loop-fusion | FileCheck %s
// RUN: freehold opt %s --affine-loop-fusion --affine-scalrep | FileCheck %s --check-prefix=SCALAR
// RUN: freehold opt %s --affine-loop-fusion="mode=producer fusion-maximal" | FileCheck %s --check-prefix=PRODUCER
// RUN: freehold opt %s --affine-loop-fusion=mode=sibling | FileCheck %s --check-prefix=SIBLING

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

// The second loop reads what the first one writes, and the third one the same as the second.
// PRODUCER-LABEL: func.func @modes
// PRODUCER:       affine.for
// PRODUCER:         affine.store %{{.*}}, %alloc[
// PRODUCER:         affine.store %{{.*}}, %alloc_0[
// PRODUCER:       affine.for
// PRODUCER:         affine.store %{{.*}}, %alloc_1[
// PRODUCER-NOT:   affine.for
// SIBLING-LABEL: func.func @modes
// SIBLING:       affine.for
// SIBLING:         affine.store %{{.*}}, %alloc[
// SIBLING:       affine.for
// SIBLING:         affine.store %{{.*}}, %alloc_0[
// SIBLING:         affine.store %{{.*}}, %alloc_1[
// SIBLING-NOT:   affine.for
func.func @modes(%c: memref<8xf32>, %f: f32) -> (memref<8xf32>, memref<8xf32>, memref<8xf32>) {
  %a = memref.alloc() : memref<8xf32>
  %b = memref.alloc() : memref<8xf32>
  %d = memref.alloc() : memref<8xf32>
  affine.for %i = 0 to 8 {
    affine.store %f, %a[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %a[%i] : memref<8xf32>
    %w = affine.load %c[%i] : memref<8xf32>
    %x = arith.addf %v, %w : f32
    affine.store %x, %b[%i] : memref<8xf32>
  }
  affine.for %i = 0 to 8 {
    %w = affine.load %c[%i] : memref<8xf32>
    affine.store %w, %d[%i] : memref<8xf32>
  }
  return %a, %b, %d : memref<8xf32>, memref<8xf32>, memref<8xf32>
}
