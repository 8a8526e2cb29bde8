// RUN: freehold opt %s --convert-onnx-to-stablehlo --split-input-file | FileCheck %s
// RUN: freehold opt %s --convert-onnx-to-linalg --split-input-file | FileCheck %s --check-prefix=LINALG

// Elements of tensors of one shape are StableHLO's business.
// CHECK-LABEL: func.func @add
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-NEXT: return %[[SUM]]
// LINALG-LABEL: func.func @add
// LINALG: linalg.generic
// LINALG: arith.addf
func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "onnx.Add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Dimensions of one name are one size: nothing is broadcast.
// CHECK-LABEL: func.func @symbols
// CHECK-NOT: linalg.generic
// CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<?x4xf32>
func.func @symbols(
    %a: tensor<?x4xf32> {onnx.name = "a", onnx.dim_params = "0:batch"},
    %b: tensor<?x4xf32> {onnx.name = "b", onnx.dim_params = "0:batch"}) -> tensor<?x4xf32> {
  %0 = "onnx.Mul"(%a, %b) : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// -----

// Shapes that are computed become arithmetic on sizes, and here none at all.
// CHECK-LABEL: func.func @reshape
// CHECK-NOT: tensor.from_elements
// CHECK: tensor.collapse_shape %{{.*}} {{\[}}[0], [1, 2]] : tensor<?x3x4xf32> into tensor<?x12xf32>
// CHECK-NOT: tensor.reshape
func.func @reshape(%a: tensor<?x3x4xf32>) -> tensor<*xf32> {
  %shape = "onnx.Shape"(%a) : (tensor<?x3x4xf32>) -> tensor<3xi64>
  %zero = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %first = "onnx.Gather"(%shape, %zero) {axis = 0 : si64} : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  %rest = "onnx.Constant"() {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %all = "onnx.Concat"(%first, %rest) {axis = 0 : si64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %0 = "onnx.Reshape"(%a, %all) : (tensor<?x3x4xf32>, tensor<2xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

// A branch that is known is the program; of others, results have the sizes that both have.
// CHECK-LABEL: func.func @branches
// CHECK: scf.if %{{.*}} -> (tensor<?xf32>)
func.func @branches(%c: tensor<i1>, %a: tensor<4xf32>) -> !onnx.Unknown {
  %0 = "onnx.If"(%c) ({
    %1 = "onnx.Concat"(%a, %a) {axis = 0 : si64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    "onnx.Yield"(%1) : (tensor<8xf32>) -> ()
  }, {
    "onnx.Yield"(%a) : (tensor<4xf32>) -> ()
  }) : (tensor<i1>) -> !onnx.Unknown
  return %0 : !onnx.Unknown
}

// -----

// A normalization with known statistics becomes part of the weights in front of it: 2 * 3 and (1 - 5) * 3 + 7.
// CHECK-LABEL: @normalized
// CHECK: %[[W:.*]] = stablehlo.constant dense<{{.*}}6.000000e+00{{.*}}> : tensor<1x1x1x1xf32>
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[W]] :
// CHECK: stablehlo.constant dense<-5.000000e+00>
// CHECK-NEXT: stablehlo.add
// CHECK-NEXT: return
func.func @normalized(%x: tensor<1x1x4x4xf32>) -> !onnx.Unknown {
  %w = "onnx.Constant"() {value = dense<2.0> : tensor<1x1x1x1xf32>} : () -> tensor<1x1x1x1xf32>
  %b = "onnx.Constant"() {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %scale = "onnx.Constant"() {value = dense<6.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %bias = "onnx.Constant"() {value = dense<7.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %mean = "onnx.Constant"() {value = dense<5.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %variance = "onnx.Constant"() {value = dense<4.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = "onnx.Conv"(%x, %w, %b) : (tensor<1x1x4x4xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> !onnx.Unknown
  %1 = "onnx.BatchNormalization"(%0, %scale, %bias, %mean, %variance) {epsilon = 0.0 : f32} : (!onnx.Unknown, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> !onnx.Unknown
  return %1 : !onnx.Unknown
}

// -----

// Weights that a graph reorders are constants: rows 1 and 0, then transposed.
// CHECK-LABEL: @reordered
// CHECK: %[[W:.*]] = stablehlo.constant dense<{{\[\[}}4, 1], [5, 2], [6, 3]]> : tensor<3x2xi32>
// CHECK-NEXT: return %[[W]]
func.func @reordered() -> !onnx.Unknown {
  %w = "onnx.Constant"() {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>} : () -> tensor<2x3xi32>
  %first:2 = "onnx.Split"(%w) {axis = 0 : si64, num_outputs = 2 : si64} : (tensor<2x3xi32>) -> (!onnx.Unknown, !onnx.Unknown)
  %0 = "onnx.Concat"(%first#1, %first#0) {axis = 0 : si64} : (!onnx.Unknown, !onnx.Unknown) -> !onnx.Unknown
  %1 = "onnx.Transpose"(%0) {perm = [1, 0]} : (!onnx.Unknown) -> !onnx.Unknown
  return %1 : !onnx.Unknown
}

// -----

// Bytes are widened where they are multiplied: nothing of 32 bits is stored but sums. Margins are the zero point.
// LINALG-LABEL: func.func @integer_convolution
// LINALG: tensor.pad {{.*}}
// LINALG: tensor<1x4x8x8xi8> to tensor<1x4x10x10xi8>
// LINALG: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<1x4x10x10xi8>, tensor<8x4x3x3xi8>, i32)
// LINALG: arith.extui
// LINALG-NEXT: arith.subi
// LINALG-NEXT: arith.extsi
// LINALG-NEXT: arith.muli
func.func @integer_convolution(
    %x: tensor<1x4x8x8xui8>, %w: tensor<8x4x3x3xi8>, %zero: tensor<ui8>) -> tensor<1x8x8x8xi32> {
  %0 = "onnx.ConvInteger"(%x, %w, %zero) {pads = [1, 1, 1, 1]}
      : (tensor<1x4x8x8xui8>, tensor<8x4x3x3xi8>, tensor<ui8>) -> tensor<1x8x8x8xi32>
  return %0 : tensor<1x8x8x8xi32>
}

// -----

// Zero points of columns are taken off beforehand.
// LINALG-LABEL: func.func @integer_product
// LINALG: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x16xi8>, tensor<16x8xi8>)
// LINALG-LABEL: func.func @zeros_of_columns
// LINALG: ins(%{{.*}}, %{{.*}} : tensor<4x16xi32>, tensor<16x8xi32>)
func.func @integer_product(%x: tensor<4x16xui8>, %w: tensor<16x8xi8>) -> tensor<4x8xi32> {
  %0 = "onnx.MatMulInteger"(%x, %w) : (tensor<4x16xui8>, tensor<16x8xi8>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}
func.func @zeros_of_columns(
    %x: tensor<4x16xui8>, %w: tensor<16x8xi8>, %p: tensor<ui8>, %q: tensor<8xi8>) -> tensor<4x8xi32> {
  %0 = "onnx.MatMulInteger"(%x, %w, %p, %q)
      : (tensor<4x16xui8>, tensor<16x8xi8>, tensor<ui8>, tensor<8xi8>) -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// Weights whose rows are multiplied are transposed here, unless there are only a few rows to multiply them by.
// CHECK-LABEL: func.func @weights
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0]
// CHECK-SAME: (tensor<8x2xf32>, tensor<2x3xf32>) -> tensor<8x3xf32>
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [1]
// CHECK-SAME: (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<4x3xf32>
// CHECK: stablehlo.constant dense<{{\[\[}}1.000000e+00, 3.000000e+00, 5.000000e+00], [2.000000e+00, 4.000000e+00, 6.000000e+00]]>
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0]
// CHECK-SAME: (tensor<?x2xf32>, tensor<2x3xf32>) -> tensor<?x3xf32>
func.func @weights(%x: tensor<8x2xf32>, %y: tensor<4x2xf32>, %z: tensor<?x2xf32>)
    -> (tensor<8x3xf32>, tensor<4x3xf32>, tensor<?x3xf32>) {
  %w = "onnx.Constant"() {value = dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>} : () -> tensor<3x2xf32>
  %none = "onnx.NoValue"() {value} : () -> none
  %0 = "onnx.Gemm"(%x, %w, %none) {transB = 1 : si64} : (tensor<8x2xf32>, tensor<3x2xf32>, none) -> tensor<8x3xf32>
  %1 = "onnx.Gemm"(%y, %w, %none) {transB = 1 : si64} : (tensor<4x2xf32>, tensor<3x2xf32>, none) -> tensor<4x3xf32>
  %2 = "onnx.Gemm"(%z, %w, %none) {transB = 1 : si64} : (tensor<?x2xf32>, tensor<3x2xf32>, none) -> tensor<?x3xf32>
  return %0, %1, %2 : tensor<8x3xf32>, tensor<4x3xf32>, tensor<?x3xf32>
}

// -----

// Weights that are computed of constants are computed where they are read, and of tables only the rows that are.
// CHECK-LABEL: func.func @computed_weights
// CHECK: stablehlo.tanh
// CHECK: stablehlo.convert %{{.*}} : (tensor<4x4xi8>) -> tensor<4x4xf32>
// CHECK: stablehlo.dot_general
// CHECK-LABEL: func.func @rows_of_table
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x10xi8>)
// CHECK: stablehlo.convert %{{.*}} : (tensor<2x10xi8>) -> tensor<2x10xf32>
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<2x1xf32>)
// CHECK: stablehlo.multiply %{{.*}} : tensor<2x10xf32>
// CHECK: stablehlo.add %{{.*}} : tensor<2x10xf32>
// CHECK-NEXT: return
func.func @computed_weights(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %small = "onnx.Constant"() {value = dense<3> : tensor<4x4xi8>} : () -> tensor<4x4xi8>
  %w = "onnx.Cast"(%small) {to = f32} : (tensor<4x4xi8>) -> tensor<4x4xf32>
  %y = "onnx.Tanh"(%x) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %0 = "onnx.MatMul"(%y, %w) : (tensor<8x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func @rows_of_table(%i: tensor<2xi64>) -> tensor<2x10xf32> {
  %small = "onnx.Constant"() {value = dense<3> : tensor<20x10xi8>} : () -> tensor<20x10xi8>
  %scale = "onnx.Constant"() {value = dense<0.5> : tensor<20x1xf32>} : () -> tensor<20x1xf32>
  %zero = "onnx.Constant"() {value = dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]]> : tensor<1x10xf32>} : () -> tensor<1x10xf32>
  %0 = "onnx.Cast"(%small) {to = f32} : (tensor<20x10xi8>) -> tensor<20x10xf32>
  %1 = "onnx.Mul"(%0, %scale) : (tensor<20x10xf32>, tensor<20x1xf32>) -> tensor<20x10xf32>
  %2 = "onnx.Add"(%1, %zero) : (tensor<20x10xf32>, tensor<1x10xf32>) -> tensor<20x10xf32>
  %3 = "onnx.Gather"(%2, %i) {axis = 0 : si64} : (tensor<20x10xf32>, tensor<2xi64>) -> tensor<2x10xf32>
  return %3 : tensor<2x10xf32>
}

// Tables that are computed in many ways are computed whole.
// CHECK-LABEL: func.func @doubled
// CHECK-COUNT-40: stablehlo.add %{{.*}} : tensor<20x10xf32>
// CHECK-NOT:     stablehlo.add
// CHECK:         return
func.func @doubled(%i: tensor<2xi64>) -> tensor<2x10xf32> {
  %0 = "onnx.Constant"() {value = dense<0.5> : tensor<20x10xf32>} : () -> tensor<20x10xf32>
  %1 = "onnx.Add"(%0, %0) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %2 = "onnx.Add"(%1, %1) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %3 = "onnx.Add"(%2, %2) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %4 = "onnx.Add"(%3, %3) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %5 = "onnx.Add"(%4, %4) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %6 = "onnx.Add"(%5, %5) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %7 = "onnx.Add"(%6, %6) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %8 = "onnx.Add"(%7, %7) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %9 = "onnx.Add"(%8, %8) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %10 = "onnx.Add"(%9, %9) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %11 = "onnx.Add"(%10, %10) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %12 = "onnx.Add"(%11, %11) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %13 = "onnx.Add"(%12, %12) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %14 = "onnx.Add"(%13, %13) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %15 = "onnx.Add"(%14, %14) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %16 = "onnx.Add"(%15, %15) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %17 = "onnx.Add"(%16, %16) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %18 = "onnx.Add"(%17, %17) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %19 = "onnx.Add"(%18, %18) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %20 = "onnx.Add"(%19, %19) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %21 = "onnx.Add"(%20, %20) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %22 = "onnx.Add"(%21, %21) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %23 = "onnx.Add"(%22, %22) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %24 = "onnx.Add"(%23, %23) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %25 = "onnx.Add"(%24, %24) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %26 = "onnx.Add"(%25, %25) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %27 = "onnx.Add"(%26, %26) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %28 = "onnx.Add"(%27, %27) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %29 = "onnx.Add"(%28, %28) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %30 = "onnx.Add"(%29, %29) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %31 = "onnx.Add"(%30, %30) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %32 = "onnx.Add"(%31, %31) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %33 = "onnx.Add"(%32, %32) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %34 = "onnx.Add"(%33, %33) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %35 = "onnx.Add"(%34, %34) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %36 = "onnx.Add"(%35, %35) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %37 = "onnx.Add"(%36, %36) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %38 = "onnx.Add"(%37, %37) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %39 = "onnx.Add"(%38, %38) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %40 = "onnx.Add"(%39, %39) : (tensor<20x10xf32>, tensor<20x10xf32>) -> tensor<20x10xf32>
  %r = "onnx.Gather"(%40, %i) {axis = 0 : si64} : (tensor<20x10xf32>, tensor<2xi64>) -> tensor<2x10xf32>
  return %r : tensor<2x10xf32>
}

// -----

// Batches that are counted at run time are as many in each step: nothing is broadcast, and rows have their places.
// CHECK-LABEL: func.func @recurrent
// CHECK: %[[ROWS:.*]] = tensor.empty(%{{.*}}, %{{.*}}) : tensor<?x?x2xf32>
// CHECK: scf.for {{.*}} -> (tensor<?x2xf32>, tensor<?x?x2xf32>)
// CHECK-NOT: arith.select
// CHECK: tensor.insert_slice
// CHECK-NEXT: scf.yield
func.func @recurrent(%x: tensor<?x?x3xf32>) -> tensor<*xf32> {
  %w = "onnx.Constant"() {value = dense<0.5> : tensor<1x6x3xf32>} : () -> tensor<1x6x3xf32>
  %r = "onnx.Constant"() {value = dense<0.25> : tensor<1x6x2xf32>} : () -> tensor<1x6x2xf32>
  %none = "onnx.NoValue"() {value} : () -> none
  %0:2 = "onnx.GRU"(%x, %w, %r, %none, %none, %none) {hidden_size = 2 : si64}
      : (tensor<?x?x3xf32>, tensor<1x6x3xf32>, tensor<1x6x2xf32>, none, none, none) -> (tensor<*xf32>, none)
  return %0#0 : tensor<*xf32>
}
