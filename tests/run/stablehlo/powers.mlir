// Powers with a known exponent are roots and products, and give what the general power gives, its limits included. A
// barrier hides the exponent of the general one. What has no such form stays a power.
//
// RUN: freehold opt --stablehlo-legalize-to-linalg %s | FileCheck %s --check-prefix=FORM
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - -O0 < %s | FileCheck %s

// FORM-LABEL: func.func private @powers_of_singles
// FORM: math.sqrt
// FORM-NOT: math.powf
// FORM-LABEL: func.func private @powers_of_halves
// FORM-NOT: math.powf
// FORM-LABEL: func.func private @powers_of_doubles
// FORM-NOT: math.powf
// FORM-LABEL: func.func private @others
// FORM-COUNT-4: math.powf

func.func private @powers_of_singles(%x: tensor<12xf32>) -> tensor<14x12xf32> {
  %e0 = stablehlo.constant dense<0.5> : tensor<12xf32>
  %p0 = stablehlo.power %x, %e0 : tensor<12xf32>
  %r0 = stablehlo.reshape %p0 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e1 = stablehlo.constant dense<-0.5> : tensor<12xf32>
  %p1 = stablehlo.power %x, %e1 : tensor<12xf32>
  %r1 = stablehlo.reshape %p1 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e2 = stablehlo.constant dense<1.0> : tensor<12xf32>
  %p2 = stablehlo.power %x, %e2 : tensor<12xf32>
  %r2 = stablehlo.reshape %p2 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e3 = stablehlo.constant dense<-1.0> : tensor<12xf32>
  %p3 = stablehlo.power %x, %e3 : tensor<12xf32>
  %r3 = stablehlo.reshape %p3 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e4 = stablehlo.constant dense<1.5> : tensor<12xf32>
  %p4 = stablehlo.power %x, %e4 : tensor<12xf32>
  %r4 = stablehlo.reshape %p4 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e5 = stablehlo.constant dense<-1.5> : tensor<12xf32>
  %p5 = stablehlo.power %x, %e5 : tensor<12xf32>
  %r5 = stablehlo.reshape %p5 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e6 = stablehlo.constant dense<2.0> : tensor<12xf32>
  %p6 = stablehlo.power %x, %e6 : tensor<12xf32>
  %r6 = stablehlo.reshape %p6 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e7 = stablehlo.constant dense<-2.0> : tensor<12xf32>
  %p7 = stablehlo.power %x, %e7 : tensor<12xf32>
  %r7 = stablehlo.reshape %p7 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e8 = stablehlo.constant dense<2.5> : tensor<12xf32>
  %p8 = stablehlo.power %x, %e8 : tensor<12xf32>
  %r8 = stablehlo.reshape %p8 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e9 = stablehlo.constant dense<-2.5> : tensor<12xf32>
  %p9 = stablehlo.power %x, %e9 : tensor<12xf32>
  %r9 = stablehlo.reshape %p9 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e10 = stablehlo.constant dense<3.0> : tensor<12xf32>
  %p10 = stablehlo.power %x, %e10 : tensor<12xf32>
  %r10 = stablehlo.reshape %p10 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e11 = stablehlo.constant dense<-3.0> : tensor<12xf32>
  %p11 = stablehlo.power %x, %e11 : tensor<12xf32>
  %r11 = stablehlo.reshape %p11 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e12 = stablehlo.constant dense<4.0> : tensor<12xf32>
  %p12 = stablehlo.power %x, %e12 : tensor<12xf32>
  %r12 = stablehlo.reshape %p12 : (tensor<12xf32>) -> tensor<1x12xf32>
  %e13 = stablehlo.constant dense<-3.5> : tensor<12xf32>
  %p13 = stablehlo.power %x, %e13 : tensor<12xf32>
  %r13 = stablehlo.reshape %p13 : (tensor<12xf32>) -> tensor<1x12xf32>
  %all = stablehlo.concatenate %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, dim = 0 : (tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>, tensor<1x12xf32>) -> tensor<14x12xf32>
  return %all : tensor<14x12xf32>
}

