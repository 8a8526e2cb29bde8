// Dimensions of a memref become dimensions of its elements, and the other way round; vectors of bits under
// another sign.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index

  // More dimensions than before.
  // CHECK: ( ( 1, 1, 1, 1, 1, 1, 1, 1 ) )
  %ones = arith.constant dense<1.0> : vector<8xf32>
  %row = memref.alloca() : memref<vector<1x8xf32>>
  %rows = vector.type_cast %row : memref<vector<1x8xf32>> to memref<1xvector<8xf32>>
  memref.store %ones, %rows[%c0] : memref<1xvector<8xf32>>
  %all = memref.load %row[] : memref<vector<1x8xf32>>
  vector.print %all : vector<1x8xf32>

  // All in one element; rows of three numbers have no gaps between them.
  // CHECK-NEXT: 6
  // CHECK-NEXT: ( ( 1, 2, 3 ), ( 4, 5, 6 ) )
  %numbers = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %matrix = memref.alloca() : memref<2x3xi32>
  %whole = vector.type_cast %matrix : memref<2x3xi32> to memref<vector<2x3xi32>>
  memref.store %numbers, %whole[] : memref<vector<2x3xi32>>
  %last = memref.load %matrix[%c1, %c2] : memref<2x3xi32>
  vector.print %last : i32
  %again = memref.load %whole[] : memref<vector<2x3xi32>>
  vector.print %again : vector<2x3xi32>

  // Memory of such vectors.
  // CHECK-NEXT: ( ( 1, 2, 3 ), ( 4, 5, 6 ) )
  %several = memref.alloc() : memref<2xvector<2x3xi32>>
  %zeros = arith.constant dense<0> : vector<2x3xi32>
  memref.store %numbers, %several[%c0] : memref<2xvector<2x3xi32>>
  memref.store %zeros, %several[%c1] : memref<2xvector<2x3xi32>>
  %first = memref.load %several[%c0] : memref<2xvector<2x3xi32>>
  vector.print %first : vector<2x3xi32>

  // CHECK-NEXT: ( 1, 0, 1, 0 )
  %bits = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  %unsigned_bits = vector.bitcast %bits : vector<4xi1> to vector<4xui1>
  vector.print %unsigned_bits : vector<4xui1>

  // CHECK-NEXT: ( 15, 1 )
  %narrow = arith.constant dense<[-1, 1]> : vector<2xi4>
  %unsigned = vector.bitcast %narrow : vector<2xi4> to vector<2xui4>
  vector.print %unsigned : vector<2xui4>
  return
}
