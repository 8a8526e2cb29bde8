// Cholesky factors.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

// The product of the factors is the matrix.
func.func private @blocks() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<4900xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<4900xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<4900xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<4900xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<4900xf32>
  %6 = stablehlo.add %5, %3 : tensor<4900xf32>
  %7 = stablehlo.sine %6 : tensor<4900xf32>
  %8 = stablehlo.reshape %7 : (tensor<4900xf32>) -> tensor<70x70xf32>
  %9 = stablehlo.dot_general %8, %8, contracting_dims = [1] x [1] : (tensor<70x70xf32>, tensor<70x70xf32>) -> tensor<70x70xf32>
  %10 = stablehlo.iota dim = 0 : tensor<70x70xi32>
  %11 = stablehlo.iota dim = 1 : tensor<70x70xi32>
  %12 = stablehlo.compare EQ, %10, %11 : (tensor<70x70xi32>, tensor<70x70xi32>) -> tensor<70x70xi1>
  %13 = stablehlo.convert %12 : (tensor<70x70xi1>) -> tensor<70x70xf32>
  %14 = stablehlo.constant dense<70.0> : tensor<70x70xf32>
  %15 = stablehlo.multiply %13, %14 : tensor<70x70xf32>
  %16 = stablehlo.add %9, %15 : tensor<70x70xf32>
  %17 = stablehlo.cholesky %16, lower = true : tensor<70x70xf32>
  %18 = stablehlo.dot_general %17, %17, contracting_dims = [1] x [1] : (tensor<70x70xf32>, tensor<70x70xf32>) -> tensor<70x70xf32>
  %19 = stablehlo.subtract %18, %16 : tensor<70x70xf32>
  %20 = stablehlo.abs %19 : tensor<70x70xf32>
  %21 = stablehlo.constant dense<0.0> : tensor<f32>
  %22 = stablehlo.reduce(%20 init: %21) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<70x70xf32>, tensor<f32>) -> tensor<f32>
  %23 = stablehlo.constant dense<1.0e-3> : tensor<f32>
  %24 = stablehlo.compare LT, %22, %23 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %24 : tensor<i1>
}

// The product of the factors is the matrix.
func.func private @upper() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<2178xf64>
  %2 = stablehlo.constant dense<0.37> : tensor<2178xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<2178xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<2178xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<2178xf64>
  %6 = stablehlo.add %5, %3 : tensor<2178xf64>
  %7 = stablehlo.sine %6 : tensor<2178xf64>
  %8 = stablehlo.reshape %7 : (tensor<2178xf64>) -> tensor<2x33x33xf64>
  %9 = stablehlo.dot_general %8, %8, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x33x33xf64>, tensor<2x33x33xf64>) -> tensor<2x33x33xf64>
  %10 = stablehlo.iota dim = 1 : tensor<2x33x33xi32>
  %11 = stablehlo.iota dim = 2 : tensor<2x33x33xi32>
  %12 = stablehlo.compare EQ, %10, %11 : (tensor<2x33x33xi32>, tensor<2x33x33xi32>) -> tensor<2x33x33xi1>
  %13 = stablehlo.convert %12 : (tensor<2x33x33xi1>) -> tensor<2x33x33xf64>
  %14 = stablehlo.constant dense<33.0> : tensor<2x33x33xf64>
  %15 = stablehlo.multiply %13, %14 : tensor<2x33x33xf64>
  %16 = stablehlo.add %9, %15 : tensor<2x33x33xf64>
  %17 = stablehlo.cholesky %16, lower = false : tensor<2x33x33xf64>
  %18 = stablehlo.dot_general %17, %17, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<2x33x33xf64>, tensor<2x33x33xf64>) -> tensor<2x33x33xf64>
  %19 = stablehlo.subtract %18, %16 : tensor<2x33x33xf64>
  %20 = stablehlo.abs %19 : tensor<2x33x33xf64>
  %21 = stablehlo.constant dense<0.0> : tensor<f64>
  %22 = stablehlo.reduce(%20 init: %21) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<2x33x33xf64>, tensor<f64>) -> tensor<f64>
  %23 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %24 = stablehlo.compare LT, %22, %23 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %24 : tensor<i1>
}

