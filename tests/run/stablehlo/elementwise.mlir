// Arithmetic element by element. Where arith has poison, StableHLO has results.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

func.func @main() -> (tensor<6xi32>, tensor<6xi32>, tensor<4xui8>, tensor<4xui8>, tensor<4xi32>, tensor<4xi32>, tensor<4xui32>, tensor<6xi32>, tensor<4xui8>, tensor<4xi16>, tensor<5xf32>, tensor<6xi1>, tensor<6xi1>, tensor<4xf32>, tensor<4xf32>, tensor<3xi32>, tensor<3xi32>, tensor<4xf32>, tensor<4xf32>, tensor<2xcomplex<f32>>, tensor<2xf32>, tensor<2xi1>, tensor<f32>) {
  %a = stablehlo.constant dense<[7, -7, -2147483648, 5, 0, 9]> : tensor<6xi32>
  %b = stablehlo.constant dense<[2, 2, -1, 0, 0, -4]> : tensor<6xi32>
  %0 = stablehlo.divide %a, %b : tensor<6xi32>
  %1 = stablehlo.remainder %a, %b : tensor<6xi32>
  %c = stablehlo.constant dense<[200, 7, 255, 3]> : tensor<4xui8>
  %d = stablehlo.constant dense<[7, 0, 16, 200]> : tensor<4xui8>
  %2 = stablehlo.divide %c, %d : tensor<4xui8>
  %3 = stablehlo.maximum %c, %d : tensor<4xui8>
  %e = stablehlo.constant dense<[1, -8, -1, 5]> : tensor<4xi32>
  %f = stablehlo.constant dense<[31, 40, 32, -1]> : tensor<4xi32>
  %4 = stablehlo.shift_left %e, %f : tensor<4xi32>
  %5 = stablehlo.shift_right_arithmetic %e, %f : tensor<4xi32>
  %g = stablehlo.constant dense<[4294967295, 8, 16, 1]> : tensor<4xui32>
  %h = stablehlo.constant dense<[31, 3, 32, 0]> : tensor<4xui32>
  %6 = stablehlo.shift_right_logical %g, %h : tensor<4xui32>
  %i = stablehlo.constant dense<[1.9, -1.9, 3.0e9, -3.0e9, 0x7FC00000, 0x7F800000]> : tensor<6xf32>
  %7 = stablehlo.convert %i : (tensor<6xf32>) -> tensor<6xi32>
  %j = stablehlo.constant dense<[255.9, -1.0, 256.0, 1.0]> : tensor<4xf32>
  %8 = stablehlo.convert %j : (tensor<4xf32>) -> tensor<4xui8>
  %9 = stablehlo.convert %c : (tensor<4xui8>) -> tensor<4xi16>
  %k = stablehlo.constant dense<[-0.0, 0.0, -3.0, 2.0, 0x7FC00000]> : tensor<5xf32>
  %10 = stablehlo.sign %k : tensor<5xf32>
  %l = stablehlo.constant dense<[-0.0, 0x7FC00000, 1.0, 0xFFC00000, 0.0, 2.0]> : tensor<6xf32>
  %m = stablehlo.constant dense<[0.0, 1.0, 0x7FC00000, 0xFF800000, 0.0, 1.0]> : tensor<6xf32>
  %11 = stablehlo.compare LT, %l, %m, TOTALORDER : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %12 = stablehlo.compare NE, %l, %m : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
  %n = stablehlo.constant dense<[1.00048828, 70000.0, 1.0e-8, -3.14159274]> : tensor<4xf32>
  %13 = stablehlo.reduce_precision %n, format = e5m10 : tensor<4xf32>
  %low = stablehlo.constant dense<-1.0> : tensor<f32>
  %high = stablehlo.constant dense<2.0> : tensor<f32>
  %14 = stablehlo.clamp %low, %n, %high : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %base = stablehlo.constant dense<[3, -1, 2]> : tensor<3xi32>
  %exponent = stablehlo.constant dense<[5, -3, -1]> : tensor<3xi32>
  %15 = stablehlo.power %base, %exponent : tensor<3xi32>
  %16 = stablehlo.count_leading_zeros %base : tensor<3xi32>
  %o = stablehlo.constant dense<[0.5, 1.5, -2.5, 3.4]> : tensor<4xf32>
  %17 = stablehlo.round_nearest_afz %o : tensor<4xf32>
  %18 = stablehlo.round_nearest_even %o : tensor<4xf32>
  %re = stablehlo.constant dense<[1.0, 3.0]> : tensor<2xf32>
  %im = stablehlo.constant dense<[2.0, -4.0]> : tensor<2xf32>
  %p = stablehlo.complex %re, %im : tensor<2xcomplex<f32>>
  %19 = stablehlo.multiply %p, %p : tensor<2xcomplex<f32>>
  %20 = stablehlo.abs %p : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %q = stablehlo.constant dense<[0x7F800000, 1.0]> : tensor<2xf32>
  %21 = stablehlo.is_finite %q : (tensor<2xf32>) -> tensor<2xi1>
  %22 = stablehlo.add %low, %high : tensor<f32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22 : tensor<6xi32>, tensor<6xi32>, tensor<4xui8>, tensor<4xui8>, tensor<4xi32>, tensor<4xi32>, tensor<4xui32>, tensor<6xi32>, tensor<4xui8>, tensor<4xi16>, tensor<5xf32>, tensor<6xi1>, tensor<6xi1>, tensor<4xf32>, tensor<4xf32>, tensor<3xi32>, tensor<3xi32>, tensor<4xf32>, tensor<4xf32>, tensor<2xcomplex<f32>>, tensor<2xf32>, tensor<2xi1>, tensor<f32>
}

