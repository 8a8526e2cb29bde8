// Powers, exponentials, square roots and quotients of complex numbers at zero and infinity.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s

func.func private @show(%number: complex<f32>) attributes {passthrough = ["noinline"]} {
  %re = complex.re %number : complex<f32>
  %im = complex.im %number : complex<f32>
  vector.print %re : f32
  vector.print %im : f32
  return
}

func.func private @pow(%base: complex<f32>, %exponent: complex<f32>) attributes {passthrough = ["noinline"]} {
  %power = complex.pow %base, %exponent : complex<f32>
  call @show(%power) : (complex<f32>) -> ()
  return
}

func.func private @expm1(%number: complex<f32>) attributes {passthrough = ["noinline"]} {
  %result = complex.expm1 %number : complex<f32>
  call @show(%result) : (complex<f32>) -> ()
  return
}

func.func private @rsqrt(%number: complex<f32>) attributes {passthrough = ["noinline"]} {
  %root = complex.rsqrt %number : complex<f32>
  call @show(%root) : (complex<f32>) -> ()
  return
}

func.func private @div(%dividend: complex<f32>, %divisor: complex<f32>) attributes {passthrough = ["noinline"]} {
  %quotient = complex.div %dividend, %divisor : complex<f32>
  call @show(%quotient) : (complex<f32>) -> ()
  return
}

func.func @main() {
  %zero = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>
  %one = complex.constant [1.0 : f32, 0.0 : f32] : complex<f32>
  %four = complex.constant [4.0 : f32, 0.0 : f32] : complex<f32>
  %i = complex.constant [0.0 : f32, 1.0 : f32] : complex<f32>
  %infinite = complex.constant [0.0 : f32, 0x7F800000 : f32] : complex<f32>

  // Anything to the power of zero is one.
  // CHECK: 1
  // CHECK-NEXT: 0
  // CHECK-NEXT: 1
  // CHECK-NEXT: 0
  call @pow(%zero, %zero) : (complex<f32>, complex<f32>) -> ()
  call @pow(%infinite, %zero) : (complex<f32>, complex<f32>) -> ()

  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 4
  // CHECK-NEXT: 0
  call @pow(%zero, %one) : (complex<f32>, complex<f32>) -> ()
  call @pow(%four, %one) : (complex<f32>, complex<f32>) -> ()

  // CHECK-NEXT: inf
  // CHECK-NEXT: nan
  // CHECK-NEXT: 0
  // CHECK-NEXT: -0
  // CHECK-NEXT: 0.5
  // CHECK-NEXT: -0
  // CHECK-NEXT: 0.707107
  // CHECK-NEXT: -0.707107
  call @rsqrt(%zero) : (complex<f32>) -> ()
  call @rsqrt(%infinite) : (complex<f32>) -> ()
  call @rsqrt(%four) : (complex<f32>) -> ()
  call @rsqrt(%i) : (complex<f32>) -> ()

  // CHECK-NEXT: inf
  // CHECK-NEXT: nan
  // CHECK-NEXT: nan
  // CHECK-NEXT: -inf
  // CHECK-NEXT: 0
  // CHECK-NEXT: -4
  %negative_zero = complex.constant [-0.0 : f32, 0.0 : f32] : complex<f32>
  call @div(%four, %zero) : (complex<f32>, complex<f32>) -> ()
  call @div(%i, %negative_zero) : (complex<f32>, complex<f32>) -> ()
  call @div(%four, %i) : (complex<f32>, complex<f32>) -> ()

  // With an infinite dividend or divisor, as upstream.
  // CHECK-NEXT: {{-?nan}}
  // CHECK-NEXT: inf
  // CHECK-NEXT: inf
  // CHECK-NEXT: {{-?nan}}
  // CHECK-NEXT: 0
  // CHECK-NEXT: -0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: inf
  // CHECK-NEXT: -inf
  // CHECK-NEXT: {{-?nan}}
  // CHECK-NEXT: {{-?nan}}
  // CHECK-NEXT: {{-?nan}}
  // CHECK-NEXT: inf
  // CHECK-NEXT: 0
  // CHECK-NEXT: -0
  %both = complex.constant [0x7F800000 : f32, 0xFF800000 : f32] : complex<f32>
  %nowhere = complex.constant [0x7FC00000 : f32, 0x7F800000 : f32] : complex<f32>
  call @div(%infinite, %four) : (complex<f32>, complex<f32>) -> ()
  call @div(%infinite, %i) : (complex<f32>, complex<f32>) -> ()
  call @div(%four, %infinite) : (complex<f32>, complex<f32>) -> ()
  call @div(%i, %infinite) : (complex<f32>, complex<f32>) -> ()
  call @div(%both, %four) : (complex<f32>, complex<f32>) -> ()
  call @div(%infinite, %infinite) : (complex<f32>, complex<f32>) -> ()
  call @div(%nowhere, %four) : (complex<f32>, complex<f32>) -> ()
  call @div(%four, %nowhere) : (complex<f32>, complex<f32>) -> ()

  // What is real stays real where the exponential overflows.
  // CHECK-NEXT: inf
  // CHECK-NEXT: 0
  // CHECK-NEXT: inf
  // CHECK-NEXT: -0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  %large = complex.constant [8.0e+7 : f32, 0.0 : f32] : complex<f32>
  %below = complex.constant [8.0e+7 : f32, -0.0 : f32] : complex<f32>
  call @expm1(%large) : (complex<f32>) -> ()
  call @expm1(%below) : (complex<f32>) -> ()
  call @expm1(%zero) : (complex<f32>) -> ()
  return
}
