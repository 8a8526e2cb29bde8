// Powers of the complex zero: one, zero, and no numbers where the exponent is not to the right of zero, as in NumPy and XLA.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s

func.func @show(%re: f32, %im: f32) {
  %zero = arith.constant 0.0 : f32
  %base = complex.create %zero, %zero : complex<f32>
  %exponent = complex.create %re, %im : complex<f32>
  %power = complex.pow %base, %exponent : complex<f32>
  %0 = complex.re %power : complex<f32>
  %1 = complex.im %power : complex<f32>
  vector.print %0 : f32
  vector.print %1 : f32
  return
}

// CHECK:      1
// CHECK-NEXT: 0
// CHECK-NEXT: 0
// CHECK-NEXT: {{-?}}0
// CHECK-NEXT: nan
// CHECK-NEXT: nan
// CHECK-NEXT: nan
// CHECK-NEXT: nan
func.func @main() {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus_one = arith.constant -1.0 : f32
  func.call @show(%zero, %zero) : (f32, f32) -> ()
  func.call @show(%one, %zero) : (f32, f32) -> ()
  func.call @show(%minus_one, %zero) : (f32, f32) -> ()
  func.call @show(%zero, %one) : (f32, f32) -> ()
  return
}
