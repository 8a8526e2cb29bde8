// The numbers of iterations as integers and floats of all sizes, in vectors of every width and one by one.

// RUN: freehold run - -O0 < %s | FileCheck %s
// RUN: freehold run - -O3 < %s | FileCheck %s
// RUN: freehold run - -O3 --vector-bits=128 < %s | FileCheck %s

// CHECK:      result #0: 37xi8 = [-7, -4, -1, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35, 38, 41, 44, 47, 50, 53, 56, 59, 62, 65, 68, 71, 74, 77, 80, 83, 86, 89, 92, 95, 98, 101]
// CHECK-NEXT: result #1: 3x19xi32
// CHECK-NEXT: {{\[\[}}0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196, 225, 256, 289, 324],
// CHECK-NEXT: [19, 400, 441, 484, 529, 576, 625, 676, 729, 784, 841, 900, 961, 1024, 1089, 1156, 1225, 1296, 1369],
// CHECK-NEXT: [38, 1521, 1600, 1681, 1764, 1849, 1936, 2025, 2116, 2209, 2304, 2401, 2500, 2601, 2704, 2809, 2916, 3025, 3136]]
// CHECK-NEXT: result #2: 21xi64 = [0, -1000000007, -2000000014, -3000000021, -4000000028, -5000000035, -6000000042, -7000000049, -8000000056, -9000000063, -10000000070, -11000000077, -12000000084, -13000000091, -14000000098, -15000000105, -16000000112, -17000000119, -18000000126, -19000000133, -20000000140]
// CHECK-NEXT: result #3: 19xf32 = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5, 12.5, 13.5, 14.5, 15.5, 16.5, 17.5, 18.5]
func.func @main() -> (tensor<37xi8>, tensor<3x19xi32>, tensor<21xi64>, tensor<19xf32>) {
  %0 = tensor.empty() : tensor<37xi8>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%0 : tensor<37xi8>) {
  ^bb0(%out: i8):
    %c3 = arith.constant 3 : index
    %c7 = arith.constant 7 : i8
    %i = linalg.index 0 : index
    %j = arith.muli %i, %c3 : index
    %k = arith.index_cast %j : index to i8
    %l = arith.subi %k, %c7 : i8
    linalg.yield %l : i8
  } -> tensor<37xi8>

  // Behind the first column, squares of what counts all elements.
  %2 = tensor.empty() : tensor<3x19xi32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%2 : tensor<3x19xi32>) {
  ^bb0(%out: i32):
    %c19 = arith.constant 19 : index
    %zero = arith.constant 0 : i32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.muli %i, %c19 : index
    %n = arith.addi %row, %j : index
    %number = arith.index_castui %n : index to i32
    %square = arith.muli %number, %number : i32
    %column = arith.index_cast %j : index to i32
    %is_first = arith.cmpi eq, %column, %zero : i32
    %m = arith.select %is_first, %number, %square : i32
    linalg.yield %m : i32
  } -> tensor<3x19xi32>

  %4 = tensor.empty() : tensor<21xi64>
  %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%4 : tensor<21xi64>) {
  ^bb0(%out: i64):
    %c = arith.constant -1000000007 : index
    %i = linalg.index 0 : index
    %j = arith.muli %i, %c : index
    %k = arith.index_cast %j : index to i64
    linalg.yield %k : i64
  } -> tensor<21xi64>

  %6 = tensor.empty() : tensor<19xf32>
  %7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%6 : tensor<19xf32>) {
  ^bb0(%out: f32):
    %half = arith.constant 0.5 : f32
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %l = arith.addf %k, %half : f32
    linalg.yield %l : f32
  } -> tensor<19xf32>
  return %1, %3, %5, %7 : tensor<37xi8>, tensor<3x19xi32>, tensor<21xi64>, tensor<19xf32>
}