// The product of the factors is the matrix.
func.func private @complex() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<1600xf32>
  %2 = stablehlo.constant dense<0.37> : tensor<1600xf32>
  %3 = stablehlo.constant dense<0.5> : tensor<1600xf32>
  %4 = stablehlo.multiply %1, %2 : tensor<1600xf32>
  %5 = stablehlo.multiply %4, %1 : tensor<1600xf32>
  %6 = stablehlo.add %5, %3 : tensor<1600xf32>
  %7 = stablehlo.sine %6 : tensor<1600xf32>
  %8 = stablehlo.reshape %7 : (tensor<1600xf32>) -> tensor<40x40xf32>
  %9 = stablehlo.iota dim = 0 : tensor<1600xf32>
  %10 = stablehlo.constant dense<0.23> : tensor<1600xf32>
  %11 = stablehlo.constant dense<1.5> : tensor<1600xf32>
  %12 = stablehlo.multiply %9, %10 : tensor<1600xf32>
  %13 = stablehlo.multiply %12, %9 : tensor<1600xf32>
  %14 = stablehlo.add %13, %11 : tensor<1600xf32>
  %15 = stablehlo.sine %14 : tensor<1600xf32>
  %16 = stablehlo.reshape %15 : (tensor<1600xf32>) -> tensor<40x40xf32>
  %17 = stablehlo.complex %8, %16 : tensor<40x40xcomplex<f32>>
  %18 = stablehlo.real %17 : (tensor<40x40xcomplex<f32>>) -> tensor<40x40xf32>
  %19 = stablehlo.imag %17 : (tensor<40x40xcomplex<f32>>) -> tensor<40x40xf32>
  %20 = stablehlo.negate %19 : tensor<40x40xf32>
  %21 = stablehlo.complex %18, %20 : tensor<40x40xcomplex<f32>>
  %22 = stablehlo.dot_general %17, %21, contracting_dims = [1] x [1] : (tensor<40x40xcomplex<f32>>, tensor<40x40xcomplex<f32>>) -> tensor<40x40xcomplex<f32>>
  %23 = stablehlo.iota dim = 0 : tensor<40x40xi32>
  %24 = stablehlo.iota dim = 1 : tensor<40x40xi32>
  %25 = stablehlo.compare EQ, %23, %24 : (tensor<40x40xi32>, tensor<40x40xi32>) -> tensor<40x40xi1>
  %26 = stablehlo.convert %25 : (tensor<40x40xi1>) -> tensor<40x40xcomplex<f32>>
  %27 = stablehlo.constant dense<(40.0, 0.0)> : tensor<40x40xcomplex<f32>>
  %28 = stablehlo.multiply %26, %27 : tensor<40x40xcomplex<f32>>
  %29 = stablehlo.add %22, %28 : tensor<40x40xcomplex<f32>>
  %30 = stablehlo.cholesky %29, lower = true : tensor<40x40xcomplex<f32>>
  %31 = stablehlo.real %30 : (tensor<40x40xcomplex<f32>>) -> tensor<40x40xf32>
  %32 = stablehlo.imag %30 : (tensor<40x40xcomplex<f32>>) -> tensor<40x40xf32>
  %33 = stablehlo.negate %32 : tensor<40x40xf32>
  %34 = stablehlo.complex %31, %33 : tensor<40x40xcomplex<f32>>
  %35 = stablehlo.dot_general %30, %34, contracting_dims = [1] x [1] : (tensor<40x40xcomplex<f32>>, tensor<40x40xcomplex<f32>>) -> tensor<40x40xcomplex<f32>>
  %36 = stablehlo.subtract %35, %29 : tensor<40x40xcomplex<f32>>
  %37 = stablehlo.abs %36 : (tensor<40x40xcomplex<f32>>) -> tensor<40x40xf32>
  %38 = stablehlo.constant dense<0.0> : tensor<f32>
  %39 = stablehlo.reduce(%37 init: %38) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<40x40xf32>, tensor<f32>) -> tensor<f32>
  %40 = stablehlo.constant dense<1.0e-3> : tensor<f32>
  %41 = stablehlo.compare LT, %39, %40 : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %41 : tensor<i1>
}

