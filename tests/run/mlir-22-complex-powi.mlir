// A complex number to the power of an integer.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s

func.func @power(%z: complex<f64>, %n: i32) {
  %p = complex.powi %z, %n : complex<f64>, i32
  %re = complex.re %p : complex<f64>
  %im = complex.im %p : complex<f64>
  vector.print %re : f64
  vector.print %im : f64
  return
}

func.func @main() {
  %z = complex.constant [1.0, 2.0] : complex<f64>
  %null = complex.constant [0.0, 0.0] : complex<f64>
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  %i2 = arith.constant 2 : i32
  %i5 = arith.constant 5 : i32
  %m1 = arith.constant -1 : i32
  %m2 = arith.constant -2 : i32
  // CHECK: {{^1$}}
  // CHECK-NEXT: {{^0$}}
  call @power(%z, %i0) : (complex<f64>, i32) -> ()
  // CHECK-NEXT: {{^1$}}
  // CHECK-NEXT: {{^2$}}
  call @power(%z, %i1) : (complex<f64>, i32) -> ()
  // CHECK-NEXT: {{^-3$}}
  // CHECK-NEXT: {{^4$}}
  call @power(%z, %i2) : (complex<f64>, i32) -> ()
  // CHECK-NEXT: {{^41$}}
  // CHECK-NEXT: {{^-38$}}
  call @power(%z, %i5) : (complex<f64>, i32) -> ()
  // CHECK-NEXT: {{^0.2$}}
  // CHECK-NEXT: {{^-0.4$}}
  call @power(%z, %m1) : (complex<f64>, i32) -> ()
  // CHECK-NEXT: {{^-0.12$}}
  // CHECK-NEXT: {{^-0.16$}}
  call @power(%z, %m2) : (complex<f64>, i32) -> ()
  // CHECK-NEXT: {{^1$}}
  // CHECK-NEXT: {{^0$}}
  call @power(%null, %i0) : (complex<f64>, i32) -> ()
  // CHECK-NEXT: {{^0$}}
  // CHECK-NEXT: {{^0$}}
  call @power(%null, %i2) : (complex<f64>, i32) -> ()

  // CHECK-NEXT: {{^-7$}}
  // CHECK-NEXT: {{^-24$}}
  %small = complex.constant [1.0 : f32, 2.0 : f32] : complex<f32>
  %four = arith.constant 4 : i8
  %p = complex.powi %small, %four fastmath<contract> : complex<f32>, i8
  %re = complex.re %p : complex<f32>
  %im = complex.im %p : complex<f32>
  vector.print %re : f32
  vector.print %im : f32
  return
}
