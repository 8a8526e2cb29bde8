// Floats that MLIR 19 does not know: the same text and the same codes as MLIR 22 has.
// REQUIRES: mlir-opt-22

// RUN: freehold opt %s | FileCheck %s
// RUN: mlir-opt-22 %s | freehold opt - | FileCheck %s
// RUN: mlir-opt-22 --mlir-print-elementsattrs-with-hex-if-larger=1 %s | freehold opt - | FileCheck %s
// RUN: mlir-opt-22 --emit-bytecode %s | freehold opt - | FileCheck %s
// RUN: freehold opt --emit-bytecode --mlir-version=22 %s | mlir-opt-22 | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() -> (tensor<9xf4E2M1FN>, tensor<5xf6E2M3FN>, tensor<5xf6E3M2FN>, tensor<5xf8E8M0FNU>) {
  // Halfway goes to the even one; what is too large becomes the largest.
  // CHECK: dense<[5.000000e-01, -5.000000e-01, 1.000000e+00, 1.000000e+00, 2.000000e+00, 4.000000e+00, 4.000000e+00, 6.000000e+00, -6.000000e+00]> : tensor<9xf4E2M1FN>
  %0 = arith.constant dense<[0.5, -0.5, 0.75, 1.25, 2.5, 3.5, 5.0, 1.0e9, -6.5]> : tensor<9xf4E2M1FN>
  // CHECK: dense<[1.250000e-01, 7.500000e+00, -7.500000e+00, 1.250000e+00, 2.000000e+00]> : tensor<5xf6E2M3FN>
  %1 = arith.constant dense<[0.125, 7.5, -100.0, 1.25, 2.125]> : tensor<5xf6E2M3FN>
  // CHECK: dense<[6.250000e-02, 2.800000e+01, -2.800000e+01, 1.250000e+00, 2.000000e+00]> : tensor<5xf6E3M2FN>
  %2 = arith.constant dense<[0.0625, 28.0, -100.0, 1.25, 2.25]> : tensor<5xf6E3M2FN>
  // CHECK: dense<[1.000000e+00, 2.500000e-01, 4.000000e+00, 1.280000e+02, 1.000000e+00]> : tensor<5xf8E8M0FNU>
  %3 = arith.constant dense<[1.0, 0.25, 3.5, 100.0, 1.25]> : tensor<5xf8E8M0FNU>
  return %0, %1, %2, %3 : tensor<9xf4E2M1FN>, tensor<5xf6E2M3FN>, tensor<5xf6E3M2FN>, tensor<5xf8E8M0FNU>
}

// CHECK: @types(vector<2xf4E2M1FN>, memref<2xf6E2M3FN>, f6E3M2FN, complex<f8E8M0FNU>)
func.func private @types(vector<2xf4E2M1FN>, memref<2xf6E2M3FN>, f6E3M2FN, complex<f8E8M0FNU>)
