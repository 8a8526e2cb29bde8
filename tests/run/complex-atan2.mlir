// The angle of real numbers is real, and rounding makes no imaginary part of it.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s

func.func @show(%y: complex<f32>, %x: complex<f32>) {
  %angle = complex.atan2 %y, %x : complex<f32>
  %0 = complex.re %angle : complex<f32>
  %1 = complex.im %angle : complex<f32>
  vector.print %0 : f32
  vector.print %1 : f32
  return
}

// CHECK:      0.643501
// CHECK-NEXT: {{^0$}}
// CHECK-NEXT: 2.49809
// CHECK-NEXT: {{^0$}}
// CHECK-NEXT: 0.785398
// CHECK-NEXT: {{^0$}}
// CHECK-NEXT: 1.01722
// CHECK-NEXT: 0.402359
func.func @main() {
  %three = complex.constant [3.0 : f32, 0.0 : f32] : complex<f32>
  %four = complex.constant [4.0 : f32, 0.0 : f32] : complex<f32>
  %minus_four = complex.constant [-4.0 : f32, 0.0 : f32] : complex<f32>
  %both = complex.constant [1.0 : f32, 1.0 : f32] : complex<f32>
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  func.call @show(%three, %four) : (complex<f32>, complex<f32>) -> ()
  func.call @show(%three, %minus_four) : (complex<f32>, complex<f32>) -> ()
  func.call @show(%both, %both) : (complex<f32>, complex<f32>) -> ()
  func.call @show(%both, %one) : (complex<f32>, complex<f32>) -> ()
  return
}