func.func private @powers_of_halves(%x: tensor<12xf16>) -> tensor<14x12xf16> {
  %e0 = stablehlo.constant dense<0.5> : tensor<12xf16>
  %p0 = stablehlo.power %x, %e0 : tensor<12xf16>
  %r0 = stablehlo.reshape %p0 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e1 = stablehlo.constant dense<-0.5> : tensor<12xf16>
  %p1 = stablehlo.power %x, %e1 : tensor<12xf16>
  %r1 = stablehlo.reshape %p1 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e2 = stablehlo.constant dense<1.0> : tensor<12xf16>
  %p2 = stablehlo.power %x, %e2 : tensor<12xf16>
  %r2 = stablehlo.reshape %p2 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e3 = stablehlo.constant dense<-1.0> : tensor<12xf16>
  %p3 = stablehlo.power %x, %e3 : tensor<12xf16>
  %r3 = stablehlo.reshape %p3 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e4 = stablehlo.constant dense<1.5> : tensor<12xf16>
  %p4 = stablehlo.power %x, %e4 : tensor<12xf16>
  %r4 = stablehlo.reshape %p4 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e5 = stablehlo.constant dense<-1.5> : tensor<12xf16>
  %p5 = stablehlo.power %x, %e5 : tensor<12xf16>
  %r5 = stablehlo.reshape %p5 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e6 = stablehlo.constant dense<2.0> : tensor<12xf16>
  %p6 = stablehlo.power %x, %e6 : tensor<12xf16>
  %r6 = stablehlo.reshape %p6 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e7 = stablehlo.constant dense<-2.0> : tensor<12xf16>
  %p7 = stablehlo.power %x, %e7 : tensor<12xf16>
  %r7 = stablehlo.reshape %p7 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e8 = stablehlo.constant dense<2.5> : tensor<12xf16>
  %p8 = stablehlo.power %x, %e8 : tensor<12xf16>
  %r8 = stablehlo.reshape %p8 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e9 = stablehlo.constant dense<-2.5> : tensor<12xf16>
  %p9 = stablehlo.power %x, %e9 : tensor<12xf16>
  %r9 = stablehlo.reshape %p9 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e10 = stablehlo.constant dense<3.0> : tensor<12xf16>
  %p10 = stablehlo.power %x, %e10 : tensor<12xf16>
  %r10 = stablehlo.reshape %p10 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e11 = stablehlo.constant dense<-3.0> : tensor<12xf16>
  %p11 = stablehlo.power %x, %e11 : tensor<12xf16>
  %r11 = stablehlo.reshape %p11 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e12 = stablehlo.constant dense<4.0> : tensor<12xf16>
  %p12 = stablehlo.power %x, %e12 : tensor<12xf16>
  %r12 = stablehlo.reshape %p12 : (tensor<12xf16>) -> tensor<1x12xf16>
  %e13 = stablehlo.constant dense<-3.5> : tensor<12xf16>
  %p13 = stablehlo.power %x, %e13 : tensor<12xf16>
  %r13 = stablehlo.reshape %p13 : (tensor<12xf16>) -> tensor<1x12xf16>
  %all = stablehlo.concatenate %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10, %r11, %r12, %r13, dim = 0 : (tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>, tensor<1x12xf16>) -> tensor<14x12xf16>
  return %all : tensor<14x12xf16>
}

