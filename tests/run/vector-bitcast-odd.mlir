// Bitcasts of vectors between widths that do not divide each other: bits stay in order, from the lowest of the first element.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 --check | FileCheck %s
// RUN: freehold run - -O3 --target-cpu=native < %s | FileCheck %s
// RUN: freehold interpret %s | FileCheck %s

func.func private @small(%v: vector<16xi16>) attributes {passthrough = ["noinline"]} {
  %fives = arith.trunci %v : vector<16xi16> to vector<16xi5>
  // CHECK: ( -33, 119, -66, 117, -58, -41, 86, 58, 101, -124 )
  %bytes = vector.bitcast %fives : vector<16xi5> to vector<10xi8>
  vector.print %bytes : vector<10xi8>
  // CHECK-NEXT: ( -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15, -16 )
  %again = vector.bitcast %bytes : vector<10xi8> to vector<16xi5>
  %wide = arith.extsi %again : vector<16xi5> to vector<16xi8>
  vector.print %wide : vector<16xi8>
  // CHECK-NEXT: ( 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1, 1,
  %bits = vector.bitcast %fives : vector<16xi5> to vector<80xi1>
  vector.print %bits : vector<80xi1>
  // CHECK-NEXT: ( -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15, -16 )
  %of_bits = vector.bitcast %bits : vector<80xi1> to vector<16xi5>
  %wide_bits = arith.extsi %of_bits : vector<16xi5> to vector<16xi8>
  vector.print %wide_bits : vector<16xi8>
  return
}

func.func private @rows(%v: vector<2x3xf32>) attributes {passthrough = ["noinline"]} {
  // CHECK-NEXT: ( ( 0, -2048, 63, 0, 0, 4, 0, 1028 ), ( 0, -2048, 192, 0, 160, 4, 0, 1036 ) )
  %twelves = vector.bitcast %v : vector<2x3xf32> to vector<2x8xi12>
  %wide = arith.extsi %twelves : vector<2x8xi12> to vector<2x8xi16>
  vector.print %wide : vector<2x8xi16>
  // CHECK-NEXT: ( ( 1, 2, 3 ), ( -4, 5, 6 ) )
  %again = vector.bitcast %twelves : vector<2x8xi12> to vector<2x3xf32>
  vector.print %again : vector<2x3xf32>
  return
}

func.func private @large(%v: vector<3xi64>) attributes {passthrough = ["noinline"]} {
  // CHECK-NEXT: ( -140737488355327, 196608, 12884901888, 0 )
  %wide = vector.bitcast %v : vector<3xi64> to vector<4xi48>
  %same = arith.extsi %wide : vector<4xi48> to vector<4xi64>
  vector.print %same : vector<4xi64>
  // CHECK-NEXT: ( 140737488355329, 3, 3 )
  %again = vector.bitcast %wide : vector<4xi48> to vector<3xi64>
  vector.print %again : vector<3xi64>
  return
}

func.func @main() {
  %v = arith.constant dense<[-1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11, -12, -13, -14, -15, -16]> : vector<16xi16>
  call @small(%v) : (vector<16xi16>) -> ()
  %f = arith.constant dense<[[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]]> : vector<2x3xf32>
  call @rows(%f) : (vector<2x3xf32>) -> ()
  %w = arith.constant dense<[140737488355329, 3, 3]> : vector<3xi64>
  call @large(%w) : (vector<3xi64>) -> ()
  return
}
