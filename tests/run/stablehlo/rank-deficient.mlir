// Matrices whose factorizations meet zeros and numbers near the smallest ones, eigenvalues alone, and sizes known at run time.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

// All singular values but the first are 0; their vectors are orthogonal all the same.
func.func private @svd_of_ones() -> (tensor<i1>, tensor<i1>) {
  %ones = stablehlo.constant dense<1.0> : tensor<40x30xf32>
  %0:3 = stablehlo.custom_call @Svd(%ones) : (tensor<40x30xf32>) -> (tensor<30xf32>, tensor<40x30xf32>, tensor<30x30xf32>)
  %1 = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%0#0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<30xf32>, tensor<f32>) -> tensor<f32>
  %3 = stablehlo.constant dense<34.6410162> : tensor<f32>
  %4 = stablehlo.subtract %2, %3 : tensor<f32>
  %5 = stablehlo.abs %4 : tensor<f32>
  %6 = stablehlo.constant dense<1.0e-3> : tensor<f32>
  %7 = stablehlo.compare LT, %5, %6 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  %8 = func.call @is_unitary(%0#2) : (tensor<30x30xf32>) -> tensor<i1>
  return %7, %8 : tensor<i1>, tensor<i1>
}

func.func private @is_unitary(%matrix: tensor<30x30xf32>) -> tensor<i1> {
  %0 = stablehlo.dot_general %matrix, %matrix, contracting_dims = [0] x [0] : (tensor<30x30xf32>, tensor<30x30xf32>) -> tensor<30x30xf32>
  %1 = stablehlo.iota dim = 0 : tensor<30x30xi32>
  %2 = stablehlo.iota dim = 1 : tensor<30x30xi32>
  %3 = stablehlo.compare EQ, %1, %2 : (tensor<30x30xi32>, tensor<30x30xi32>) -> tensor<30x30xi1>
  %4 = stablehlo.convert %3 : (tensor<30x30xi1>) -> tensor<30x30xf32>
  %5 = stablehlo.subtract %0, %4 : tensor<30x30xf32>
  %6 = stablehlo.abs %5 : tensor<30x30xf32>
  %7 = stablehlo.constant dense<0.0> : tensor<f32>
  %8 = stablehlo.reduce(%6 init: %7) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<30x30xf32>, tensor<f32>) -> tensor<f32>
  %9 = stablehlo.constant dense<1.0e-4> : tensor<f32>
  %10 = stablehlo.compare LT, %8, %9 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %10 : tensor<i1>
}

// The greatest eigenvalue of [[0, tiny], [tiny, 0]] is tiny, though the square of it is 0, and so is the inverse of its half.
func.func private @tiny() -> tensor<i1> {
  %0 = stablehlo.constant dense<[[0.0, 1.0e-39], [1.0e-39, 0.0]]> : tensor<2x2xf32>
  %1:2 = stablehlo.custom_call @Eigh(%0) {backend_config = "1,1,100,1e-6"} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>)
  %2 = stablehlo.constant dense<[-1.0e-39, 1.0e-39]> : tensor<2xf32>
  %3 = stablehlo.subtract %1#1, %2 : tensor<2xf32>
  %4 = stablehlo.abs %3 : tensor<2xf32>
  %5 = stablehlo.constant dense<0.0> : tensor<f32>
  %6 = stablehlo.reduce(%4 init: %5) applies stablehlo.maximum across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
  %7 = stablehlo.constant dense<1.0e-44> : tensor<f32>
  %8 = stablehlo.compare LE, %6, %7 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %8 : tensor<i1>
}

// With NaN in the matrix all eigenvalues are NaN.
func.func private @nan() -> tensor<3xf64> {
  %0 = stablehlo.constant dense<[[1.0, 0.0, 0.0], [0.0, 0x7FF8000000000000, 0.0], [0.0, 0.0, 3.0]]> : tensor<3x3xf64>
  %1:2 = stablehlo.custom_call @Eigh(%0) {backend_config = "1,1,100,1e-6"} : (tensor<3x3xf64>) -> (tensor<3x3xf64>, tensor<3xf64>)
  return %1#1 : tensor<3xf64>
}