func.func private @powers_of_doubles(%x: tensor<12xf64>) -> tensor<9x12xf64> {
  %e0 = stablehlo.constant dense<0.5> : tensor<12xf64>
  %p0 = stablehlo.power %x, %e0 : tensor<12xf64>
  %r0 = stablehlo.reshape %p0 : (tensor<12xf64>) -> tensor<1x12xf64>
  %e1 = stablehlo.constant dense<-0.5> : tensor<12xf64>
  %p1 = stablehlo.power %x, %e1 : tensor<12xf64>
  %r1 = stablehlo.reshape %p1 : (tensor<12xf64>) -> tensor<1x12xf64>
  %e2 = stablehlo.constant dense<1.0> : tensor<12xf64>
  %p2 = stablehlo.power %x, %e2 : tensor<12xf64>
  %r2 = stablehlo.reshape %p2 : (tensor<12xf64>) -> tensor<1x12xf64>
  %e3 = stablehlo.constant dense<-1.0> : tensor<12xf64>
  %p3 = stablehlo.power %x, %e3 : tensor<12xf64>
  %r3 = stablehlo.reshape %p3 : (tensor<12xf64>) -> tensor<1x12xf64>
  %e4 = stablehlo.constant dense<1.5> : tensor<12xf64>
  %p4 = stablehlo.power %x, %e4 : tensor<12xf64>
  %r4 = stablehlo.reshape %p4 : (tensor<12xf64>) -> tensor<1x12xf64>
  %e5 = stablehlo.constant dense<2.0> : tensor<12xf64>
  %p5 = stablehlo.power %x, %e5 : tensor<12xf64>
  %r5 = stablehlo.reshape %p5 : (tensor<12xf64>) -> tensor<1x12xf64>
  %e6 = stablehlo.constant dense<2.5> : tensor<12xf64>
  %p6 = stablehlo.power %x, %e6 : tensor<12xf64>
  %r6 = stablehlo.reshape %p6 : (tensor<12xf64>) -> tensor<1x12xf64>
  %e7 = stablehlo.constant dense<3.0> : tensor<12xf64>
  %p7 = stablehlo.power %x, %e7 : tensor<12xf64>
  %r7 = stablehlo.reshape %p7 : (tensor<12xf64>) -> tensor<1x12xf64>
  %e8 = stablehlo.constant dense<4.0> : tensor<12xf64>
  %p8 = stablehlo.power %x, %e8 : tensor<12xf64>
  %r8 = stablehlo.reshape %p8 : (tensor<12xf64>) -> tensor<1x12xf64>
  %all = stablehlo.concatenate %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8, dim = 0 : (tensor<1x12xf64>, tensor<1x12xf64>, tensor<1x12xf64>, tensor<1x12xf64>, tensor<1x12xf64>, tensor<1x12xf64>, tensor<1x12xf64>, tensor<1x12xf64>, tensor<1x12xf64>) -> tensor<9x12xf64>
  return %all : tensor<9x12xf64>
}

func.func private @others(%x: tensor<4xf32>, %d: tensor<4xf64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf64>) {
  %0 = stablehlo.constant dense<4.5> : tensor<4xf32>
  %1 = stablehlo.constant dense<0.25> : tensor<4xf32>
  %2 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %3 = stablehlo.constant dense<-1.5> : tensor<4xf64>
  %p0 = stablehlo.power %x, %0 : tensor<4xf32>
  %p1 = stablehlo.power %x, %1 : tensor<4xf32>
  %p2 = stablehlo.power %x, %2 : tensor<4xf32>
  %p3 = stablehlo.power %d, %3 : tensor<4xf64>
  return %p0, %p1, %p2, %p3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf64>
}

// Equal with the same sign, both NaN, or near.
func.func private @same_f32(%a: tensor<14x12xf32>, %b: tensor<14x12xf32>) -> tensor<14xi1> {
  %equal = stablehlo.compare EQ, %a, %b : (tensor<14x12xf32>, tensor<14x12xf32>) -> tensor<14x12xi1>
  %one = stablehlo.constant dense<1.0> : tensor<14x12xf32>
  %sign_a = stablehlo.divide %one, %a : tensor<14x12xf32>
  %sign_b = stablehlo.divide %one, %b : tensor<14x12xf32>
  %same_sign = stablehlo.compare EQ, %sign_a, %sign_b : (tensor<14x12xf32>, tensor<14x12xf32>) -> tensor<14x12xi1>
  %exact = stablehlo.and %equal, %same_sign : tensor<14x12xi1>
  %number_a = stablehlo.compare EQ, %a, %a : (tensor<14x12xf32>, tensor<14x12xf32>) -> tensor<14x12xi1>
  %number_b = stablehlo.compare EQ, %b, %b : (tensor<14x12xf32>, tensor<14x12xf32>) -> tensor<14x12xi1>
  %some = stablehlo.or %number_a, %number_b : tensor<14x12xi1>
  %none = stablehlo.not %some : tensor<14x12xi1>
  %difference = stablehlo.subtract %a, %b : tensor<14x12xf32>
  %size = stablehlo.abs %difference : tensor<14x12xf32>
  %near = stablehlo.constant dense<1.0e-6> : tensor<14x12xf32>
  %limit_of = stablehlo.abs %b : tensor<14x12xf32>
  %limit = stablehlo.multiply %limit_of, %near : tensor<14x12xf32>
  %is_near = stablehlo.compare LT, %size, %limit : (tensor<14x12xf32>, tensor<14x12xf32>) -> tensor<14x12xi1>
  %0 = stablehlo.or %exact, %none : tensor<14x12xi1>
  %1 = stablehlo.or %0, %is_near : tensor<14x12xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %all = stablehlo.reduce(%1 init: %true) applies stablehlo.and across dimensions = [1] : (tensor<14x12xi1>, tensor<i1>) -> tensor<14xi1>
  return %all : tensor<14xi1>
}

