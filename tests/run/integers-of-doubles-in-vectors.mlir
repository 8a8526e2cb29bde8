// Doubles become integers and integers of 64 bits become floats in vectors as they do one by one: rounded once, the nearest
// ones where numbers do not fit, and zero where there is no number.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run -O0 - < %s | FileCheck %s
// RUN: freehold run --target-cpu=native - < %s | FileCheck %s

// CHECK: result #0: 8xi32 = [0, 2147483647, -2147483648, 2147483647, -2147483648, 0, -129, 65535]
// CHECK-NEXT: result #1: 8xi16 = [0, -1, 0, -1, 0, 0, -129, -1]
// CHECK-NEXT: result #2: 8xi64 = [0, 2147483647, -2147483648, 9223372036854775807, -9223372036854775808, 0, -129, 65535]
// CHECK-NEXT: result #3: 8xf64 = [9007199254740992.0, 9007199254740996.0, 9.223372036854776e18, -9.223372036854776e18, -1.0, 0.0, 16777217.0, -33554435.0]
// CHECK-NEXT: result #4: 8xf32 = [9007199000000000.0, 9007199000000000.0, 9.223372e18, -9.223372e18, -1.0, 0.0, 16777216.0, -33554436.0]
// CHECK-NEXT: result #5: 8xi32 = [0, 2147483647, -2147483648, -1, 0, 0, -129, 65535]
// CHECK-NEXT: result #6: 8xi64 = [0, 2147483648, 0, -1, 0, 0, 0, 65535]
// CHECK-NEXT: result #7: 8xi64 = [9007199254740993, 9007199254740995, 9223372036854775807, -9223372036854775808, 1, 0, 16777217, 33554435]
#id = affine_map<(d0) -> (d0)>
func.func @main() -> (tensor<8xi32>, tensor<8xi16>, tensor<8xi64>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xi64>, tensor<8xi64>) {
  %doubles = arith.constant dense<[0.9, 2147483647.5, -2147483648.9, 1.0e300, -1.0e300, 0x7FF8000000000000, -129.9, 65535.5]> : tensor<8xf64>
  %longs = arith.constant dense<[9007199254740993, 9007199254740995, 9223372036854775807, -9223372036854775808, -1, 0, 16777217, -33554435]> : tensor<8xi64>
  %0:8 = func.call @all(%doubles, %longs) : (tensor<8xf64>, tensor<8xi64>) -> (tensor<8xi32>, tensor<8xi16>, tensor<8xi64>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xi64>, tensor<8xi64>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5, %0#6, %0#7 : tensor<8xi32>, tensor<8xi16>, tensor<8xi64>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xi64>, tensor<8xi64>
}

// Not known at compile time.
func.func private @all(%doubles: tensor<8xf64>, %longs: tensor<8xi64>) -> (tensor<8xi32>, tensor<8xi16>, tensor<8xi64>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xi64>, tensor<8xi64>) attributes {no_inline} {
  %i32 = tensor.empty() : tensor<8xi32>
  %i16 = tensor.empty() : tensor<8xi16>
  %i64 = tensor.empty() : tensor<8xi64>
  %f64 = tensor.empty() : tensor<8xf64>
  %f32 = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%doubles : tensor<8xf64>) outs(%i32 : tensor<8xi32>) {
  ^bb0(%x: f64, %out: i32):
    %y = arith.fptosi %x : f64 to i32
    linalg.yield %y : i32
  } -> tensor<8xi32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%doubles : tensor<8xf64>) outs(%i16 : tensor<8xi16>) {
  ^bb0(%x: f64, %out: i16):
    %y = arith.fptoui %x : f64 to i16
    linalg.yield %y : i16
  } -> tensor<8xi16>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%doubles : tensor<8xf64>) outs(%i64 : tensor<8xi64>) {
  ^bb0(%x: f64, %out: i64):
    %y = arith.fptosi %x : f64 to i64
    linalg.yield %y : i64
  } -> tensor<8xi64>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%longs : tensor<8xi64>) outs(%f64 : tensor<8xf64>) {
  ^bb0(%x: i64, %out: f64):
    %y = arith.sitofp %x : i64 to f64
    linalg.yield %y : f64
  } -> tensor<8xf64>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%longs : tensor<8xi64>) outs(%f32 : tensor<8xf32>) {
  ^bb0(%x: i64, %out: f32):
    %y = arith.sitofp %x : i64 to f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  %f = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%doubles : tensor<8xf64>) outs(%i32 : tensor<8xi32>) {
  ^bb0(%x: f64, %out: i32):
    %y = arith.fptoui %x : f64 to i32
    linalg.yield %y : i32
  } -> tensor<8xi32>
  %g = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%doubles : tensor<8xf64>) outs(%i64 : tensor<8xi64>) {
  ^bb0(%x: f64, %out: i64):
    %y = arith.truncf %x : f64 to f32
    %z = arith.fptoui %y : f32 to i64
    linalg.yield %z : i64
  } -> tensor<8xi64>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%longs : tensor<8xi64>) outs(%i64 : tensor<8xi64>) {
  ^bb0(%x: i64, %out: i64):
    %least = arith.constant -2 : i64
    %size = math.absi %x : i64
    %y = arith.maxsi %x, %least : i64
    %z = arith.minui %y, %size : i64
    linalg.yield %z : i64
  } -> tensor<8xi64>
  return %a, %b, %c, %d, %e, %f, %g, %h : tensor<8xi32>, tensor<8xi16>, tensor<8xi64>, tensor<8xf64>, tensor<8xf32>, tensor<8xi32>, tensor<8xi64>, tensor<8xi64>
}
