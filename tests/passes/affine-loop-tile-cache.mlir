// RUN: freehold opt %s --affine-loop-tile | FileCheck %s
// RUN: freehold opt %s --affine-loop-tile=cache-size=100 | FileCheck %s --check-prefix=SMALL
// RUN: freehold opt %s --affine-loop-tile="tile-sizes=5,6 tile-size=3" | FileCheck %s --check-prefix=GIVEN

// 4 MB are eight times as much as the cache: blocks of 2 * 4. With a smaller cache of 100 KB, those of 6 * 6, and what
// loops have multiples of is less.
// CHECK-LABEL: func.func @fill
// CHECK:         affine.for %{{.*}} = 0 to 1024 step 2 {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 1000 step 4 {
// SMALL-LABEL: func.func @fill
// SMALL:         affine.for %{{.*}} = 0 to 1024 step 4 {
// SMALL-NEXT:      affine.for %{{.*}} = 0 to 1000 step 5 {
// GIVEN-LABEL: func.func @fill
// GIVEN:         affine.for %{{.*}} = 0 to 1024 step 3 {
// GIVEN-NEXT:      affine.for %{{.*}} = 0 to 1000 step 3 {
func.func @fill(%m: memref<1024x1024xf32>, %f: f32) {
  affine.for %i = 0 to 1024 {
    affine.for %j = 0 to 1000 {
      affine.store %f, %m[%j, %i] : memref<1024x1024xf32>
    }
  }
  return
}

// What a nest of unknown size touches is not known: blocks of 4, or of what leaves nothing over.
// CHECK-LABEL: func.func @unknown
// CHECK:         affine.for %{{.*}} = 0 to %{{.*}} step 4 {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 50 step 2 {
func.func @unknown(%m: memref<64x?xf32>, %n: index, %f: f32) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 50 {
      affine.store %f, %m[%j, %i] : memref<64x?xf32>
    }
  }
  return
}

// Three buffers of 16 MB and blocks of three loops.
// CHECK-LABEL: func.func @product
// CHECK:         affine.for %{{.*}} = 0 to 256 step 4 {
// CHECK-NEXT:      affine.for %{{.*}} = 0 to 256 step 4 {
// CHECK-NEXT:        affine.for %{{.*}} = 0 to 250 step 5 {
func.func @product() -> memref<256x256xvector<64xf32>> {
  %a = memref.alloc() : memref<256x256xvector<64xf32>>
  %b = memref.alloc() : memref<256x256xvector<64xf32>>
  %c = memref.alloc() : memref<256x256xvector<64xf32>>
  affine.for %i = 0 to 256 {
    affine.for %j = 0 to 256 {
      affine.for %k = 0 to 250 {
        %l = affine.load %a[%i, %k] : memref<256x256xvector<64xf32>>
        %r = affine.load %b[%k, %j] : memref<256x256xvector<64xf32>>
        %o = affine.load %c[%i, %j] : memref<256x256xvector<64xf32>>
        %p = arith.mulf %l, %r : vector<64xf32>
        %s = arith.addf %o, %p : vector<64xf32>
        affine.store %s, %c[%i, %j] : memref<256x256xvector<64xf32>>
      }
    }
  }
  return %c : memref<256x256xvector<64xf32>>
}