// Equal with the same sign, both NaN, or near.
func.func private @same_f16(%a: tensor<14x12xf16>, %b: tensor<14x12xf16>) -> tensor<14xi1> {
  %equal = stablehlo.compare EQ, %a, %b : (tensor<14x12xf16>, tensor<14x12xf16>) -> tensor<14x12xi1>
  %one = stablehlo.constant dense<1.0> : tensor<14x12xf16>
  %sign_a = stablehlo.divide %one, %a : tensor<14x12xf16>
  %sign_b = stablehlo.divide %one, %b : tensor<14x12xf16>
  %same_sign = stablehlo.compare EQ, %sign_a, %sign_b : (tensor<14x12xf16>, tensor<14x12xf16>) -> tensor<14x12xi1>
  %exact = stablehlo.and %equal, %same_sign : tensor<14x12xi1>
  %number_a = stablehlo.compare EQ, %a, %a : (tensor<14x12xf16>, tensor<14x12xf16>) -> tensor<14x12xi1>
  %number_b = stablehlo.compare EQ, %b, %b : (tensor<14x12xf16>, tensor<14x12xf16>) -> tensor<14x12xi1>
  %some = stablehlo.or %number_a, %number_b : tensor<14x12xi1>
  %none = stablehlo.not %some : tensor<14x12xi1>
  %difference = stablehlo.subtract %a, %b : tensor<14x12xf16>
  %size = stablehlo.abs %difference : tensor<14x12xf16>
  %near = stablehlo.constant dense<1.0e-3> : tensor<14x12xf16>
  %limit_of = stablehlo.abs %b : tensor<14x12xf16>
  %limit = stablehlo.multiply %limit_of, %near : tensor<14x12xf16>
  %is_near = stablehlo.compare LT, %size, %limit : (tensor<14x12xf16>, tensor<14x12xf16>) -> tensor<14x12xi1>
  %0 = stablehlo.or %exact, %none : tensor<14x12xi1>
  %1 = stablehlo.or %0, %is_near : tensor<14x12xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %all = stablehlo.reduce(%1 init: %true) applies stablehlo.and across dimensions = [1] : (tensor<14x12xi1>, tensor<i1>) -> tensor<14xi1>
  return %all : tensor<14xi1>
}

// Equal with the same sign, both NaN, or near.
func.func private @same_f64(%a: tensor<9x12xf64>, %b: tensor<9x12xf64>) -> tensor<9xi1> {
  %equal = stablehlo.compare EQ, %a, %b : (tensor<9x12xf64>, tensor<9x12xf64>) -> tensor<9x12xi1>
  %one = stablehlo.constant dense<1.0> : tensor<9x12xf64>
  %sign_a = stablehlo.divide %one, %a : tensor<9x12xf64>
  %sign_b = stablehlo.divide %one, %b : tensor<9x12xf64>
  %same_sign = stablehlo.compare EQ, %sign_a, %sign_b : (tensor<9x12xf64>, tensor<9x12xf64>) -> tensor<9x12xi1>
  %exact = stablehlo.and %equal, %same_sign : tensor<9x12xi1>
  %number_a = stablehlo.compare EQ, %a, %a : (tensor<9x12xf64>, tensor<9x12xf64>) -> tensor<9x12xi1>
  %number_b = stablehlo.compare EQ, %b, %b : (tensor<9x12xf64>, tensor<9x12xf64>) -> tensor<9x12xi1>
  %some = stablehlo.or %number_a, %number_b : tensor<9x12xi1>
  %none = stablehlo.not %some : tensor<9x12xi1>
  %difference = stablehlo.subtract %a, %b : tensor<9x12xf64>
  %size = stablehlo.abs %difference : tensor<9x12xf64>
  %near = stablehlo.constant dense<1.0e-14> : tensor<9x12xf64>
  %limit_of = stablehlo.abs %b : tensor<9x12xf64>
  %limit = stablehlo.multiply %limit_of, %near : tensor<9x12xf64>
  %is_near = stablehlo.compare LT, %size, %limit : (tensor<9x12xf64>, tensor<9x12xf64>) -> tensor<9x12xi1>
  %0 = stablehlo.or %exact, %none : tensor<9x12xi1>
  %1 = stablehlo.or %0, %is_near : tensor<9x12xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %all = stablehlo.reduce(%1 init: %true) applies stablehlo.and across dimensions = [1] : (tensor<9x12xi1>, tensor<i1>) -> tensor<9xi1>
  return %all : tensor<9xi1>
}

