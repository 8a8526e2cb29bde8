// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run - -O0 < %s | FileCheck %s
// RUN: freehold opt --stablehlo-legalize-to-linalg %s | freehold run --interpret - | FileCheck %s

// Floats of four and six bits have numbers only: what is too large becomes the largest. Scales are powers of two, to
// which halfway goes up; what is not positive is NaN. So XLA and ml_dtypes have it.
// CHECK: result #0: 8xf32 = [0.0, 0.5, 1.0, 1.0, 6.0, -6.0, -2.0, 2.0]
// CHECK: result #1: 8xf32 = [0.25, 0.5, 0.75, 1.25, 7.5, -7.5, -1.75, 2.5]
// CHECK: result #2: 8xf32 = [0.25, 0.5, 0.75, 1.25, 28.0, -28.0, -1.75, 2.5]
// CHECK: result #3: 8xf32 = [0.25, 0.5, 1.0, 1.0, 128.0, NaN, NaN, 2.0]
// CHECK: result #4: 3xf32 = [0.5, -6.0, 3.0]
// CHECK: result #5: 3xf32 = [5.877472e-39, 1.0, 1.7014118e38]
// CHECK: result #6: 3xi8 = [0, 127, -2]
func.func @main() -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi8>) {
  %x = stablehlo.constant dense<[0.25, 0.5, 0.75, 1.25, 100.0, -100.0, -1.75, 2.5]> : tensor<8xf32>
  %hidden = stablehlo.optimization_barrier %x : tensor<8xf32>
  %0 = call @four(%hidden) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.convert %hidden : (tensor<8xf32>) -> tensor<8xf6E2M3FN>
  %2 = stablehlo.convert %1 : (tensor<8xf6E2M3FN>) -> tensor<8xf32>
  %3 = stablehlo.convert %hidden : (tensor<8xf32>) -> tensor<8xf6E3M2FN>
  %4 = stablehlo.convert %3 : (tensor<8xf6E3M2FN>) -> tensor<8xf32>
  %5 = stablehlo.convert %hidden : (tensor<8xf32>) -> tensor<8xf8E8M0FNU>
  %6 = stablehlo.convert %5 : (tensor<8xf8E8M0FNU>) -> tensor<8xf32>
  %7 = stablehlo.constant dense<[0.5, -6.0, 3.0]> : tensor<3xf4E2M1FN>
  %8 = stablehlo.convert %7 : (tensor<3xf4E2M1FN>) -> tensor<3xf32>
  %9 = stablehlo.constant dense<"0x007FFE"> : tensor<3xf8E8M0FNU>
  %10 = stablehlo.convert %9 : (tensor<3xf8E8M0FNU>) -> tensor<3xf32>
  %11 = stablehlo.bitcast_convert %9 : (tensor<3xf8E8M0FNU>) -> tensor<3xi8>
  return %0, %2, %4, %6, %8, %10, %11 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xi8>
}

func.func private @four(%x: tensor<8xf32>) -> tensor<8xf32> attributes {passthrough = ["noinline"]} {
  %0 = stablehlo.convert %x : (tensor<8xf32>) -> tensor<8xf4E2M1FN>
  %1 = stablehlo.convert %0 : (tensor<8xf4E2M1FN>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}
