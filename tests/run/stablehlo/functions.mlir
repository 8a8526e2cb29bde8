// Functions that math has no operation for, and bodies that call functions.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - -O0 < %s | FileCheck %s

// CHECK: result #0: 7xf64 = [0.0, -0.156420{{[0-9]*}}, 0.207910{{[0-9]*}}, 0.134217{{[0-9]*}}, 0.134142{{[0-9]*}}, 0.055993{{[0-9]*}}, NaN]
// CHECK-NEXT: result #1: 8xf64 = [1.644934{{[0-9]*}}, 8.414398{{[0-9]*}}, 1.066371{{[0-9]*}}, 8.934802{{[0-9]*}}, 9999.077257{{[0-9]*}}, inf, NaN, inf]
// CHECK-NEXT: result #2: 7xf64 = [-0.577215{{[0-9]*}}, 1.644934{{[0-9]*}}, -16.828796{{[0-9]*}}, 0.002319{{[0-9]*}}, 8.934802{{[0-9]*}}, NaN, NaN]
// CHECK-NEXT: result #3: 2xf32 = [1.644934, 0.64493406]
// CHECK-NEXT: result #4: 3xcomplex<f32> = [(0.42707857, 1.5285709), (1.5707964, -1.316958), (-0.3490657, 0.0)]
// CHECK-NEXT: result #5: 3xcomplex<f32> = [(1.1437178, -1.5285709), (0.0, 1.316958), (1.919862, -0.0)]
// CHECK-NEXT: result #6: 3xcomplex<f32> = [(1.3389726, 0.4023595), (1.1071488, -0.0), (-0.3295481, 0.0)]
// CHECK-NEXT: result #7: 3xcomplex<f32> = [(1.4693518, 1.06344), (1.4436355, -0.0), (-0.33568025, 0.0)]
// CHECK-NEXT: result #8: 3xcomplex<f32> = [(1.5285709, 1.1437178), (1.316958, -0.0), (0.0, 1.919862)]
// CHECK-NEXT: result #9: 3xcomplex<f32> = [(0.1732868, 1.1780972), (0.54930615, -1.5707964), (-0.35637835, 0.0)]
// CHECK-NEXT: result #10: 2xf32 = [7.0, 5.0]
func.func @main() -> (tensor<7xf64>, tensor<8xf64>, tensor<7xf64>, tensor<2xf32>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>,
    tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<2xf32>) {
  %0 = stablehlo.constant dense<[0.0, -0.5, 1.0, 7.99, 8.0, 50.0, 0x7FF8000000000000]> : tensor<7xf64>
  %bessel = chlo.bessel_i1e %0 : tensor<7xf64> -> tensor<7xf64>

  %x = stablehlo.constant dense<[2.0, 3.0, 1.5, 2.0, 1.0001, 1.0, 0.5, 2.0]> : tensor<8xf64>
  %q = stablehlo.constant dense<[1.0, 0.5, 4.0, -0.5, 3.0, 3.0, 2.0, -1.0]> : tensor<8xf64>
  %zeta = chlo.zeta %x, %q : tensor<8xf64>, tensor<8xf64> -> tensor<8xf64>

  %n = stablehlo.constant dense<[0.0, 1.0, 2.0, 3.0, 1.0, 1.5, -1.0]> : tensor<7xf64>
  %y = stablehlo.constant dense<[1.0, 1.0, 0.5, 10.0, -0.5, 2.0, 2.0]> : tensor<7xf64>
  %polygamma = chlo.polygamma %n, %y : tensor<7xf64>, tensor<7xf64> -> tensor<7xf64>

  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %from = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %broadcast = chlo.broadcast_zeta %two, %from : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>

  // On the cut, from below.
  %z = stablehlo.constant dense<[(1.0, 2.0), (2.0, -0.0), (-0.34202, 0.0)]> : tensor<3xcomplex<f32>>
  %asin = chlo.asin %z : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %acos = chlo.acos %z : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %atan = chlo.atan %z : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %asinh = chlo.asinh %z : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %acosh = chlo.acosh %z : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  %atanh = chlo.atanh %z : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>

  %matrix = stablehlo.constant dense<[[3.0, 7.0], [5.0, 1.0]]> : tensor<2x2xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %reduced = stablehlo.reduce(%matrix init: %low) across dimensions = [1] : (tensor<2x2xf32>, tensor<f32>) -> tensor<2xf32>
    reducer(%a: tensor<f32>, %b: tensor<f32>) {
      %larger = func.call @larger(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      stablehlo.return %larger : tensor<f32>
    }
  return %bessel, %zeta, %polygamma, %broadcast, %asin, %acos, %atan, %asinh, %acosh, %atanh, %reduced : tensor<7xf64>, tensor<8xf64>, tensor<7xf64>, tensor<2xf32>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>,
    tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<3xcomplex<f32>>, tensor<2xf32>
}

func.func private @larger(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %is_larger = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %r = func.call @where(%is_larger, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

func.func private @where(%c: tensor<i1>, %a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.select %c, %a, %b : tensor<i1>, tensor<f32>
  return %r : tensor<f32>
}