// CHECK: result #0: 14xi1 = [true, true, true, true, true, true, true, true, true, true, true, true, true, true]
// CHECK-NEXT: result #1: 14xi1 = [true, true, true, true, true, true, true, true, true, true, true, true, true, true]
// CHECK-NEXT: result #2: 9xi1 = [true, true, true, true, true, true, true, true, true]
func.func @main() -> (tensor<14xi1>, tensor<14xi1>, tensor<9xi1>) {
  %x0 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 2.25, -2.25, 1.0e-20, 1.0e20, 3.0e-39, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<12xf32>
  %known0 = func.call @powers_of_singles(%x0) : (tensor<12xf32>) -> tensor<14x12xf32>
  %e0 = stablehlo.constant dense<[0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, -2.0, 2.5, -2.5, 3.0, -3.0, 4.0, -3.5]> : tensor<14xf32>
  %hidden0 = stablehlo.optimization_barrier %e0 : tensor<14xf32>
  %es0 = stablehlo.broadcast_in_dim %hidden0, dims = [0] : (tensor<14xf32>) -> tensor<14x12xf32>
  %xs0 = stablehlo.broadcast_in_dim %x0, dims = [1] : (tensor<12xf32>) -> tensor<14x12xf32>
  %general0 = stablehlo.power %xs0, %es0 : tensor<14x12xf32>
  %same0 = func.call @same_f32(%known0, %general0) : (tensor<14x12xf32>, tensor<14x12xf32>) -> tensor<14xi1>
  %x1 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 2.25, -2.25, 1.0e-3, 1.0e3, 6.0e-8, 0x7C00, 0xFC00, 0x7E00]> : tensor<12xf16>
  %known1 = func.call @powers_of_halves(%x1) : (tensor<12xf16>) -> tensor<14x12xf16>
  %e1 = stablehlo.constant dense<[0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 2.0, -2.0, 2.5, -2.5, 3.0, -3.0, 4.0, -3.5]> : tensor<14xf16>
  %hidden1 = stablehlo.optimization_barrier %e1 : tensor<14xf16>
  %es1 = stablehlo.broadcast_in_dim %hidden1, dims = [0] : (tensor<14xf16>) -> tensor<14x12xf16>
  %xs1 = stablehlo.broadcast_in_dim %x1, dims = [1] : (tensor<12xf16>) -> tensor<14x12xf16>
  %general1 = stablehlo.power %xs1, %es1 : tensor<14x12xf16>
  %same1 = func.call @same_f16(%known1, %general1) : (tensor<14x12xf16>, tensor<14x12xf16>) -> tensor<14xi1>
  %x2 = stablehlo.constant dense<[0.0, -0.0, 1.0, -1.0, 2.25, -2.25, 1.0e-20, 1.0e20, 3.0e-310, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000]> : tensor<12xf64>
  %known2 = func.call @powers_of_doubles(%x2) : (tensor<12xf64>) -> tensor<9x12xf64>
  %e2 = stablehlo.constant dense<[0.5, -0.5, 1.0, -1.0, 1.5, 2.0, 2.5, 3.0, 4.0]> : tensor<9xf64>
  %hidden2 = stablehlo.optimization_barrier %e2 : tensor<9xf64>
  %es2 = stablehlo.broadcast_in_dim %hidden2, dims = [0] : (tensor<9xf64>) -> tensor<9x12xf64>
  %xs2 = stablehlo.broadcast_in_dim %x2, dims = [1] : (tensor<12xf64>) -> tensor<9x12xf64>
  %general2 = stablehlo.power %xs2, %es2 : tensor<9x12xf64>
  %same2 = func.call @same_f64(%known2, %general2) : (tensor<9x12xf64>, tensor<9x12xf64>) -> tensor<9xi1>
  return %same0, %same1, %same2 : tensor<14xi1>, tensor<14xi1>, tensor<9xi1>
}