// CHECK:      result #0: 6xi32 = [3, -3, -2147483648, -1, -1, -2]
// CHECK-NEXT: result #1: 6xi32 = [1, -1, 0, 5, 0, 1]
// CHECK-NEXT: result #2: 4xui8 = [28, 255, 15, 0]
// CHECK-NEXT: result #3: 4xui8 = [200, 7, 255, 200]
// CHECK-NEXT: result #4: 4xi32 = [-2147483648, 0, 0, 0]
// CHECK-NEXT: result #5: 4xi32 = [0, -1, -1, 0]
// CHECK-NEXT: result #6: 4xui32 = [1, 1, 0, 1]
// CHECK-NEXT: result #7: 6xi32 = [1, -1, 2147483647, -2147483648, 0, 2147483647]
// CHECK-NEXT: result #8: 4xui8 = [255, 0, 255, 1]
// CHECK-NEXT: result #9: 4xi16 = [200, 7, 255, 3]
// CHECK-NEXT: result #10: 5xf32 = [-0.0, 0.0, -1.0, 1.0, NaN]
// CHECK-NEXT: result #11: 6xi1 = [true, false, true, true, false, false]
// CHECK-NEXT: result #12: 6xi1 = [false, true, true, true, false, true]
// CHECK-NEXT: result #13: 4xf32 = [1.0, inf, 0.0, -3.140625]
// CHECK-NEXT: result #14: 4xf32 = [1.0004883, 2.0, 1e-8, -1.0]
// CHECK-NEXT: result #15: 3xi32 = [243, -1, 0]
// CHECK-NEXT: result #16: 3xi32 = [30, 0, 30]
// CHECK-NEXT: result #17: 4xf32 = [1.0, 2.0, -3.0, 3.0]
// CHECK-NEXT: result #18: 4xf32 = [0.0, 2.0, -2.0, 3.0]
// CHECK-NEXT: result #19: 2xcomplex<f32> = [(-3.0, 4.0), (-7.0, -24.0)]
// CHECK-NEXT: result #20: 2xf32 = [2.236068, 5.0]
// CHECK-NEXT: result #21: 2xi1 = [false, true]
// CHECK-NEXT: result #22: f32 = 1.0
