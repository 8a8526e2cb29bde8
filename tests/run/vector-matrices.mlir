// Products and transposes of matrices that are vectors of one dimension, column after column; reductions of
// signed elements; punctuation after values.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s
// RUN: freehold run - -enable-matrix --matrix-default-layout=row-major < %s | FileCheck %s --check-prefix=ROWS

func.func private @product(%a: vector<6xf32>, %b: vector<6xf32>) -> vector<4xf32> attributes {passthrough = ["noinline"]} {
  %product = vector.matrix_multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 3 : i32, rhs_columns = 2 : i32} : (vector<6xf32>, vector<6xf32>) -> vector<4xf32>
  return %product : vector<4xf32>
}

func.func private @sum(%v: vector<3xsi4>) -> si4 attributes {passthrough = ["noinline"]} {
  %sum = vector.reduction <add>, %v : vector<3xsi4> into si4
  return %sum : si4
}

func.func @main() {
  // 1 3 5     1   2
  // 2 4 6  *  10  20
  //           100 200
  // CHECK: ( 531, 642, 1062, 1284 )
  // By rows: 1 2 3     1   10
  //          4 5 6  *  100 2
  //                    20  200
  // ROWS: ( 261, 614, 624, 1250 )
  %a = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : vector<6xf32>
  %b = arith.constant dense<[1.0, 10.0, 100.0, 2.0, 20.0, 200.0]> : vector<6xf32>
  %product = func.call @product(%a, %b) : (vector<6xf32>, vector<6xf32>) -> vector<4xf32>
  vector.print %product : vector<4xf32>

  // CHECK-NEXT: ( 1, 3, 5, 2, 4, 6 )
  // ROWS-NEXT: ( 1, 4, 2, 5, 3, 6 )
  %transposed = vector.flat_transpose %a {rows = 2 : i32, columns = 3 : i32} : vector<6xf32> -> vector<6xf32>
  vector.print %transposed : vector<6xf32>

  // In four bits: 7 + 7 + 7 - 16.
  // CHECK-NEXT: 5
  %sevens = arith.constant dense<7> : vector<3xi4>
  %signed = vector.bitcast %sevens : vector<3xi4> to vector<3xsi4>
  %sum = func.call @sum(%signed) : (vector<3xsi4>) -> si4
  vector.print %sum : si4

  // CHECK-NEXT: 3, 4( 3, 4 ){{$}}
  %three = arith.constant 3 : i32
  %four = arith.constant 4 : i32
  vector.print %three : i32 punctuation <comma>
  vector.print %four : i32 punctuation <no_punctuation>
  vector.print punctuation <open>
  vector.print %three : i32 punctuation <comma>
  vector.print %four : i32 punctuation <close>
  vector.print punctuation <newline>
  return
}
