// Integers of 32 bits are rounded to floats of 16 once, in vectors as one by one: in the middle between two floats and right
// beside it. Shifts of each number by one of its own are those of scalars.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run -O0 - < %s | FileCheck %s
// RUN: freehold run --target-cpu=native - < %s | FileCheck %s

// CHECK: result #0: 16xf32 = [16777216.0, 16777216.0, 16777216.0, 16908288.0, 17039360.0, 16908288.0, 17039360.0, -16908288.0, -16777216.0, 33816576.0, 2147483600.0, -2147483600.0, 8388608.0, 65536.0, 65536.0, -65536.0]
// CHECK-NEXT: result #1: 16xf32 = [16777216.0, 16777216.0, 16777216.0, 16908288.0, 17039360.0, 16908288.0, 17039360.0, 4278190000.0, 4278190000.0, 33816576.0, 2147483600.0, 2147483600.0, 8388608.0, 65536.0, 65536.0, 4294967300.0]
// CHECK-NEXT: result #2: 16xf32 = [inf, inf, inf, inf, inf, inf, inf, -inf, -inf, inf, inf, -inf, inf, 65504.0, inf, -inf]
// CHECK-NEXT: result #3: 16xi8 = [1, 2, 4, 8, 16, 32, 64, -128, -3, -6, -12, -24, -48, -96, 64, -128]
// CHECK-NEXT: result #4: 16xi8 = [1, 0, 0, 0, 0, 0, 0, 0, -3, -2, -1, -1, -1, -1, -1, -1]
// CHECK-NEXT: result #5: 16xi8 = [1, 0, 0, 0, 0, 0, 0, 0, -3, 126, 63, 31, 15, 7, 3, 1]
#id = affine_map<(d0) -> (d0)>
func.func @main() -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xi8>, tensor<16xi8>, tensor<16xi8>) {
  %numbers = arith.constant dense<[16777217, 16842751, 16842752, 16842753, 16973824, 16973823, 16973825, -16842753, -16842752, 33685505, 2147483647, -2147483648, 8388609, 65519, 65520, -65521]> : tensor<16xi32>
  %bytes = arith.constant dense<[1, 1, 1, 1, 1, 1, 1, 1, -3, -3, -3, -3, -3, -3, -3, -3]> : tensor<16xi8>
  %amounts = arith.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]> : tensor<16xi8>
  %a, %b, %c, %d, %e, %f = func.call @all(%numbers, %bytes, %amounts) : (tensor<16xi32>, tensor<16xi8>, tensor<16xi8>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xi8>, tensor<16xi8>, tensor<16xi8>)
  return %a, %b, %c, %d, %e, %f : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xi8>, tensor<16xi8>, tensor<16xi8>
}

// Not known at compile time.
func.func private @all(%numbers: tensor<16xi32>, %bytes: tensor<16xi8>, %amounts: tensor<16xi8>) -> (tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xi8>, tensor<16xi8>, tensor<16xi8>) attributes {no_inline} {
  %floats = tensor.empty() : tensor<16xf32>
  %integers = tensor.empty() : tensor<16xi8>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%numbers : tensor<16xi32>) outs(%floats : tensor<16xf32>) {
  ^bb0(%x: i32, %out: f32):
    %half = arith.sitofp %x : i32 to bf16
    %single = arith.extf %half : bf16 to f32
    linalg.yield %single : f32
  } -> tensor<16xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%numbers : tensor<16xi32>) outs(%floats : tensor<16xf32>) {
  ^bb0(%x: i32, %out: f32):
    %half = arith.uitofp %x : i32 to bf16
    %single = arith.extf %half : bf16 to f32
    linalg.yield %single : f32
  } -> tensor<16xf32>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%numbers : tensor<16xi32>) outs(%floats : tensor<16xf32>) {
  ^bb0(%x: i32, %out: f32):
    %half = arith.sitofp %x : i32 to f16
    %single = arith.extf %half : f16 to f32
    linalg.yield %single : f32
  } -> tensor<16xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%bytes, %amounts : tensor<16xi8>, tensor<16xi8>) outs(%integers : tensor<16xi8>) {
  ^bb0(%x: i8, %n: i8, %out: i8):
    %shifted = arith.shli %x, %n : i8
    linalg.yield %shifted : i8
  } -> tensor<16xi8>
  %e = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%bytes, %amounts : tensor<16xi8>, tensor<16xi8>) outs(%integers : tensor<16xi8>) {
  ^bb0(%x: i8, %n: i8, %out: i8):
    %shifted = arith.shrsi %x, %n : i8
    linalg.yield %shifted : i8
  } -> tensor<16xi8>
  %f = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%bytes, %amounts : tensor<16xi8>, tensor<16xi8>) outs(%integers : tensor<16xi8>) {
  ^bb0(%x: i8, %n: i8, %out: i8):
    %shifted = arith.shrui %x, %n : i8
    linalg.yield %shifted : i8
  } -> tensor<16xi8>
  return %a, %b, %c, %d, %e, %f : tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xi8>, tensor<16xi8>, tensor<16xi8>
}
