// StableHLO becomes linalg, tensor, scf and arith.
//
// RUN: freehold opt --stablehlo-legalize-to-linalg %s | FileCheck %s
// RUN: freehold opt --stablehlo-legalize-to-linalg=reassociate-fp-reductions=true %s | FileCheck %s --check-prefix=OPEN
// RUN: freehold compile --fp=contract --emit=mlir %s | FileCheck %s --check-prefix=CONTRACT
// RUN: freehold compile --emit=mlir %s | FileCheck %s --check-prefix=STRICT
// STRICT-NOT: reassoc

// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[LAST:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d2 + d4, d3 + d5, d6)>
// CHECK-DAG: #[[LAST_KERNEL:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d1)>
// CHECK-DAG: #[[FIRST:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 + d5, d3 + d6)>
// CHECK-DAG: #[[FIRST_KERNEL:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>

// CHECK-LABEL: func.func @elementwise
// CHECK: linalg.generic
// CHECK: arith.addf
func.func @elementwise(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %0 = stablehlo.add %a, %b : tensor<4x?xf32>
  return %0 : tensor<4x?xf32>
}

// Tensors of rank 0 are scalars.
// CHECK-LABEL: func.func @scalars
// CHECK-NOT: linalg
// CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NEXT: tensor.from_elements
func.func @scalars(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.multiply %a, %a : tensor<f32>
  %1 = stablehlo.add %0, %a : tensor<f32>
  return %1 : tensor<f32>
}

// Broadcasts stay indexing maps.
// CHECK-LABEL: func.func @broadcast
// CHECK: linalg.generic {indexing_maps = [#[[ROW]], #{{.*}}]
func.func @broadcast(%a: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = stablehlo.broadcast_in_dim %a, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// A product of any dimension numbers is one contraction without copies.
// CHECK-LABEL: func.func @product
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "parallel", "parallel", "reduction"]
func.func @product(%a: tensor<8x2x4xf32>, %b: tensor<2x4x16xf32>) -> tensor<2x8x16xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [1] x [0], contracting_dims = [2] x [1] : (tensor<8x2x4xf32>, tensor<2x4x16xf32>) -> tensor<2x8x16xf32>
  return %0 : tensor<2x8x16xf32>
}

// Unsigned elements are cast where the operation begins and ends.
// CHECK-LABEL: func.func @unsigned
// CHECK: builtin.unrealized_conversion_cast %arg0 : tensor<4xui8> to tensor<4xi8>
// CHECK: arith.maxui
// CHECK: builtin.unrealized_conversion_cast %{{.*}} : tensor<4xi8> to tensor<4xui8>
func.func @unsigned(%a: tensor<4xui8>) -> tensor<4xui8> {
  %0 = stablehlo.maximum %a, %a : tensor<4xui8>
  return %0 : tensor<4xui8>
}

// The order of long sums is open; of what combines few elements, or whose order does not matter, nothing is said.
// OPEN-LABEL: func.func @sums
// OPEN: arith.addf {{.*}} fastmath<reassoc> : f32
// OPEN: arith.addf %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
// OPEN: arith.maximumf %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : f32
// OPEN: arith.mulf {{.*}} fastmath<reassoc> : f32
// CONTRACT-LABEL: func.func @sums
// CONTRACT: vector.load
// CONTRACT: arith.addf {{.*}} fastmath<reassoc> : vector<
func.func @sums(%a: tensor<4x64xf32>, %b: tensor<4x?xf32>, %zero: tensor<f32>) -> (tensor<4xf32>, tensor<64xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x64xf32>, tensor<f32>) -> tensor<64xf32>
  %2 = stablehlo.reduce(%a init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<4x64xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = stablehlo.reduce(%b init: %zero) applies stablehlo.multiply across dimensions = [1] : (tensor<4x?xf32>, tensor<f32>) -> tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<64xf32>, tensor<4xf32>, tensor<4xf32>
}

