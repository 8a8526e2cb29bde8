// Operations on some elements: transfers leave the others out, reductions do not count them.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s

#row = affine_map<(i, j, k) -> (i, k)>
#column = affine_map<(i, j, k) -> (k, j)>
#result = affine_map<(i, j, k) -> (i, j)>

func.func private @transfers(%n: index, %mask: vector<4xi1>) {
  %c0 = arith.constant 0 : index
  %f = arith.constant -1.0 : f32
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %w = arith.constant dense<[5.0, 6.0, 7.0, 8.0]> : vector<4xf32>
  %m = memref.alloc() : memref<4xf32>
  vector.transfer_write %w, %m[%c0] : vector<4xf32>, memref<4xf32>
  // CHECK: ( 5, 6, 7, -1 )
  %some = vector.mask %mask { vector.transfer_read %m[%c0], %f {in_bounds = [true]} : memref<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  vector.print %some : vector<4xf32>
  // CHECK-NEXT: ( 5, 6, 7, 4 )
  %both = vector.mask %mask, %v { vector.transfer_read %m[%c0], %f {in_bounds = [true]} : memref<4xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  vector.print %both : vector<4xf32>
  // CHECK-NEXT: ( 1, 2, 3, 8 )
  vector.mask %mask { vector.transfer_write %v, %m[%c0] {in_bounds = [true]} : vector<4xf32>, memref<4xf32> } : vector<4xi1>
  %all = vector.transfer_read %m[%c0], %f : memref<4xf32>, vector<4xf32>
  vector.print %all : vector<4xf32>
  memref.dealloc %m : memref<4xf32>
  return
}

func.func private @reductions(%mask: vector<4xi1>, %none: vector<4xi1>, %square: vector<2x3xi1>) {
  %f = arith.constant 10.0 : f32
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %w = arith.constant dense<[1, -2, 3, -100]> : vector<4xi8>
  %m = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %start = arith.constant dense<[10, 20]> : vector<2xi32>
  // CHECK-NEXT: 6
  %sum = vector.mask %mask { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  vector.print %sum : f32
  // CHECK-NEXT: 16
  %more = vector.mask %mask { vector.reduction <add>, %v, %f : vector<4xf32> into f32 } : vector<4xi1> -> f32
  vector.print %more : f32
  // CHECK-NEXT: -2
  %least = vector.mask %mask { vector.reduction <minsi>, %w : vector<4xi8> into i8 } : vector<4xi1> -> i8
  vector.print %least : i8
  // CHECK-NEXT: 127
  %nothing = vector.mask %none { vector.reduction <minsi>, %w : vector<4xi8> into i8 } : vector<4xi1> -> i8
  vector.print %nothing : i8
  // CHECK-NEXT: ( 13, 20 )
  %rows = vector.mask %square { vector.multi_reduction <add>, %m, %start [1] : vector<2x3xi32> to vector<2xi32> } : vector<2x3xi1> -> vector<2xi32>
  vector.print %rows : vector<2xi32>
  return
}

// The products of a contraction that are counted are those of its first two terms of each sum.
func.func private @contraction(%a: vector<2x3xi32>, %b: vector<3x2xi32>, %c: vector<2x2xi32>) {
  %c2 = arith.constant 2 : index
  %mask = vector.create_mask %c2, %c2, %c2 : vector<2x2x3xi1>
  // CHECK-NEXT: ( ( 9, 12 ), ( 19, 26 ) )
  %product = vector.mask %mask { vector.contract {indexing_maps = [#row, #column, #result], iterator_types = ["parallel", "parallel", "reduction"]} %a, %b, %c : vector<2x3xi32>, vector<3x2xi32> into vector<2x2xi32> } : vector<2x2x3xi1> -> vector<2x2xi32>
  vector.print %product : vector<2x2xi32>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %three = vector.create_mask %c3 : vector<4xi1>
  %none = vector.create_mask %c0 : vector<4xi1>
  %square = vector.create_mask %c1, %c2 : vector<2x3xi1>
  %a = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  %b = arith.constant dense<[[1, 2], [3, 4], [5, 6]]> : vector<3x2xi32>
  %c = arith.constant dense<[[2, 2], [0, -2]]> : vector<2x2xi32>
  call @transfers(%c3, %three) : (index, vector<4xi1>) -> ()
  call @reductions(%three, %none, %square) : (vector<4xi1>, vector<4xi1>, vector<2x3xi1>) -> ()
  call @contraction(%a, %b, %c) : (vector<2x3xi32>, vector<3x2xi32>, vector<2x2xi32>) -> ()
  return
}