// The product of the factors is the matrix.
func.func private @upper_complex() -> tensor<i1> {
  %1 = stablehlo.iota dim = 0 : tensor<75xf64>
  %2 = stablehlo.constant dense<0.37> : tensor<75xf64>
  %3 = stablehlo.constant dense<0.5> : tensor<75xf64>
  %4 = stablehlo.multiply %1, %2 : tensor<75xf64>
  %5 = stablehlo.multiply %4, %1 : tensor<75xf64>
  %6 = stablehlo.add %5, %3 : tensor<75xf64>
  %7 = stablehlo.sine %6 : tensor<75xf64>
  %8 = stablehlo.reshape %7 : (tensor<75xf64>) -> tensor<3x5x5xf64>
  %9 = stablehlo.iota dim = 0 : tensor<75xf64>
  %10 = stablehlo.constant dense<0.23> : tensor<75xf64>
  %11 = stablehlo.constant dense<1.5> : tensor<75xf64>
  %12 = stablehlo.multiply %9, %10 : tensor<75xf64>
  %13 = stablehlo.multiply %12, %9 : tensor<75xf64>
  %14 = stablehlo.add %13, %11 : tensor<75xf64>
  %15 = stablehlo.sine %14 : tensor<75xf64>
  %16 = stablehlo.reshape %15 : (tensor<75xf64>) -> tensor<3x5x5xf64>
  %17 = stablehlo.complex %8, %16 : tensor<3x5x5xcomplex<f64>>
  %18 = stablehlo.real %17 : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xf64>
  %19 = stablehlo.imag %17 : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xf64>
  %20 = stablehlo.negate %19 : tensor<3x5x5xf64>
  %21 = stablehlo.complex %18, %20 : tensor<3x5x5xcomplex<f64>>
  %22 = stablehlo.dot_general %17, %21, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<3x5x5xcomplex<f64>>, tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xcomplex<f64>>
  %23 = stablehlo.iota dim = 1 : tensor<3x5x5xi32>
  %24 = stablehlo.iota dim = 2 : tensor<3x5x5xi32>
  %25 = stablehlo.compare EQ, %23, %24 : (tensor<3x5x5xi32>, tensor<3x5x5xi32>) -> tensor<3x5x5xi1>
  %26 = stablehlo.convert %25 : (tensor<3x5x5xi1>) -> tensor<3x5x5xcomplex<f64>>
  %27 = stablehlo.constant dense<(5.0, 0.0)> : tensor<3x5x5xcomplex<f64>>
  %28 = stablehlo.multiply %26, %27 : tensor<3x5x5xcomplex<f64>>
  %29 = stablehlo.add %22, %28 : tensor<3x5x5xcomplex<f64>>
  %30 = stablehlo.cholesky %29, lower = false : tensor<3x5x5xcomplex<f64>>
  %31 = stablehlo.real %30 : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xf64>
  %32 = stablehlo.imag %30 : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xf64>
  %33 = stablehlo.negate %32 : tensor<3x5x5xf64>
  %34 = stablehlo.complex %31, %33 : tensor<3x5x5xcomplex<f64>>
  %35 = stablehlo.dot_general %34, %30, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<3x5x5xcomplex<f64>>, tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xcomplex<f64>>
  %36 = stablehlo.subtract %35, %29 : tensor<3x5x5xcomplex<f64>>
  %37 = stablehlo.abs %36 : (tensor<3x5x5xcomplex<f64>>) -> tensor<3x5x5xf64>
  %38 = stablehlo.constant dense<0.0> : tensor<f64>
  %39 = stablehlo.reduce(%37 init: %38) applies stablehlo.maximum across dimensions = [0, 1, 2] : (tensor<3x5x5xf64>, tensor<f64>) -> tensor<f64>
  %40 = stablehlo.constant dense<1.0e-11> : tensor<f64>
  %41 = stablehlo.compare LT, %39, %40 : (tensor<f64>, tensor<f64>) -> tensor<i1>
  return %41 : tensor<i1>
}

