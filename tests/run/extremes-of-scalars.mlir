// The smaller and the larger of two scalars: zeros of either sign, equal numbers, and NaN, which wins.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O3 | FileCheck %s

func.func private @singles(%a: f32, %b: f32) attributes {passthrough = ["noinline"]} {
  %least = arith.minimumf %a, %b : f32
  %most = arith.maximumf %a, %b : f32
  vector.print %least : f32
  vector.print %most : f32
  return
}

func.func private @doubles(%a: f64, %b: f64) attributes {passthrough = ["noinline"]} {
  %least = arith.minimumf %a, %b : f64
  %most = arith.maximumf %a, %b : f64
  vector.print %least : f64
  vector.print %most : f64
  return
}

func.func @main() {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %one = arith.constant 1.0 : f32
  %two = arith.constant -2.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %inf = arith.constant 0x7F800000 : f32
  // CHECK: -0
  // CHECK-NEXT: {{^}}0
  call @singles(%zero, %minus) : (f32, f32) -> ()
  // CHECK-NEXT: -0
  // CHECK-NEXT: {{^}}0
  call @singles(%minus, %zero) : (f32, f32) -> ()
  // CHECK-NEXT: -2
  // CHECK-NEXT: {{^}}1
  call @singles(%one, %two) : (f32, f32) -> ()
  // CHECK-NEXT: {{^}}1
  // CHECK-NEXT: {{^}}1
  call @singles(%one, %one) : (f32, f32) -> ()
  // CHECK-NEXT: nan
  // CHECK-NEXT: nan
  call @singles(%nan, %two) : (f32, f32) -> ()
  // CHECK-NEXT: nan
  // CHECK-NEXT: nan
  call @singles(%inf, %nan) : (f32, f32) -> ()
  %zero64 = arith.constant 0.0 : f64
  %minus64 = arith.constant -0.0 : f64
  %nan64 = arith.constant 0x7FF8000000000000 : f64
  %two64 = arith.constant -2.0 : f64
  // CHECK-NEXT: -0
  // CHECK-NEXT: {{^}}0
  call @doubles(%zero64, %minus64) : (f64, f64) -> ()
  // CHECK-NEXT: nan
  // CHECK-NEXT: nan
  call @doubles(%two64, %nan64) : (f64, f64) -> ()
  return
}