// The eigenvalues of the matrix with 2 on the diagonal and -1 beside it, of a size that is not known, sum up to twice the size.
func.func private @trace(%matrix: tensor<?x?xf64>) -> (tensor<f64>, tensor<f64>) {
  %0:2 = stablehlo.custom_call @Eigh(%matrix) {backend_config = "1,1,100,1e-6"} : (tensor<?x?xf64>) -> (tensor<?x?xf64>, tensor<?xf64>)
  %1 = stablehlo.constant dense<0.0> : tensor<f64>
  %2 = stablehlo.reduce(%0#1 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<?xf64>, tensor<f64>) -> tensor<f64>
  %3 = stablehlo.multiply %0#0, %0#0 : tensor<?x?xf64>
  %4 = stablehlo.reduce(%3 init: %1) applies stablehlo.add across dimensions = [0, 1] : (tensor<?x?xf64>, tensor<f64>) -> tensor<f64>
  %5 = stablehlo.round_nearest_even %2 : tensor<f64>
  %6 = stablehlo.round_nearest_even %4 : tensor<f64>
  return %5, %6 : tensor<f64>, tensor<f64>
}

func.func private @second_difference() -> tensor<21x21xf64> {
  %0 = stablehlo.iota dim = 0 : tensor<21x21xi32>
  %1 = stablehlo.iota dim = 1 : tensor<21x21xi32>
  %2 = stablehlo.subtract %0, %1 : tensor<21x21xi32>
  %3 = stablehlo.abs %2 : tensor<21x21xi32>
  %4 = stablehlo.convert %3 : (tensor<21x21xi32>) -> tensor<21x21xf64>
  %5 = stablehlo.constant dense<3.0> : tensor<21x21xf64>
  %6 = stablehlo.constant dense<2.0> : tensor<21x21xf64>
  %7 = stablehlo.constant dense<0.0> : tensor<21x21xf64>
  %8 = stablehlo.multiply %4, %5 : tensor<21x21xf64>
  %9 = stablehlo.subtract %6, %8 : tensor<21x21xf64>
  %10 = stablehlo.compare GE, %9, %7 : (tensor<21x21xf64>, tensor<21x21xf64>) -> tensor<21x21xi1>
  %11 = stablehlo.constant dense<-1.0> : tensor<21x21xf64>
  %12 = stablehlo.maximum %9, %11 : tensor<21x21xf64>
  %13 = stablehlo.constant dense<1> : tensor<21x21xi32>
  %14 = stablehlo.compare LE, %3, %13 : (tensor<21x21xi32>, tensor<21x21xi32>) -> tensor<21x21xi1>
  %15 = stablehlo.select %14, %12, %7 : tensor<21x21xi1>, tensor<21x21xf64>
  return %15 : tensor<21x21xf64>
}

// CHECK: result #0: i1 = true
// CHECK-NEXT: result #1: i1 = true
// CHECK-NEXT: result #2: i1 = true
// CHECK-NEXT: result #3: 3xf64 = [NaN, NaN, NaN]
// CHECK-NEXT: result #4: f64 = 42.0
// CHECK-NEXT: result #5: f64 = 21.0
func.func public @main() -> (tensor<i1>, tensor<i1>, tensor<i1>, tensor<3xf64>, tensor<f64>, tensor<f64>) {
  %0:2 = call @svd_of_ones() : () -> (tensor<i1>, tensor<i1>)
  %1 = call @tiny() : () -> tensor<i1>
  %2 = call @nan() : () -> tensor<3xf64>
  %3 = call @second_difference() : () -> tensor<21x21xf64>
  %4 = tensor.cast %3 : tensor<21x21xf64> to tensor<?x?xf64>
  %5:2 = call @trace(%4) : (tensor<?x?xf64>) -> (tensor<f64>, tensor<f64>)
  return %0#0, %0#1, %1, %2, %5#0, %5#1 : tensor<i1>, tensor<i1>, tensor<i1>, tensor<3xf64>, tensor<f64>, tensor<f64>
}
