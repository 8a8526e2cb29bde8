// Floats of 16 bits are computed with as f32.

// RUN: freehold run %s --function=factor --input=2x2xf16=4,2,2,5 --check | FileCheck %s --check-prefix=FACTOR
// RUN: freehold run %s --function=solve --input=2x2xbf16=2,9,1,4 --input=2x1xbf16=6,11 --check | FileCheck %s --check-prefix=SOLVE

// FACTOR:      result #0: 2x2xf16
// FACTOR-NEXT: {{\[\[}}2.0, 0.0],
// FACTOR-NEXT: [1.0, 2.0]]
func.func @factor(%a: tensor<2x2xf16>) -> tensor<2x2xf16> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x2xf16>
  return %0 : tensor<2x2xf16>
}

// SOLVE:      result #0: 2x1xbf16
// SOLVE-NEXT: {{\[\[}}3.0],
// SOLVE-NEXT: [2.0]]
func.func @solve(%a: tensor<2x2xbf16>, %b: tensor<2x1xbf16>) -> tensor<2x1xbf16> {
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}> : (tensor<2x2xbf16>, tensor<2x1xbf16>) -> tensor<2x1xbf16>
  return %0 : tensor<2x1xbf16>
}