// Products of complex matrices are four of floats, but for small ones.
// CHECK-LABEL: func.func @complex_products
// CHECK: complex.re
// CHECK: complex.im
// CHECK-COUNT-2: arith.mulf
// CHECK: arith.negf
// CHECK-COUNT-2: arith.mulf
// CHECK: complex.create
// CHECK: complex.mul
// CHECK: complex.add %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}} : complex<f32>
// OPEN-LABEL: func.func @complex_products
// OPEN: complex.add {{.*}} fastmath<reassoc,contract> : complex<f32>
// CONTRACT-LABEL: func.func @complex_products
// CONTRACT: arith.mulf {{.*}} : vector<
func.func @complex_products(%a: tensor<16x16xcomplex<f32>>, %b: tensor<16x3xcomplex<f32>>) -> (tensor<16x16xcomplex<f32>>, tensor<16x3xcomplex<f32>>) {
  %0 = stablehlo.dot_general %a, %a, contracting_dims = [1] x [0] : (tensor<16x16xcomplex<f32>>, tensor<16x16xcomplex<f32>>) -> tensor<16x16xcomplex<f32>>
  %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x16xcomplex<f32>>, tensor<16x3xcomplex<f32>>) -> tensor<16x3xcomplex<f32>>
  return %0, %1 : tensor<16x16xcomplex<f32>>, tensor<16x3xcomplex<f32>>
}

// Sums of complex numbers are added up in any order as well.
// OPEN-LABEL: func.func @complex_sum
// OPEN: complex.add {{.*}} fastmath<reassoc> : complex<f32>
// CONTRACT-LABEL: func.func @complex_sum
// CONTRACT: arith.addf {{.*}} fastmath<reassoc> : vector<
func.func @complex_sum(%x: tensor<1000xcomplex<f32>>) -> tensor<complex<f32>> {
  %zero = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<1000xcomplex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
  return %0 : tensor<complex<f32>>
}

// Products that may be small are none of floats.
// CHECK-LABEL: func.func @complex_products_of_unknown_sizes
// CHECK-NOT: complex.re
// CHECK: complex.mul
func.func @complex_products_of_unknown_sizes(%a: tensor<?x?x16xcomplex<f32>>, %b: tensor<16x16xcomplex<f32>>) -> tensor<?x?x16xcomplex<f32>> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [2] x [0] : (tensor<?x?x16xcomplex<f32>>, tensor<16x16xcomplex<f32>>) -> tensor<?x?x16xcomplex<f32>>
  return %0 : tensor<?x?x16xcomplex<f32>>
}

// A known exponent is products and a root, of tensors of any size as well.
// CHECK-LABEL: func.func @power_of_any_size
// CHECK: %[[SQUARE:.*]] = arith.mulf %[[X:.*]], %[[X]] : f32
// CHECK: arith.mulf %[[X]], %[[SQUARE]] : f32
// CHECK-NOT: math.powf
func.func @power_of_any_size(%x: tensor<?xf32>, %sizes: tensor<1xi64>) -> tensor<?xf32> {
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %exponents = stablehlo.dynamic_broadcast_in_dim %three, %sizes, dims = [] : (tensor<f32>, tensor<1xi64>) -> tensor<?xf32>
  %power = stablehlo.power %x, %exponents : tensor<?xf32>
  return %power : tensor<?xf32>
}

// Features of the input and the window are added up in the order in which the input has them.

// CHECK-LABEL: func.func @channels_last
// CHECK: linalg.generic {indexing_maps = [#[[LAST]], #[[LAST_KERNEL]], #{{.*}}], {{.*}} ins(%{{.*}} : tensor<1x8x8x4xf32>, tensor<3x3x4x5xf32>)
func.func @channels_last(%x: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x5xf32>) -> tensor<1x6x6x5xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x4x5xf32>) -> tensor<1x6x6x5xf32>
  return %0 : tensor<1x6x6x5xf32>
}

// CHECK-LABEL: func.func @channels_first
// CHECK: linalg.generic {indexing_maps = [#[[FIRST]], #[[FIRST_KERNEL]], #{{.*}}], {{.*}} ins(%{{.*}} : tensor<1x4x8x8xf32>, tensor<5x4x3x3xf32>)
func.func @channels_first(%x: tensor<1x4x8x8xf32>, %k: tensor<5x4x3x3xf32>) -> tensor<1x5x6x6xf32> {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x8x8xf32>, tensor<5x4x3x3xf32>) -> tensor<1x5x6x6xf32>
  return %0 : tensor<1x5x6x6xf32>
}
