// Dimensions of a memref become dimensions of its elements, and the other way round; vectors of bits under
// another sign.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0 : i32
  %sixes_empty = arith.constant dense<0> : vector<2x6xi32>

  // More dimensions than before.
  // CHECK: ( ( 1, 1, 1, 1, 1, 1, 1, 1 ) )
  %ones = arith.constant dense<1.0> : vector<8xf32>
  %row = memref.alloca() : memref<vector<1x8xf32>>
  %rows = vector.type_cast %row : memref<vector<1x8xf32>> to memref<1xvector<8xf32>>
  memref.store %ones, %rows[%c0] : memref<1xvector<8xf32>>
  %all = memref.load %row[] : memref<vector<1x8xf32>>
  vector.print %all : vector<1x8xf32>

  // All in one element, whose rows lie one behind the other.
  // CHECK-NEXT: 8
  // CHECK-NEXT: ( ( 1, 2, 3, 4 ), ( 5, 6, 7, 8 ) )
  %numbers = arith.constant dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : vector<2x4xi32>
  %matrix = memref.alloca() : memref<2x4xi32>
  %whole = vector.type_cast %matrix : memref<2x4xi32> to memref<vector<2x4xi32>>
  memref.store %numbers, %whole[] : memref<vector<2x4xi32>>
  %last = memref.load %matrix[%c1, %c3] : memref<2x4xi32>
  vector.print %last : i32
  %again = memref.load %whole[] : memref<vector<2x4xi32>>
  vector.print %again : vector<2x4xi32>

  // Rows of three numbers take the memory of four.
  // CHECK-NEXT: ( ( 1, 2, 3 ), ( 4, 5, 6 ) )
  // CHECK-NEXT: ( 1, 2, 3 )
  // CHECK-NEXT: ( ( 4, 5, 6 ), ( 0, 0, 0 ) )
  %threes = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %several = memref.alloc() : memref<2xvector<2x3xi32>>
  %zeros = arith.constant dense<0> : vector<2x3xi32>
  memref.store %threes, %several[%c0] : memref<2xvector<2x3xi32>>
  memref.store %zeros, %several[%c1] : memref<2xvector<2x3xi32>>
  %first = memref.load %several[%c0] : memref<2xvector<2x3xi32>>
  vector.print %first : vector<2x3xi32>
  %three_rows = vector.type_cast %several : memref<2xvector<2x3xi32>> to memref<2x2xvector<3xi32>>
  %row_0 = memref.load %three_rows[%c0, %c0] : memref<2x2xvector<3xi32>>
  vector.print %row_0 : vector<3xi32>
  %row_1 = memref.load %three_rows[%c0, %c1] : memref<2x2xvector<3xi32>>
  memref.store %row_1, %three_rows[%c1, %c0] : memref<2x2xvector<3xi32>>
  %second = memref.load %several[%c1] : memref<2xvector<2x3xi32>>
  vector.print %second : vector<2x3xi32>
  memref.dealloc %several : memref<2xvector<2x3xi32>>

  // CHECK-NEXT: ( ( 7, 7, 7 ), ( 7, 7, 7 ) )
  %three = memref.alloc() : memref<2xvector<3xi32>>
  %sevens = arith.constant dense<7> : vector<3xi32>
  memref.store %sevens, %three[%c0] : memref<2xvector<3xi32>>
  memref.store %sevens, %three[%c1] : memref<2xvector<3xi32>>
  %both = vector.type_cast %three : memref<2xvector<3xi32>> to memref<vector<2x3xi32>>
  %both_threes = memref.load %both[] : memref<vector<2x3xi32>>
  vector.print %both_threes : vector<2x3xi32>
  memref.dealloc %three : memref<2xvector<3xi32>>

  // Registers of 128 bits that have elements of two rows.
  // CHECK-NEXT: ( ( ( 1, 2 ), ( 3, 4 ) ), ( ( 5, 6 ), ( 7, 8 ) ) )
  // CHECK-NEXT: ( ( 1, 2, 3, 4, 5, 6 ), ( 7, 8, 9, 10, 11, 12 ) )
  %pairs = arith.constant dense<[[[1, 2], [3, 4]], [[5, 6], [7, 8]]]> : vector<2x2x2xi32>
  %pair_memory = memref.alloca() : memref<2x2x2xi32>
  %pair_vector = vector.type_cast %pair_memory : memref<2x2x2xi32> to memref<vector<2x2x2xi32>>
  memref.store %pairs, %pair_vector[] : memref<vector<2x2x2xi32>>
  %pair_rows = vector.transfer_read %pair_memory[%c0, %c0, %c0], %zero
    : memref<2x2x2xi32>, vector<2x2x2xi32>
  vector.print %pair_rows : vector<2x2x2xi32>
  %sixes = arith.constant dense<[[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]]> : vector<2x6xi32>
  %six_memory = memref.alloca() : memref<2xvector<6xi32>>
  %six_vector = vector.type_cast %six_memory : memref<2xvector<6xi32>> to memref<vector<2x6xi32>>
  memref.store %sixes, %six_vector[] : memref<vector<2x6xi32>>
  %six_0 = memref.load %six_memory[%c0] : memref<2xvector<6xi32>>
  %six_1 = memref.load %six_memory[%c1] : memref<2xvector<6xi32>>
  %six_start = vector.insert %six_0, %sixes_empty [0] : vector<6xi32> into vector<2x6xi32>
  %six_all = vector.insert %six_1, %six_start [1] : vector<6xi32> into vector<2x6xi32>
  vector.print %six_all : vector<2x6xi32>

  // Elements that are no whole bytes lie bit by bit: two nibbles in a byte, three numbers of 33 bits in 16 bytes.
  // CHECK-NEXT: 33
  // CHECK-NEXT: ( -7, 1, 6, -2, 5 )
  // CHECK-NEXT: ( 2, 8589934591, -3 )
  %nibbles = arith.constant dense<[1, 2, 3]> : vector<3xi4>
  %bytes = memref.alloc() : memref<64xi8>
  %nibble_memory = memref.view %bytes[%c0][] : memref<64xi8> to memref<vector<3xi4>>
  memref.store %nibbles, %nibble_memory[] : memref<vector<3xi4>>
  %low = memref.load %bytes[%c0] : memref<64xi8>
  vector.print %low : i8
  %odd = arith.constant dense<[-7, 1, 6, -2, 5]> : vector<5xi7>
  %odd_memory = memref.view %bytes[%c8][] : memref<64xi8> to memref<2xvector<5xi7>>
  memref.store %odd, %odd_memory[%c1] : memref<2xvector<5xi7>>
  %odd_again = memref.load %odd_memory[%c1] : memref<2xvector<5xi7>>
  %odd_wide = arith.extsi %odd_again : vector<5xi7> to vector<5xi32>
  vector.print %odd_wide : vector<5xi32>
  %large = arith.constant dense<[2, 8589934591, -3]> : vector<3xi34>
  %large_memory = memref.view %bytes[%c32][] : memref<64xi8> to memref<vector<3xi34>>
  memref.store %large, %large_memory[] : memref<vector<3xi34>>
  %large_again = memref.load %large_memory[] : memref<vector<3xi34>>
  %large_wide = arith.extsi %large_again : vector<3xi34> to vector<3xi64>
  vector.print %large_wide : vector<3xi64>
  memref.dealloc %bytes : memref<64xi8>

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
