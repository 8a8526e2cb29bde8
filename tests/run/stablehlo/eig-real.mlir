// Eigenvalues of a real matrix are real or pairs of conjugates, exactly, and so are their vectors, unless
// they are nearly multiple ones.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --fp=contract -O3 < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

// How many eigenvalues are real (1, 2 and 3; a rotation; a rotation and 3; multiples; all zeros), how many pairs of them are
// conjugates, counting real ones, and how many elements of the vectors are real. The vectors of pairs, like (1, i, 0), have six
// elements that may be others.
// CHECK: [3, 1, 1, 3, 3]
// CHECK: [3, 3, 3, 5, 9]
// CHECK: [9, 7, {{[0-9]}}, 9, 9]
func.func private @numbers(%matrices: tensor<5x3x3xf64>) -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) {
  %0:2 = stablehlo.custom_call @Eig(%matrices) {backend_config = "right"} : (tensor<5x3x3xf64>) -> (tensor<5x3xcomplex<f64>>, tensor<5x3x3xcomplex<f64>>)
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<5x3xf64>
  %imag = stablehlo.imag %0#0 : (tensor<5x3xcomplex<f64>>) -> tensor<5x3xf64>
  %1 = stablehlo.compare EQ, %imag, %none : (tensor<5x3xf64>, tensor<5x3xf64>) -> tensor<5x3xi1>
  %2 = stablehlo.convert %1 : (tensor<5x3xi1>) -> tensor<5x3xi32>
  %real = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<5x3xi32>, tensor<i32>) -> tensor<5xi32>
  %re = stablehlo.real %0#0 : (tensor<5x3xcomplex<f64>>) -> tensor<5x3xf64>
  %negated = stablehlo.negate %imag : tensor<5x3xf64>
  %conjugates = stablehlo.complex %re, %negated : tensor<5x3xcomplex<f64>>
  %rows = stablehlo.broadcast_in_dim %0#0, dims = [0, 1] : (tensor<5x3xcomplex<f64>>) -> tensor<5x3x3xcomplex<f64>>
  %columns = stablehlo.broadcast_in_dim %conjugates, dims = [0, 2] : (tensor<5x3xcomplex<f64>>) -> tensor<5x3x3xcomplex<f64>>
  %3 = stablehlo.compare EQ, %rows, %columns : (tensor<5x3x3xcomplex<f64>>, tensor<5x3x3xcomplex<f64>>) -> tensor<5x3x3xi1>
  %4 = stablehlo.convert %3 : (tensor<5x3x3xi1>) -> tensor<5x3x3xi32>
  %pairs = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<5x3x3xi32>, tensor<i32>) -> tensor<5xi32>
  %nones = stablehlo.constant dense<0.0> : tensor<5x3x3xf64>
  %5 = stablehlo.imag %0#1 : (tensor<5x3x3xcomplex<f64>>) -> tensor<5x3x3xf64>
  %6 = stablehlo.compare EQ, %5, %nones : (tensor<5x3x3xf64>, tensor<5x3x3xf64>) -> tensor<5x3x3xi1>
  %7 = stablehlo.convert %6 : (tensor<5x3x3xi1>) -> tensor<5x3x3xi32>
  %vectors = stablehlo.reduce(%7 init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<5x3x3xi32>, tensor<i32>) -> tensor<5xi32>
  return %real, %pairs, %vectors : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>
}

func.func @main() -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) {
  %matrices = stablehlo.constant dense<[
    [[6.0, -11.0, 6.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
    [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]],
    [[0.3, -1.7, 0.2], [1.9, 0.4, 0.1], [0.7, 0.5, 3.0]],
    [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]],
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
  ]> : tensor<5x3x3xf64>
  %0:3 = func.call @numbers(%matrices) : (tensor<5x3x3xf64>) -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>)
  return %0#0, %0#1, %0#2 : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>
}
