// RUN: freehold opt %s --affine-loop-fusion | FileCheck %s
// RUN: freehold opt %s --affine-loop-fusion="fast-mem-space=2 local-buf-threshold=1" | FileCheck %s --check-prefix=FAST
// RUN: freehold opt %s --affine-loop-fusion="fusion-fast-mem-space=2 fusion-local-buf-threshold=1 fusion-compute-tolerance=0.5 fusion-maximal" | FileCheck %s --check-prefix=FAST
// RUN: not freehold opt %s --affine-loop-fusion=compute-tolerance=much 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: 'much' value invalid for option compute-tolerance: expected a number

// Each iteration of the fused nest writes one element of the buffer and reads it.
// CHECK-LABEL: func.func @local
// CHECK:         %[[A:.*]] = memref.alloc() : memref<1x1xf32>
// CHECK:         affine.store %{{.*}}, %[[A]][0, 0] : memref<1x1xf32>
// CHECK-NEXT:    affine.load %[[A]][0, 0] : memref<1x1xf32>
// FAST-LABEL:  func.func @local
// FAST:          memref.alloc() : memref<1x1xf32, 2>
func.func @local(%y: memref<10x20xf32>) {
  %a = memref.alloc() : memref<10x20xf32>
  %c = arith.constant 7.0 : f32
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 20 {
      affine.store %c, %a[%i, %j] : memref<10x20xf32>
    }
  }
  affine.for %i = 0 to 10 {
    affine.for %j = 0 to 20 {
      %v = affine.load %a[%i, %j] : memref<10x20xf32>
      affine.store %v, %y[%i, %j] : memref<10x20xf32>
    }
  }
  return
}

// The buffer is returned; another is read in a further loop; of the last one, each iteration reads two elements.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: memref.alloc() : memref<16xf32>
// FAST-LABEL:  func.func @kept
// FAST-COUNT-3:  memref.alloc() : memref<16xf32>
func.func @kept(%y: memref<16xf32>, %z: memref<8xf32>) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %e = memref.alloc() : memref<16xf32>
  %c = arith.constant 7.0 : f32
  affine.for %i = 0 to 16 {
    affine.store %c, %a[%i] : memref<16xf32>
    affine.store %c, %b[%i] : memref<16xf32>
    affine.store %c, %e[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 16 {
    %v = affine.load %a[%i] : memref<16xf32>
    %w = affine.load %b[%i] : memref<16xf32>
    %s = arith.addf %v, %w : f32
    affine.store %s, %y[%i] : memref<16xf32>
  }
  affine.for %i = 0 to 8 {
    %v = affine.load %b[%i] : memref<16xf32>
    %w = affine.load %e[%i * 2] : memref<16xf32>
    %s = arith.addf %v, %w : f32
    affine.store %s, %z[%i] : memref<8xf32>
  }
  return %a : memref<16xf32>
}