func.func private @exact() -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<2x2xcomplex<f64>>, tensor<2x2xf32>) {
  // The other triangle is not read.
  %a = stablehlo.constant dense<[[4.0, 99.0, 99.0], [2.0, 10.0, 99.0], [8.0, 19.0, 77.0]]> : tensor<3x3xf32>
  %0 = stablehlo.cholesky %a, lower = true : tensor<3x3xf32>
  %b = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = stablehlo.cholesky %b : tensor<3x3xf32>
  %c = stablehlo.constant dense<[[(4.0, 0.0), (2.0, -2.0)], [(2.0, 2.0), (11.0, 0.0)]]> : tensor<2x2xcomplex<f64>>
  %2 = stablehlo.cholesky %c, lower = true : tensor<2x2xcomplex<f64>>
  // What is not positive definite has no factor.
  %d = stablehlo.constant dense<[[1.0, 2.0], [2.0, 1.0]]> : tensor<2x2xf32>
  %3 = stablehlo.cholesky %d, lower = true : tensor<2x2xf32>
  return %0, %1, %2, %3 : tensor<3x3xf32>, tensor<3x3xf32>, tensor<2x2xcomplex<f64>>, tensor<2x2xf32>
}

func.func @main() -> (tensor<i1>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<2x2xcomplex<f64>>, tensor<2x2xf32>) {
  %0 = call @blocks() : () -> tensor<i1>
  %1 = call @upper() : () -> tensor<i1>
  %2 = call @complex() : () -> tensor<i1>
  %3 = call @upper_complex() : () -> tensor<i1>
  %a0 = stablehlo.and %0, %1 : tensor<i1>
  %a1 = stablehlo.and %a0, %2 : tensor<i1>
  %a2 = stablehlo.and %a1, %3 : tensor<i1>
  %e:4 = call @exact() : () -> (tensor<3x3xf32>, tensor<3x3xf32>, tensor<2x2xcomplex<f64>>, tensor<2x2xf32>)
  return %a2, %e#0, %e#1, %e#2, %e#3 : tensor<i1>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<2x2xcomplex<f64>>, tensor<2x2xf32>
}

// CHECK: result #0: i1 = true
// CHECK-NEXT: result #1: 3x3xf32
// CHECK-NEXT: {{\[\[}}2.0, 0.0, 0.0],
// CHECK-NEXT:  [1.0, 3.0, 0.0],
// CHECK-NEXT:  [4.0, 5.0, 6.0]]
// CHECK-NEXT: result #2: 3x3xf32
// CHECK-NEXT: {{\[\[}}2.0, 1.0, 4.0],
// CHECK-NEXT:  [0.0, 3.0, 5.0],
// CHECK-NEXT:  [0.0, 0.0, 6.0]]
// CHECK-NEXT: result #3: 2x2xcomplex<f64>
// CHECK-NEXT: {{\[\[}}(2.0, 0.0), (0.0, 0.0)],
// CHECK-NEXT:  [(1.0, 1.0), (3.0, 0.0)]]
// CHECK-NEXT: result #4: 2x2xf32
// CHECK-NEXT: {{\[\[}}NaN, 0.0],
// CHECK-NEXT:  [NaN, NaN]]
