// Threads begin in public functions and in bodies of parallel loops.
//
// RUN: freehold opt --flush-denormals %s | FileCheck %s

// CHECK-LABEL: func.func @public(
// CHECK-NEXT: %[[BOTH:.*]] = arith.constant 3 : i64
// CHECK-NEXT: %[[BEFORE:.*]] = call @freehold_flush_denormals(%[[BOTH]]) : (i64) -> i64
// CHECK: ^bb1:
// CHECK: call @freehold_flush_denormals(%[[BEFORE]])
// CHECK-NEXT: return
// CHECK: ^bb2:
// CHECK: call @freehold_flush_denormals(%[[BEFORE]])
// CHECK-NEXT: return
func.func @public(%c: i1, %x: f32) -> f32 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %x : f32
^bb2:
  %y = call @private(%x) : (f32) -> f32
  return %y : f32
}

// CHECK-LABEL: func.func private @private(
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: return
func.func private @private(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func private @part(
// CHECK: call @freehold_flush_denormals
// CHECK: call @freehold_flush_denormals
func.func private @part(%begin: index, %end: index, %x: f32) attributes {freehold.parallel} {
  return
}

// CHECK-LABEL: func.func private @declared()
func.func private @declared()

// CHECK: func.func private @freehold_flush_denormals(i64) -> i64
