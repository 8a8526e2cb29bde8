// RUN: freehold opt %s | FileCheck %s --strict-whitespace
// RUN: freehold opt %s | freehold opt - | FileCheck %s --strict-whitespace
// RUN: freehold opt --mlir-print-op-generic %s | freehold opt - | FileCheck %s --strict-whitespace

// The text is that of jaxlib's printer.

// CHECK-LABEL: func.func @elementwise(
func.func @elementwise(%a: tensor<4xf32>, %b: tensor<4xf32>, %i: tensor<4xui32>, %c: tensor<4xcomplex<f32>>) {
  // CHECK-NEXT: %cst = stablehlo.constant dense<1.000000e+00> : tensor<4xf32>
  %one = stablehlo.constant dense<1.0> : tensor<4xf32>
  // CHECK-NEXT: %c = stablehlo.constant {note} dense<[1, 2]> : tensor<2xi32>
  %two = stablehlo.constant {note} dense<[1, 2]> : tensor<2xi32>
  // CHECK-NEXT: %0 = stablehlo.add %arg0, %arg1 : tensor<4xf32>
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  // CHECK-NEXT: %1 = stablehlo.exponential %arg0 {mark = 1 : i32} : tensor<4xf32>
  %1 = stablehlo.exponential %a {mark = 1 : i32} : tensor<4xf32>
  // CHECK-NEXT: %2 = stablehlo.abs %arg3 : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  %2 = stablehlo.abs %c : (tensor<4xcomplex<f32>>) -> tensor<4xf32>
  // CHECK-NEXT: %3 = stablehlo.complex %arg0, %arg1 : tensor<4xcomplex<f32>>
  %3 = stablehlo.complex %a, %b : tensor<4xcomplex<f32>>
  // CHECK-NEXT: %4 = stablehlo.compare LT, %arg0, %arg1, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  %4 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  // CHECK-NEXT: %5 = stablehlo.compare EQ, %arg2, %arg2 : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  %5 = stablehlo.compare EQ, %i, %i : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
  // CHECK-NEXT: %6 = stablehlo.select %4, %arg0, %arg1 : tensor<4xi1>, tensor<4xf32>
  %6 = stablehlo.select %4, %a, %b : tensor<4xi1>, tensor<4xf32>
  // CHECK-NEXT: %7 = stablehlo.convert %arg2 : (tensor<4xui32>) -> tensor<4xbf16>
  %7 = stablehlo.convert %i : (tensor<4xui32>) -> tensor<4xbf16>
  // CHECK-NEXT: %8 = stablehlo.clamp %arg0, %arg1, %arg0 : tensor<4xf32>
  %8 = stablehlo.clamp %a, %b, %a : tensor<4xf32>
  // CHECK-NEXT: %9 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<4xf32>
  %9 = stablehlo.reduce_precision %a, format = e5m10 : tensor<4xf32>
  // CHECK-NEXT: %10 = stablehlo.is_finite %arg0 : (tensor<4xf32>) -> tensor<4xi1>
  %10 = stablehlo.is_finite %a : (tensor<4xf32>) -> tensor<4xi1>
  // CHECK-NEXT: %11 = chlo.erf %arg0 : tensor<4xf32> -> tensor<4xf32>
  %11 = chlo.erf %a : tensor<4xf32> -> tensor<4xf32>
  // CHECK-NEXT: %12 = chlo.broadcast_add %arg0, %arg1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %12 = chlo.broadcast_add %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: %values, %indices = chlo.top_k(%arg0, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %13:2 = chlo.top_k(%a, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
  return
}

