// Factorizations, triangular systems and transforms have the same bits at every level, unless `--fp` lets sums be
// regrouped.
//
// RUN: freehold run - -O0 < %s > %t.0
// RUN: freehold run - -O2 < %s > %t.2
// RUN: freehold run - -O3 < %s > %t.3
// RUN: diff %t.0 %t.2
// RUN: diff %t.0 %t.3
// RUN: FileCheck %s < %t.0
// RUN: freehold opt --stablehlo-legalize-to-linalg %s | FileCheck %s --check-prefix=STRICT
// RUN: freehold opt --stablehlo-legalize-to-linalg=reassociate-fp-reductions %s | FileCheck %s --check-prefix=OPEN

// STRICT-NOT: fastmath
// OPEN: fastmath<reassoc,contract>

// CHECK: {{[1-9]}}
func.func @main() -> (tensor<40x40xf32>, tensor<40x40xf32>, tensor<40xcomplex<f32>>, tensor<40x40xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<40x40xf32>
  %j = stablehlo.iota dim = 1 : tensor<40x40xf32>
  %p = stablehlo.multiply %i, %j : tensor<40x40xf32>
  %wave = stablehlo.sine %p : tensor<40x40xf32>
  %square = stablehlo.dot_general %wave, %wave, contracting_dims = [1] x [1] : (tensor<40x40xf32>, tensor<40x40xf32>) -> tensor<40x40xf32>
  %same = stablehlo.compare EQ, %i, %j : (tensor<40x40xf32>, tensor<40x40xf32>) -> tensor<40x40xi1>
  %fifty = stablehlo.constant dense<50.0> : tensor<40x40xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<40x40xf32>
  %shift = stablehlo.select %same, %fifty, %zero : tensor<40x40xi1>, tensor<40x40xf32>
  %positive = stablehlo.add %square, %shift : tensor<40x40xf32>
  %root = stablehlo.cholesky %positive, lower = true : tensor<40x40xf32>
  %solved = "stablehlo.triangular_solve"(%root, %wave) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<40x40xf32>, tensor<40x40xf32>) -> tensor<40x40xf32>
  %row = stablehlo.slice %wave [3:4, 0:40] : (tensor<40x40xf32>) -> tensor<1x40xf32>
  %line = stablehlo.reshape %row : (tensor<1x40xf32>) -> tensor<40xf32>
  %imaginary = stablehlo.negate %line : tensor<40xf32>
  %complex = stablehlo.complex %line, %imaginary : tensor<40xcomplex<f32>>
  %spectrum = stablehlo.fft %complex, type = FFT, length = [40] : (tensor<40xcomplex<f32>>) -> tensor<40xcomplex<f32>>
  %qr:2 = stablehlo.custom_call @Qr(%wave) : (tensor<40x40xf32>) -> (tensor<40x40xf32>, tensor<40xf32>)
  return %root, %solved, %spectrum, %qr#0 : tensor<40x40xf32>, tensor<40x40xf32>, tensor<40xcomplex<f32>>, tensor<40x40xf32>
}
