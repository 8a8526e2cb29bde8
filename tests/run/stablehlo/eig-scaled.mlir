// Eigenvectors of matrices that are nearly defective grow by the inverse of rounding with each element: they have length 1
// nevertheless. Eigenvalues of matrices of tiny and of huge numbers are found as well.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --fp=contract -O3 < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

// How many right and left vectors of `%diagonal` and ones beside it have length 1.
func.func private @lengths(%diagonal: tensor<16xf32>) -> tensor<2xi32> {
  %i = stablehlo.iota dim = 0 : tensor<16x16xi32>
  %j = stablehlo.iota dim = 1 : tensor<16x16xi32>
  %one = stablehlo.constant dense<1> : tensor<16x16xi32>
  %next = stablehlo.add %i, %one : tensor<16x16xi32>
  %is_beside = stablehlo.compare EQ, %next, %j : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
  %is_diagonal = stablehlo.compare EQ, %i, %j : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
  %beside = stablehlo.convert %is_beside : (tensor<16x16xi1>) -> tensor<16x16xf32>
  %rows = stablehlo.broadcast_in_dim %diagonal, dims = [0] : (tensor<16xf32>) -> tensor<16x16xf32>
  %matrix = stablehlo.select %is_diagonal, %rows, %beside : tensor<16x16xi1>, tensor<16x16xf32>
  %0:3 = stablehlo.custom_call @Eig(%matrix) {backend_config = "left,right"} : (tensor<16x16xf32>) -> (tensor<16xcomplex<f32>>, tensor<16x16xcomplex<f32>>, tensor<16x16xcomplex<f32>>)
  %left = stablehlo.reshape %0#1 : (tensor<16x16xcomplex<f32>>) -> tensor<1x16x16xcomplex<f32>>
  %right = stablehlo.reshape %0#2 : (tensor<16x16xcomplex<f32>>) -> tensor<1x16x16xcomplex<f32>>
  %both = stablehlo.concatenate %left, %right, dim = 0 : (tensor<1x16x16xcomplex<f32>>, tensor<1x16x16xcomplex<f32>>) -> tensor<2x16x16xcomplex<f32>>
  %sizes = stablehlo.abs %both : (tensor<2x16x16xcomplex<f32>>) -> tensor<2x16x16xf32>
  %squares = stablehlo.multiply %sizes, %sizes : tensor<2x16x16xf32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %sums = stablehlo.reduce(%squares init: %none) applies stablehlo.add across dimensions = [1] : (tensor<2x16x16xf32>, tensor<f32>) -> tensor<2x16xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<2x16xf32>
  %error = stablehlo.subtract %sums, %ones : tensor<2x16xf32>
  %size = stablehlo.abs %error : tensor<2x16xf32>
  %limit = stablehlo.constant dense<1.0e-4> : tensor<2x16xf32>
  %is_near = stablehlo.compare LT, %size, %limit : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<2x16xi1>
  %counted = stablehlo.convert %is_near : (tensor<2x16xi1>) -> tensor<2x16xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n = stablehlo.reduce(%counted init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<2x16xi32>, tensor<i32>) -> tensor<2xi32>
  return %n : tensor<2xi32>
}

// The eigenvalues are those of a rotation and of what it is multiplied by.
func.func private @values(%scale: tensor<f64>) -> tensor<2xcomplex<f64>> {
  %scales = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f64>) -> tensor<2x2xf64>
  %turn = stablehlo.constant dense<[[0.0, 3.0], [-3.0, 0.0]]> : tensor<2x2xf64>
  %matrix = stablehlo.multiply %turn, %scales : tensor<2x2xf64>
  %none = stablehlo.constant dense<0.0> : tensor<2x2xf64>
  %complex = stablehlo.complex %matrix, %none : tensor<2x2xcomplex<f64>>
  %0 = stablehlo.custom_call @Eig(%complex) {backend_config = ""} : (tensor<2x2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  %im = stablehlo.imag %0 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %re = stablehlo.real %0 : (tensor<2xcomplex<f64>>) -> tensor<2xf64>
  %by = stablehlo.broadcast_in_dim %scale, dims = [] : (tensor<f64>) -> tensor<2xf64>
  %im_scaled = stablehlo.divide %im, %by : tensor<2xf64>
  %re_scaled = stablehlo.divide %re, %by : tensor<2xf64>
  %rounded = stablehlo.round_nearest_even %im_scaled : tensor<2xf64>
  %re_rounded = stablehlo.round_nearest_even %re_scaled : tensor<2xf64>
  %re_size = stablehlo.abs %re_rounded : tensor<2xf64>
  %size = stablehlo.abs %rounded : tensor<2xf64>
  %result = stablehlo.complex %re_size, %size : tensor<2xcomplex<f64>>
  return %result : tensor<2xcomplex<f64>>
}

// CHECK: #0: 2xi32 = [16, 16]
// CHECK: #1: 2xi32 = [16, 16]
// CHECK: #2: 2xcomplex<f64> = [(0.0, 3.0), (0.0, 3.0)]
// CHECK: #3: 2xcomplex<f64> = [(0.0, 3.0), (0.0, 3.0)]
func.func @main() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>) {
  %twos = stablehlo.constant dense<2.0> : tensor<16xf32>
  %bits = stablehlo.constant dense<[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0]> : tensor<16xf32>
  %tiny = stablehlo.constant dense<1.0e-300> : tensor<f64>
  %huge = stablehlo.constant dense<1.0e300> : tensor<f64>
  %0 = func.call @lengths(%twos) : (tensor<16xf32>) -> tensor<2xi32>
  %1 = func.call @lengths(%bits) : (tensor<16xf32>) -> tensor<2xi32>
  %2 = func.call @values(%tiny) : (tensor<f64>) -> tensor<2xcomplex<f64>>
  %3 = func.call @values(%huge) : (tensor<f64>) -> tensor<2xcomplex<f64>>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xi32>, tensor<2xcomplex<f64>>, tensor<2xcomplex<f64>>
}
