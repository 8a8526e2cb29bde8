// RUN: freehold opt %s --affine-loop-tile=tile-size=32 | FileCheck %s
// RUN: not freehold opt %s --affine-loop-tile=tile-sizes=x 2>&1 | FileCheck %s --check-prefix=WRONG

// WRONG: error: 'x' is no size of a tile

// CHECK-DAG:   #[[SAME:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG:   #[[MIN:.*]] = affine_map<(d0)[s0] -> (d0 + 32, s0)>
// CHECK-DAG:   #[[END:.*]] = affine_map<(d0) -> (d0 + 32)>
// CHECK-LABEL: func.func @transpose
// CHECK:         affine.for %[[II:.*]] = 0 to %arg1 step 32 {
// CHECK-NEXT:      affine.for %[[JJ:.*]] = 0 to 64 step 32 {
// CHECK-NEXT:        affine.for %[[I:.*]] = #[[SAME]](%[[II]]) to min #[[MIN]](%[[II]])[%arg1] {
// CHECK-NEXT:          affine.for %[[J:.*]] = #[[SAME]](%[[JJ]]) to #[[END]](%[[JJ]]) {
// CHECK-NEXT:            affine.store %{{.*}}, %arg0[%[[J]], %[[I]]]
func.func @transpose(%m: memref<64x?xf32>, %n: index, %f: f32) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 64 {
      affine.store %f, %m[%j, %i] : memref<64x?xf32>
    }
  }
  return
}

// What one iteration reads, an earlier one of the outer loop and a later one of the inner one writes.
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     step
// CHECK:         return
func.func @kept(%m: memref<65x65xf32>) {
  affine.for %i = 0 to 64 {
    affine.for %j = 0 to 64 {
      %v = affine.load %m[%i, %j + 1] : memref<65x65xf32>
      affine.store %v, %m[%i + 1, %j] : memref<65x65xf32>
    }
  }
  return
}
