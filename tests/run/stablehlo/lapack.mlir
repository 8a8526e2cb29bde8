// Linear algebra as JAX writes it for its own CPU device: calls of LAPACK.

// RUN: freehold run %s --function=factors --input=2x2xf64=4,2,2,5 --check | FileCheck %s --check-prefix=FACTORS
// RUN: freehold run %s --function=solve --input=2x2xf64=2,9,1,4 --input=2x1xf64=6,11 --check | FileCheck %s --check-prefix=SOLVE
// RUN: freehold run %s --function=pivots --input=2x2xf64=1,2,4,2 --check | FileCheck %s --check-prefix=PIVOTS
// RUN: freehold run %s --function=orthogonal --input=2x2xf64=0,2,3,0 --check | FileCheck %s --check-prefix=ORTHOGONAL
// RUN: freehold run %s --function=numbers --input=2x2xf64=3,0,0,1 --check | FileCheck %s --check-prefix=NUMBERS
// RUN: freehold run %s --function=batches --input=2x1x1xf64=4,9 --check | FileCheck %s --check-prefix=BATCHES

// FACTORS:      result #0: 2x2xf64
// FACTORS-NEXT: {{\[\[}}2.0, 0.0],
// FACTORS-NEXT: [1.0, 2.0]]
// FACTORS:      result #1: i32 = 0
func.func @factors(%a: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>) {
  %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<i32>)
  return %0#0, %0#1 : tensor<2x2xf64>, tensor<i32>
}

// The number above the diagonal is not read.
// SOLVE:      result #0: 2x1xf64
// SOLVE-NEXT: {{\[\[}}3.0],
// SOLVE-NEXT: [2.0]]
func.func @solve(%a: tensor<2x2xf64>, %b: tensor<2x1xf64>) -> tensor<2x1xf64> {
  %0 = stablehlo.custom_call @lapack_dtrsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf64>, tensor<2x1xf64>) -> tensor<2x1xf64>
  return %0 : tensor<2x1xf64>
}

// Rows have numbers from 1 on.
// PIVOTS:      result #0: 2x2xf64
// PIVOTS-NEXT: {{\[\[}}4.0, 2.0],
// PIVOTS-NEXT: [0.25, 1.5]]
// PIVOTS:      result #1: 2xi32 = [2, 2]
func.func @pivots(%a: tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xi32>) {
  %0:3 = stablehlo.custom_call @lapack_dgetrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xi32>, tensor<i32>)
  return %0#0, %0#1 : tensor<2x2xf64>, tensor<2xi32>
}

// ORTHOGONAL:      result #0: 2x2xf64
// ORTHOGONAL-NEXT: {{\[\[}}{{-?}}0.0, -1.0],
// ORTHOGONAL-NEXT: [-1.0, {{-?}}0.0]]
func.func @orthogonal(%a: tensor<2x2xf64>) -> tensor<2x2xf64> {
  %0:2 = stablehlo.custom_call @lapack_dgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>)
  %1 = stablehlo.custom_call @lapack_dorgqr_ffi(%0#0, %0#1) {mhlo.backend_config = {}} : (tensor<2x2xf64>, tensor<2xf64>) -> tensor<2x2xf64>
  return %1 : tensor<2x2xf64>
}

// NUMBERS:      result #0: 2xf64 = [1.0, 3.0]
// NUMBERS:      result #1: 2xf64 = [3.0, 1.0]
// NUMBERS:      result #2: 2xf64 = [0.0, 0.0]
func.func @numbers(%a: tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) {
  %0:3 = stablehlo.custom_call @lapack_dsyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<i32>)
  %1:5 = stablehlo.custom_call @lapack_dgesdd_ffi(%a) {mhlo.backend_config = {mode = 78 : ui8}} : (tensor<2x2xf64>) -> (tensor<2x2xf64>, tensor<2xf64>, tensor<2x2xf64>, tensor<2x2xf64>, tensor<i32>)
  %2:5 = stablehlo.custom_call @lapack_dgeev_ffi(%a) {mhlo.backend_config = {compute_left = 78 : ui8, compute_right = 78 : ui8}} : (tensor<2x2xf64>) -> (tensor<2xf64>, tensor<2xf64>, tensor<2x2xcomplex<f64>>, tensor<2x2xcomplex<f64>>, tensor<i32>)
  return %0#1, %1#1, %2#1 : tensor<2xf64>, tensor<2xf64>, tensor<2xf64>
}

// How many matrices there are is known only at run time: operands have the sizes of the results.
// BATCHES: result #0: 2x1x1xf64
// BATCHES: 2.0
// BATCHES: 3.0
// BATCHES: result #1: 2xi32 = [0, 0]
func.func @batches(%a: tensor<?x1x1xf64>) -> (tensor<?x1x1xf64>, tensor<?xi32>) {
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x1x1xf64>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %n1, %one, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
  %0:2 = stablehlo.custom_call @lapack_dpotrf_ffi(%a, %sizes, %n1) {indices_of_shape_operands = dense<[1, 2]> : tensor<2xi64>, mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<?x1x1xf64>, tensor<3xi32>, tensor<1xi32>) -> (tensor<?x1x1xf64>, tensor<?xi32>)
  return %0#0, %0#1 : tensor<?x1x1xf64>, tensor<?xi32>
}
