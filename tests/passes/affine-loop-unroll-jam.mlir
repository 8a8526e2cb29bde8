// RUN: freehold opt %s --affine-loop-unroll-jam=unroll-jam-factor=2 | FileCheck %s

// A product of matrices: iterations that depend on each other differ in the innermost counter only.
// CHECK-LABEL: func.func @product
// CHECK:         affine.for %[[I:.*]] = 0 to 8 step 2 {
// CHECK-NEXT:      affine.for %[[J:.*]] = 0 to 8 {
// CHECK-NEXT:        affine.for %[[K:.*]] = 0 to 8 {
// CHECK:               affine.store %{{.*}}, %{{.*}}[%[[I]], %[[J]]]
// CHECK-NEXT:          %[[L:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK-NEXT:          affine.load %{{.*}}[%[[L]], %[[K]]]
// CHECK:               affine.store %{{.*}}, %{{.*}}[%[[L]], %[[J]]]
func.func @product() {
  %a = memref.alloc() : memref<8x8xf32>
  %b = memref.alloc() : memref<8x8xf32>
  %c = memref.alloc() : memref<8x8xf32>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      affine.for %k = 0 to 8 {
        %0 = affine.load %a[%i, %k] : memref<8x8xf32>
        %1 = affine.load %b[%k, %j] : memref<8x8xf32>
        %2 = affine.load %c[%i, %j] : memref<8x8xf32>
        %3 = arith.mulf %0, %1 : f32
        %4 = arith.addf %2, %3 : f32
        affine.store %4, %c[%i, %j] : memref<8x8xf32>
      }
    }
  }
  call @use(%c) : (memref<8x8xf32>) -> ()
  return
}
func.func private @use(memref<8x8xf32>)

// A diagonal, and a bound that is the outer counter.
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     step
// CHECK:         return
func.func @kept(%m: memref<9x9xf32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 8 {
      %v = affine.load %m[%i, %j + 1] : memref<9x9xf32>
      affine.store %v, %m[%i + 1, %j] : memref<9x9xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) {
      %v = affine.load %m[%i, %j] : memref<9x9xf32>
      %w = arith.addf %v, %v : f32
      affine.store %w, %m[%i, %j] : memref<9x9xf32>
    }
  }
  return
}

// Rows that overlap: what the next iteration of %i loads is what an iteration of %j before it stores.
// CHECK-LABEL: func.func @rows
// CHECK-NOT:     step
// CHECK:         return
func.func @rows(%m: memref<8x4xf32, strided<[1, 1]>>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 4 {
      %v = affine.load %m[%i, %j] : memref<8x4xf32, strided<[1, 1]>>
      %w = arith.addf %v, %v : f32
      affine.store %w, %m[%i, %j] : memref<8x4xf32, strided<[1, 1]>>
    }
  }
  return
}
