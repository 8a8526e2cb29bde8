// RUN: freehold opt %s --affine-loop-tile="tile-size=32 separate" | FileCheck %s --check-prefixes=CHECK,OURS

// Whole blocks run without `min`. The second loop has no other blocks than whole ones.
// CHECK-DAG:   #[[$SAME:.*]] = affine_map<(d0) -> (d0)>
// CHECK-DAG:   #[[$END:.*]] = affine_map<(d0) -> (d0 + 32)>
// CHECK-DAG:   #[[$MIN:.*]] = affine_map<(d0)[s0] -> (d0 + 32, s0)>
// CHECK-DAG:   #[[$BOTH:.*]] = affine_set<(d0, d1)[s0] : (-d0 + s0 - 32 >= 0, -d1 + 18 >= 0)>
// CHECK-DAG:   #[[$ONE:.*]] = affine_set<(d0) : (-d0 + 968 >= 0)>
// CHECK-LABEL: func.func @unknown
// CHECK:         affine.for %[[II:.*]] = 0 to %arg1 step 32 {
// CHECK-NEXT:      affine.for %[[JJ:.*]] = 0 to 50 step 32 {
// CHECK-NEXT:        affine.if #[[$BOTH]](%[[II]], %[[JJ]])[%arg1] {
// CHECK-NEXT:          affine.for %[[I:.*]] = #[[$SAME]](%[[II]]) to #[[$END]](%[[II]]) {
// CHECK-NEXT:            affine.for %[[J:.*]] = #[[$SAME]](%[[JJ]]) to #[[$END]](%[[JJ]]) {
// CHECK-NEXT:              affine.store %{{.*}}, %arg0[%[[J]], %[[I]]]
// CHECK:             } else {
// CHECK-NEXT:          affine.for %{{.*}} = #[[$SAME]](%[[II]]) to min #[[$MIN]](%[[II]])[%arg1] {
// CHECK-NEXT:            affine.for %{{.*}} = #[[$SAME]](%[[JJ]]) to min
func.func @unknown(%m: memref<64x?xf32>, %n: index, %f: f32) {
  affine.for %i = 0 to %n {
    affine.for %j = 0 to 50 {
      affine.store %f, %m[%j, %i] : memref<64x?xf32>
    }
  }
  return
}

// CHECK-LABEL: func.func @one
// CHECK:         affine.for %{{.*}} = 0 to 1024 step 32 {
// CHECK-NEXT:      affine.for %[[JJ:.*]] = 0 to 1000 step 32 {
// CHECK-NEXT:        affine.if #[[$ONE]](%[[JJ]]) {
func.func @one(%m: memref<1024x1024xf32>, %f: f32) {
  affine.for %i = 0 to 1024 {
    affine.for %j = 0 to 1000 {
      affine.store %f, %m[%j, %i] : memref<1024x1024xf32>
    }
  }
  return
}

// All blocks are whole; upstream asks for what always holds.
// OURS-LABEL:  func.func @even
// OURS-NOT:      affine.if
// OURS:          return
func.func @even(%m: memref<64xf32>, %f: f32) {
  affine.for %i = 0 to 64 {
    affine.store %f, %m[%i] : memref<64xf32>
  }
  return
}
