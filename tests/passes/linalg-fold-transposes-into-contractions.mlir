// RUN: freehold opt %s --linalg-fold-transposes-into-contractions | FileCheck %s
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s --no-library-calls | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s -O0 | FileCheck %s --check-prefix=OUT

#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#turned = affine_map<(d0, d1, d2) -> (d2, d0, d1)>

// The product reads both factors where they were before, by other maps.
// CHECK: #[[LEFT:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK: #[[RIGHT:.*]] = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
// CHECK: #[[RESULT:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @heads
// CHECK-NOT:     linalg.transpose
// CHECK:         linalg.fill
// CHECK-NEXT:    linalg.generic {indexing_maps = [#[[LEFT]], #[[RIGHT]], #[[RESULT]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK-SAME:      ins(%arg0, %arg1 : tensor<16x4x32xf32>, tensor<16x4x32xf32>)
func.func @heads(%q: tensor<16x4x32xf32>, %k: tensor<16x4x32xf32>) -> tensor<4x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16x32xf32>
  %a = linalg.transpose ins(%q : tensor<16x4x32xf32>) outs(%e : tensor<4x16x32xf32>) permutation = [1, 0, 2]
  %f = tensor.empty() : tensor<4x32x16xf32>
  %b = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel", "parallel"]}
    ins(%k : tensor<16x4x32xf32>) outs(%f : tensor<4x32x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x32x16xf32>
  %g = tensor.empty() : tensor<4x16x16xf32>
  %c = linalg.fill ins(%zero : f32) outs(%g : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %p = linalg.batch_matmul ins(%a, %b : tensor<4x16x32xf32>, tensor<4x32x16xf32>) outs(%c : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  return %p : tensor<4x16x16xf32>
}

// Small products, thin ones, other types, and what others use as well stay.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-4: linalg.transpose
func.func @others(%s: tensor<8x8xf32>, %v: tensor<64x64xf32>, %w: tensor<2x64xf32>, %h: tensor<64x64xf16>, %m: tensor<64x64xf32>)
    -> (tensor<8x8xf32>, tensor<2x64xf32>, tensor<64x64xf16>, tensor<64x64xf32>, tensor<64x64xf32>) {
  %e = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%s : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %p = linalg.matmul ins(%s, %t : tensor<8x8xf32>, tensor<8x8xf32>) outs(%s : tensor<8x8xf32>) -> tensor<8x8xf32>
  %f = tensor.empty() : tensor<64x64xf32>
  %u = linalg.transpose ins(%v : tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) permutation = [1, 0]
  %q = linalg.matmul ins(%w, %u : tensor<2x64xf32>, tensor<64x64xf32>) outs(%w : tensor<2x64xf32>) -> tensor<2x64xf32>
  %g = tensor.empty() : tensor<64x64xf16>
  %x = linalg.transpose ins(%h : tensor<64x64xf16>) outs(%g : tensor<64x64xf16>) permutation = [1, 0]
  %r = linalg.matmul ins(%h, %x : tensor<64x64xf16>, tensor<64x64xf16>) outs(%h : tensor<64x64xf16>) -> tensor<64x64xf16>
  %y = linalg.transpose ins(%m : tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) permutation = [1, 0]
  %z = linalg.matmul ins(%m, %y : tensor<64x64xf32>, tensor<64x64xf32>) outs(%m : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %p, %q, %r, %z, %y : tensor<8x8xf32>, tensor<2x64xf32>, tensor<64x64xf16>, tensor<64x64xf32>, tensor<64x64xf32>
}

func.func private @printF32(f32)
func.func private @printNewline()

// The sum of 32 products of (i + 7 h + 2 k) and (j + 7 h + 2 k) at h = 3, i = 5, j = 11.
// OUT: 125824
func.func @main() {
  %e = tensor.empty() : tensor<16x4x32xf32>
  %x = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%e : tensor<16x4x32xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %h = linalg.index 1 : index
    %k = linalg.index 2 : index
    %c7 = arith.constant 7 : index
    %c2 = arith.constant 2 : index
    %h7 = arith.muli %h, %c7 : index
    %k2 = arith.muli %k, %c2 : index
    %ih = arith.addi %i, %h7 : index
    %sum = arith.addi %ih, %k2 : index
    %number = arith.index_cast %sum : index to i32
    %float = arith.sitofp %number : i32 to f32
    linalg.yield %float : f32
  } -> tensor<16x4x32xf32>
  %p = call @heads(%x, %x) : (tensor<16x4x32xf32>, tensor<16x4x32xf32>) -> tensor<4x16x16xf32>
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %c11 = arith.constant 11 : index
  %f = tensor.extract %p[%c3, %c5, %c11] : tensor<4x16x16xf32>
  call @printF32(%f) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}

// Where types do not say the sizes of the result, it stays as it is.

// CHECK-LABEL: func.func @sizes_of_factors
// CHECK:         linalg.generic
// CHECK:         linalg.transpose
func.func @sizes_of_factors(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %n: index) -> tensor<?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x?xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %xy = arith.mulf %x, %y : f32
    %s = arith.addf %sum, %xy : f32
    linalg.yield %s : f32
  } -> tensor<?x?xf32>
  %t = tensor.empty(%n, %n) : tensor<?x?xf32>
  %r = linalg.transpose ins(%p : tensor<?x?xf32>) outs(%t : tensor<?x?xf32>) permutation = [1, 0]
  return %r : tensor<?x?xf32>
}
