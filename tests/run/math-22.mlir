// The functions of math that MLIR 22 has and 19 has not.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O3 | FileCheck %s

func.func private @classes(%v: vector<6xf32>) {
  %0 = math.isnan %v : vector<6xf32>
  %1 = math.isinf %v : vector<6xf32>
  %2 = math.isfinite %v : vector<6xf32>
  %3 = math.isnormal %v : vector<6xf32>
  vector.print %0 : vector<6xi1>
  vector.print %1 : vector<6xi1>
  vector.print %2 : vector<6xi1>
  vector.print %3 : vector<6xi1>
  return
}

func.func private @halves(%x: f16) {
  %0 = math.isnormal %x : f16
  %1 = math.isinf %x : f16
  vector.print %0 : i1
  vector.print %1 : i1
  return
}

func.func private @functions(%x: f64, %y: f32) {
  %0 = math.erfc %x : f64
  vector.print %0 : f64
  %sin, %cos = math.sincos %x : f64
  vector.print %sin : f64
  vector.print %cos : f64
  %low = arith.constant -1.0 : f32
  %high = arith.constant 2.0 : f32
  %1 = math.clampf %y to [%low, %high] : f32
  vector.print %1 : f32
  return
}

// Of NaN, both infinities, the smallest normal number, the one below it, and zero.
// CHECK: ( 1, 0, 0, 0, 0, 0 )
// CHECK-NEXT: ( 0, 1, 1, 0, 0, 0 )
// CHECK-NEXT: ( 0, 0, 0, 1, 1, 1 )
// CHECK-NEXT: ( 0, 0, 0, 1, 0, 0 )
// CHECK-NEXT: 1
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: 1
// CHECK-NEXT: 0.4795
// CHECK-NEXT: 0.479426
// CHECK-NEXT: 0.877583
// CHECK-NEXT: -1
// CHECK-NEXT: 0.4795
// CHECK-NEXT: 0.479426
// CHECK-NEXT: 0.877583
// CHECK-NEXT: 2
func.func @main() {
  %i = arith.constant dense<[0x7FC00000, 0x7F800000, 0xFF800000, 0x00800000, 0x007FFFFF, 0]> : vector<6xi32>
  %v = arith.bitcast %i : vector<6xi32> to vector<6xf32>
  call @classes(%v) : (vector<6xf32>) -> ()
  %one = arith.constant 1.0 : f16
  %inf = arith.constant 0x7C00 : f16
  call @halves(%one) : (f16) -> ()
  call @halves(%inf) : (f16) -> ()
  %half = arith.constant 0.5 : f64
  %least = arith.constant -7.0 : f32
  %most = arith.constant 7.0 : f32
  call @functions(%half, %least) : (f64, f32) -> ()
  call @functions(%half, %most) : (f64, f32) -> ()
  return
}
