// RUN: freehold opt %s --convert-linalg-to-affine-loops | FileCheck %s
// RUN: freehold opt %s --convert-linalg-to-affine-loops | freehold run - | FileCheck %s --check-prefix=OUT

// CHECK-LABEL: func.func @matmul
// CHECK:         affine.for %[[I:.*]] = 0 to %{{.*}} {
// CHECK-NEXT:      affine.for %[[J:.*]] = 0 to %{{.*}} {
// CHECK-NEXT:        affine.for %[[K:.*]] = 0 to %{{.*}} {
// CHECK-NEXT:          affine.load %arg0[%[[I]], %[[K]]]
// CHECK-NEXT:          affine.load %arg1[%[[K]], %[[J]]]
// CHECK-NEXT:          affine.load %arg2[%[[I]], %[[J]]]
// CHECK-NEXT:          arith.mulf
// CHECK-NEXT:          arith.addf
// CHECK-NEXT:          affine.store %{{.*}}, %arg2[%[[I]], %[[J]]]
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

// A subscript that is a sum.
// CHECK-LABEL: func.func @conv
// CHECK:         affine.for %[[I:.*]] = 0 to
// CHECK-NEXT:      affine.for %[[J:.*]] = 0 to 3 {
// CHECK-NEXT:        %[[S:.*]] = affine.apply #{{.*}}(%[[I]], %[[J]])
// CHECK-NEXT:        affine.load %arg0[%[[S]]]
func.func @conv(%a: memref<?xf32>, %k: memref<3xf32>, %c: memref<?xf32>) {
  linalg.conv_1d ins(%a, %k : memref<?xf32>, memref<3xf32>) outs(%c : memref<?xf32>)
  return
}

// The size of a buffer that is made in a loop is no symbol.
// CHECK-LABEL: func.func @inner
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NEXT:        memref.store
func.func @inner(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc(%i) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%m : memref<?xf32>)
    memref.dealloc %m : memref<?xf32>
  }
  return
}

// OUT: ( 2, 4, 6, 8 )
func.func @main() {
  %c0 = arith.constant 0 : index
  %f = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %z = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4xf32>
  vector.store %f, %m[%c0] : memref<4xf32>, vector<4xf32>
  linalg.map { arith.addf } ins(%m, %m : memref<4xf32>, memref<4xf32>) outs(%m : memref<4xf32>)
  %v = vector.load %m[%c0] : memref<4xf32>, vector<4xf32>
  vector.print %v : vector<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}
