// Tensors cut into tiles and put together again: with padding and without, sizes known now and at run time, tiles in
// another order, tiles of unknown size.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 --check | FileCheck %s
// RUN: freehold run %s -O3 --dealloc=hlo --check | FileCheck %s


func.func @iota(%n: index, %m: index) -> tensor<?x?xi32> {
  %0 = tensor.generate %n, %m {
  ^bb0(%i: index, %j: index):
    %row = arith.muli %i, %m : index
    %place = arith.addi %row, %j : index
    %number = arith.index_cast %place : index to i32
    tensor.yield %number : i32
  } : tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

func.func @print(%t: tensor<?x?x?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %a = tensor.dim %t, %c0 : tensor<?x?x?x?xi32>
  %b = tensor.dim %t, %c1 : tensor<?x?x?x?xi32>
  %c = tensor.dim %t, %c2 : tensor<?x?x?x?xi32>
  %d = tensor.dim %t, %c3 : tensor<?x?x?x?xi32>
  scf.for %i = %c0 to %a step %c1 {
    scf.for %j = %c0 to %b step %c1 {
      scf.for %k = %c0 to %c step %c1 {
        scf.for %l = %c0 to %d step %c1 {
          %x = tensor.extract %t[%i, %j, %k, %l] : tensor<?x?x?x?xi32>
          vector.print %x : i32 punctuation <comma>
        }
      }
    }
  }
  vector.print punctuation <newline>
  return
}

func.func @print2(%t: tensor<?x?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = tensor.dim %t, %c0 : tensor<?x?xi32>
  %b = tensor.dim %t, %c1 : tensor<?x?xi32>
  scf.for %i = %c0 to %a step %c1 {
    scf.for %j = %c0 to %b step %c1 {
      %x = tensor.extract %t[%i, %j] : tensor<?x?xi32>
      vector.print %x : i32 punctuation <comma>
    }
  }
  vector.print punctuation <newline>
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c5 = arith.constant 5 : index
  %pad = arith.constant -1 : i32

  // Whole tiles, known sizes: 4x4 in tiles of 2x2.
  %c4 = arith.constant 4 : index
  %square = call @iota(%c4, %c4) : (index, index) -> tensor<?x?xi32>
  %known = tensor.cast %square : tensor<?x?xi32> to tensor<4x4xi32>
  %e0 = tensor.empty() : tensor<2x2x2x2xi32>
  %p0 = tensor.pack %known inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %e0 : tensor<4x4xi32> -> tensor<2x2x2x2xi32>
  %p0d = tensor.cast %p0 : tensor<2x2x2x2xi32> to tensor<?x?x?x?xi32>
  // CHECK: 0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15,
  call @print(%p0d) : (tensor<?x?x?x?xi32>) -> ()
  %u0 = tensor.empty() : tensor<4x4xi32>
  %unpacked0 = tensor.unpack %p0 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %u0 : tensor<2x2x2x2xi32> -> tensor<4x4xi32>
  %unpacked0d = tensor.cast %unpacked0 : tensor<4x4xi32> to tensor<?x?xi32>
  // CHECK: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
  call @print2(%unpacked0d) : (tensor<?x?xi32>) -> ()

  // Tiles along the second dimension first, and their places exchanged: 3x5 in tiles of 2x2, with padding.
  %t = call @iota(%c3, %c5) : (index, index) -> tensor<?x?xi32>
  %e1 = tensor.empty(%c3, %c2) : tensor<?x?x2x2xi32>
  %p1 = tensor.pack %t padding_value(%pad : i32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2]
    into %e1 : tensor<?x?xi32> -> tensor<?x?x2x2xi32>
  %p1d = tensor.cast %p1 : tensor<?x?x2x2xi32> to tensor<?x?x?x?xi32>
  // CHECK: 0, 5, 1, 6, 10, -1, 11, -1, 2, 7, 3, 8, 12, -1, 13, -1, 4, 9, -1, -1, 14, -1, -1, -1,
  call @print(%p1d) : (tensor<?x?x?x?xi32>) -> ()
  %u1 = tensor.empty(%c3, %c5) : tensor<?x?xi32>
  %unpacked1 = tensor.unpack %p1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2]
    into %u1 : tensor<?x?x2x2xi32> -> tensor<?x?xi32>
  // CHECK: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  call @print2(%unpacked1) : (tensor<?x?xi32>) -> ()

  // One tiled dimension, whose tiles have a size known at run time only.
  %e2 = tensor.empty(%c3, %c2, %c3) : tensor<?x?x?xi32>
  %p2 = tensor.pack %t padding_value(%pad : i32) inner_dims_pos = [1] inner_tiles = [%c3] into %e2 : tensor<?x?xi32> -> tensor<?x?x?xi32>
  %p2d = tensor.expand_shape %p2 [[0], [1], [2, 3]] output_shape [%c3, %c2, %c3, 1] : tensor<?x?x?xi32> into tensor<?x?x?x1xi32>
  %p2dd = tensor.cast %p2d : tensor<?x?x?x1xi32> to tensor<?x?x?x?xi32>
  // CHECK: 0, 1, 2, 3, 4, -1, 5, 6, 7, 8, 9, -1, 10, 11, 12, 13, 14, -1,
  call @print(%p2dd) : (tensor<?x?x?x?xi32>) -> ()
  %u2 = tensor.empty(%c3, %c5) : tensor<?x?xi32>
  %unpacked2 = tensor.unpack %p2 inner_dims_pos = [1] inner_tiles = [%c3] into %u2 : tensor<?x?x?xi32> -> tensor<?x?xi32>
  // CHECK: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  call @print2(%unpacked2) : (tensor<?x?xi32>) -> ()
  return
}