// CHECK-LABEL: func.func @shapes(
func.func @shapes(%a: tensor<2x3xf32>, %s: tensor<f32>, %i: tensor<i32>, %n: tensor<2xi64>) {
  // CHECK-NEXT: %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  // CHECK-NEXT: %1 = stablehlo.broadcast_in_dim %arg0, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x5x3xf32>
  %1 = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x5x3xf32>
  // CHECK-NEXT: %2 = stablehlo.reshape %arg0 : (tensor<2x3xf32>) -> tensor<6xf32>
  %2 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<6xf32>
  // CHECK-NEXT: %3 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK-NEXT: %4 = stablehlo.slice %arg0 [0:1, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %4 = stablehlo.slice %a [0:1, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  // CHECK-NEXT: %5 = stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [1, 3] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
  %5 = stablehlo.dynamic_slice %a, %i, %i, sizes = [1, 3] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x3xf32>
  // CHECK-NEXT: %6 = stablehlo.dynamic_update_slice %arg0, %5, %arg2, %arg2 : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %6 = stablehlo.dynamic_update_slice %a, %5, %i, %i : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  // CHECK-NEXT: %7 = stablehlo.pad %arg0, %arg1, low = [0, 1], high = [-1, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<1x6xf32>
  %7 = stablehlo.pad %a, %s, low = [0, 1], high = [-1, 0], interior = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<1x6xf32>
  // CHECK-NEXT: %8 = stablehlo.concatenate %arg0, %arg0, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %8 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  // CHECK-NEXT: %9 = stablehlo.reverse %arg0, dims = [0] : tensor<2x3xf32>
  %9 = stablehlo.reverse %a, dims = [0] : tensor<2x3xf32>
  // CHECK-NEXT: %10 = stablehlo.dynamic_reshape %arg0, %arg3 : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  %10 = stablehlo.dynamic_reshape %a, %n : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  // CHECK-NEXT: %11 = stablehlo.get_dimension_size %10, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %11 = stablehlo.get_dimension_size %10, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  return
}

// CHECK-LABEL: func.func @products(
func.func @products(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %x: tensor<1x1x4x4xf32>, %k: tensor<1x1x2x2xf32>, %c: tensor<8xcomplex<f32>>, %m: tensor<3x3xf32>) {
  // CHECK-NEXT: %0 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  // CHECK-NEXT: %1 = stablehlo.convolution(%arg2, %arg3) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = {{\[}}[0, 1], [0, 1]], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x4x4xf32>
  // CHECK-NEXT: %2 = stablehlo.fft %arg4, type = FFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %2 = stablehlo.fft %c, type = FFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  // CHECK-NEXT: %3 = stablehlo.cholesky %arg5, lower = true : tensor<3x3xf32>
  %3 = stablehlo.cholesky %m, lower = true : tensor<3x3xf32>
  // CHECK-NEXT: %4 = "stablehlo.triangular_solve"(%arg5, %arg5) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %4 = "stablehlo.triangular_solve"(%m, %m) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  return
}

// CHECK-LABEL: func.func @bodies(
func.func @bodies(%a: tensor<4x4xf32>, %i: tensor<4x1xi32>, %s: tensor<f32>, %p: tensor<i1>, %n: tensor<i32>) {
  // CHECK-NEXT: %0 = stablehlo.reduce(%arg0 init: %arg2) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.reduce(%a init: %s) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  // CHECK-NEXT: %1:2 = stablehlo.reduce(%arg0 init: %arg2), (%arg0 init: %arg2) across dimensions = [1] : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
  // CHECK-NEXT: {{^     }}reducer(%arg5: tensor<f32>, %arg7: tensor<f32>) (%arg6: tensor<f32>, %arg8: tensor<f32>)  {
  %1:2 = stablehlo.reduce(%a init: %s), (%a init: %s) across dimensions = [1] : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%z: tensor<f32>, %w: tensor<f32>) {
    %sum = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %sum, %z : tensor<f32>, tensor<f32>
  }
  // CHECK: %2 = stablehlo.while(%iterArg = %arg4) : tensor<i32>
  // CHECK-NEXT: cond {
  // CHECK: } do {
  %2 = stablehlo.while(%k = %n) : tensor<i32>
  cond {
    %c = stablehlo.constant dense<10> : tensor<i32>
    %less = stablehlo.compare LT, %k, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.add %k, %k : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  // CHECK: "stablehlo.if"(%arg3) ({
  %3 = "stablehlo.if"(%p) ({
    stablehlo.return %s : tensor<f32>
  }, {
    stablehlo.return %s : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  // CHECK: "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
  %4 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<4x1xi32>) -> tensor<4x4xf32>
  // CHECK: stablehlo.custom_call @Sharding(%arg0) {backend_config = "x"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = stablehlo.custom_call @Sharding(%a) {backend_config = "x"} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: %{{.*}}:2 = stablehlo.optimization_barrier %arg0, %arg2 : tensor<4x4xf32>, tensor<f32>
  %6:2 = stablehlo.optimization_barrier %a, %s : tensor<4x4xf32>, tensor<f32>
  // CHECK: %{{.*}} = stablehlo.optimization_barrier %arg0 : (tensor<4x4xf32>) -> tensor<?x4xf32>
  %barrier = "stablehlo.optimization_barrier"(%a) : (tensor<4x4xf32>) -> tensor<?x4xf32>
  return
}
