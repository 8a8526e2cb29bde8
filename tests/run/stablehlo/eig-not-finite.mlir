// Eigenvalues and eigenvectors of matrices with an element that is no finite number are NaN, and those of the other matrices
// of a batch are not.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - --check -O0 < %s | FileCheck %s

// How many elements of the values, of the left and of the right vectors of each matrix are NaN.
// CHECK: [0, 3, 3, 3, 0]
// CHECK: [0, 9, 9, 9, 0]
// CHECK: [0, 9, 9, 9, 0]
func.func private @numbers_of_nan(%matrices: tensor<5x3x3xf64>) -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) {
  %0:3 = stablehlo.custom_call @Eig(%matrices) {backend_config = "left,right"} : (tensor<5x3x3xf64>) -> (tensor<5x3xcomplex<f64>>, tensor<5x3x3xcomplex<f64>>, tensor<5x3x3xcomplex<f64>>)
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.compare NE, %0#0, %0#0 : (tensor<5x3xcomplex<f64>>, tensor<5x3xcomplex<f64>>) -> tensor<5x3xi1>
  %2 = stablehlo.convert %1 : (tensor<5x3xi1>) -> tensor<5x3xi32>
  %values = stablehlo.reduce(%2 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<5x3xi32>, tensor<i32>) -> tensor<5xi32>
  %left = func.call @numbers_of_nan_in_vectors(%0#1) : (tensor<5x3x3xcomplex<f64>>) -> tensor<5xi32>
  %right = func.call @numbers_of_nan_in_vectors(%0#2) : (tensor<5x3x3xcomplex<f64>>) -> tensor<5xi32>
  return %values, %left, %right : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>
}

func.func private @numbers_of_nan_in_vectors(%vectors: tensor<5x3x3xcomplex<f64>>) -> tensor<5xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.compare NE, %vectors, %vectors : (tensor<5x3x3xcomplex<f64>>, tensor<5x3x3xcomplex<f64>>) -> tensor<5x3x3xi1>
  %1 = stablehlo.convert %0 : (tensor<5x3x3xi1>) -> tensor<5x3x3xi32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [1, 2] : (tensor<5x3x3xi32>, tensor<i32>) -> tensor<5xi32>
  return %2 : tensor<5xi32>
}

func.func @main() -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>) {
  %matrices = stablehlo.constant dense<[
    [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]],
    [[1.0, 2.0, 3.0], [4.0, 5.0, 0x7FF8000000000000], [7.0, 8.0, 10.0]],
    [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [0xFFF0000000000000, 8.0, 10.0]],
    [[0x7FF0000000000000, 2.0, 3.0], [0.0, 5.0, 6.0], [0.0, 0.0, 10.0]],
    [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
  ]> : tensor<5x3x3xf64>
  %0:3 = func.call @numbers_of_nan(%matrices) : (tensor<5x3x3xf64>) -> (tensor<5xi32>, tensor<5xi32>, tensor<5xi32>)
  return %0#0, %0#1, %0#2 : tensor<5xi32>, tensor<5xi32>, tensor<5xi32>
}
