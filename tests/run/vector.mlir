// Vector operations at run time, with what MLIR's own runner prints.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s

#row = affine_map<(i, j, k) -> (i, k)>
#column = affine_map<(i, j, k) -> (k, j)>
#result = affine_map<(i, j, k) -> (i, j)>

memref.global "private" constant @table : memref<3x5xf32> = dense<[
  [0.0, 1.0, 2.0, 3.0, 4.0], [10.0, 11.0, 12.0, 13.0, 14.0], [20.0, 21.0, 22.0, 23.0, 24.0]]>

func.func private @moves(%i: index) {
  %f = arith.constant 7.5 : f32
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %w = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>
  // CHECK: ( 1, 2, 3, 4 )
  vector.print %v : vector<4xf32>
  // CHECK-NEXT: ( ( 1, 2, 3 ), ( 4, 5, 6 ) )
  vector.print %w : vector<2x3xi32>
  // CHECK-NEXT: 7.5
  vector.print %f : f32
  // CHECK-NEXT: text, ( {{ *}})
  vector.print str "text"
  vector.print punctuation <comma>
  vector.print punctuation <open>
  vector.print punctuation <close>
  vector.print punctuation <newline>
  // CHECK-NEXT: ( ( 1, 4 ), ( 2, 5 ), ( 3, 6 ) )
  %transposed = vector.transpose %w, [1, 0] : vector<2x3xi32> to vector<3x2xi32>
  vector.print %transposed : vector<3x2xi32>
  // CHECK-NEXT: ( ( 1, 2 ), ( 3, 4 ), ( 5, 6 ) )
  %cast = vector.shape_cast %w : vector<2x3xi32> to vector<3x2xi32>
  vector.print %cast : vector<3x2xi32>
  // CHECK-NEXT: ( ( 7.5, 7.5, 7.5, 7.5 ), ( 7.5, 7.5, 7.5, 7.5 ) )
  %splat = vector.broadcast %f : f32 to vector<2x4xf32>
  vector.print %splat : vector<2x4xf32>
  // CHECK-NEXT: ( ( 7.5, 7.5, 7.5, 7.5 ), ( 1, 2, 3, 4 ) )
  %inserted = vector.insert %v, %splat[1] : vector<4xf32> into vector<2x4xf32>
  vector.print %inserted : vector<2x4xf32>
  // CHECK-NEXT: ( 1, 2, 3, 4 )
  %row = vector.extract %inserted[%i] : vector<4xf32> from vector<2x4xf32>
  vector.print %row : vector<4xf32>
  // CHECK-NEXT: ( 1, 7.5, 3, 4 )
  %dynamic = vector.insert %f, %v[%i] : f32 into vector<4xf32>
  vector.print %dynamic : vector<4xf32>
  // CHECK-NEXT: 2
  %element = vector.extractelement %v[%i : index] : vector<4xf32>
  vector.print %element : f32
  // CHECK-NEXT: ( 3, 1, 7.5 )
  %other = vector.splat %f : vector<2xf32>
  %shuffled = vector.shuffle %v, %other [2, 0, 5] : vector<4xf32>, vector<2xf32>
  vector.print %shuffled : vector<3xf32>
  // CHECK-NEXT: ( ( 2, 3 ), ( 5, 6 ) )
  %slice = vector.extract_strided_slice %w {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]}
    : vector<2x3xi32> to vector<2x2xi32>
  vector.print %slice : vector<2x2xi32>
  // CHECK-NEXT: ( ( 2, 3, 3 ), ( 5, 6, 6 ) )
  %put = vector.insert_strided_slice %slice, %w {offsets = [0, 0], strides = [1, 1]}
    : vector<2x2xi32> into vector<2x3xi32>
  vector.print %put : vector<2x3xi32>
  // CHECK-NEXT: ( 1, 7.5, 2, 7.5 )
  %low = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]}
    : vector<4xf32> to vector<2xf32>
  %both = vector.interleave %low, %other : vector<2xf32> -> vector<4xf32>
  vector.print %both : vector<4xf32>
  // CHECK-NEXT: ( 1065353216, 1073741824, 1077936128, 1082130432 )
  %bits = vector.bitcast %v : vector<4xf32> to vector<4xi32>
  vector.print %bits : vector<4xi32>
  // CHECK-NEXT: ( 0, 1, 2 )
  %step = vector.step : vector<3xindex>
  vector.print %step : vector<3xindex>
  return
}

func.func private @arithmetic(%i: index) {
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %half = arith.constant dense<0.5> : vector<4xf32>
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf64>
  %b = arith.constant dense<[-7, 2, -3]> : vector<3xi8>
  // CHECK-NEXT: ( 1.5, 3, 4.5, 6 )
  %fma = vector.fma %v, %half, %v : vector<4xf32>
  vector.print %fma : vector<4xf32>
  // CHECK-NEXT: ( 0, 0, 1, 1 )
  %two = arith.constant dense<2.0> : vector<4xf32>
  %greater = arith.cmpf ogt, %v, %two : vector<4xf32>
  vector.print %greater : vector<4xi1>
  // CHECK-NEXT: ( 0.5, 0.5, 3, 4 )
  %selected = arith.select %greater, %v, %half : vector<4xi1>, vector<4xf32>
  vector.print %selected : vector<4xf32>
  // CHECK-NEXT: ( -7, 2, -3 )
  %wide = arith.extsi %b : vector<3xi8> to vector<3xi64>
  vector.print %wide : vector<3xi64>
  // CHECK-NEXT: 10
  %sum = vector.reduction <add>, %v : vector<4xf32> into f32
  vector.print %sum : f32
  // CHECK-NEXT: -7
  %least = vector.reduction <minsi>, %b : vector<3xi8> into i8
  vector.print %least : i8
  // CHECK-NEXT: ( 4, 6 )
  %zero = arith.constant dense<0.0> : vector<2xf64>
  %columns = vector.multi_reduction <add>, %a, %zero [0] : vector<2x2xf64> to vector<2xf64>
  vector.print %columns : vector<2xf64>
  // CHECK-NEXT: ( ( 8, 11 ), ( 16, 23 ) )
  %ones = arith.constant dense<1.0> : vector<2x2xf64>
  %product = vector.contract {indexing_maps = [#row, #column, #result],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %a, %ones
    : vector<2x2xf64>, vector<2x2xf64> into vector<2x2xf64>
  vector.print %product : vector<2x2xf64>
  // CHECK-NEXT: ( ( 5, 7 ), ( 11, 17 ) )
  %outer = vector.outerproduct %columns, %zero, %product : vector<2xf64>, vector<2xf64>
  %more = arith.subf %outer, %ones : vector<2x2xf64>
  %less = arith.subf %more, %a : vector<2x2xf64>
  %odd = arith.subf %less, %ones : vector<2x2xf64>
  vector.print %odd : vector<2x2xf64>
  // CHECK-NEXT: ( 1, 1, 0, 0 )
  %c2 = arith.constant 2 : index
  %mask = vector.create_mask %c2 : vector<4xi1>
  vector.print %mask : vector<4xi1>
  // CHECK-NEXT: ( ( 1, 1, 0 ), ( 0, 0, 0 ) )
  %constant = vector.constant_mask [1, 2] : vector<2x3xi1>
  vector.print %constant : vector<2x3xi1>
  return
}

func.func private @memory(%i: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %pad = arith.constant -1.0 : f32
  %t = memref.get_global @table : memref<3x5xf32>
  %m = memref.alloc() : memref<3x5xf32>
  memref.copy %t, %m : memref<3x5xf32> to memref<3x5xf32>
  %any = memref.cast %m : memref<3x5xf32> to memref<?x?xf32>
  // CHECK-NEXT: ( 11, 12, 13, 14 )
  %loaded = vector.load %any[%i, %i] : memref<?x?xf32>, vector<4xf32>
  vector.print %loaded : vector<4xf32>
  // CHECK-NEXT: ( ( 22, 23, 24, -1 ), ( -1, -1, -1, -1 ) )
  %c2 = arith.constant 2 : index
  %beyond = vector.transfer_read %any[%c2, %c2], %pad : memref<?x?xf32>, vector<2x4xf32>
  vector.print %beyond : vector<2x4xf32>
  // CHECK-NEXT: ( ( 0, 10 ), ( 1, 11 ), ( 2, 12 ) )
  %turned = vector.transfer_read %any[%c0, %c0], %pad
    {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (j, i)>}
    : memref<?x?xf32>, vector<3x2xf32>
  vector.print %turned : vector<3x2xf32>
  // CHECK-NEXT: ( ( 10, 11 ), ( 10, 11 ) )
  %repeated = vector.transfer_read %any[%c1, %c0], %pad
    {in_bounds = [true, true], permutation_map = affine_map<(i, j) -> (0, j)>}
    : memref<?x?xf32>, vector<2x2xf32>
  vector.print %repeated : vector<2x2xf32>
  // CHECK-NEXT: ( 10, 11, -1, -1 )
  %mask = vector.create_mask %c2 : vector<4xi1>
  %masked = vector.transfer_read %any[%c1, %c0], %pad, %mask {in_bounds = [true]}
    : memref<?x?xf32>, vector<4xf32>
  vector.print %masked : vector<4xf32>
  // CHECK-NEXT: ( 20, 21, 13, 14 )
  %partly = vector.maskedload %any[%c2, %c0], %mask, %loaded
    : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %partly : vector<4xf32>
  // CHECK-NEXT: ( 4, 1, 13, 14 )
  %places = arith.constant dense<[4, 1, 100, 1000]> : vector<4xi32>
  %gathered = vector.gather %any[%c0, %c0] [%places], %mask, %loaded
    : memref<?x?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %gathered : vector<4xf32>
  // CHECK-NEXT: ( 11, 0, 13, 1 )
  %line = memref.collapse_shape %m [[0, 1]] : memref<3x5xf32> into memref<15xf32>
  %every = arith.constant dense<[false, true, false, true]> : vector<4xi1>
  %expanded = vector.expandload %line[%c0], %every, %loaded
    : memref<15xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.print %expanded : vector<4xf32>

  vector.store %loaded, %any[%c0, %c1] : memref<?x?xf32>, vector<4xf32>
  vector.transfer_write %loaded, %any[%c1, %c2] : vector<4xf32>, memref<?x?xf32>
  vector.maskedstore %any[%c2, %c0], %mask, %loaded
    : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  // CHECK-NEXT: ( ( 0, 11, 12, 13, 14 ), ( 10, 11, 11, 12, 13 ), ( 11, 12, 22, 23, 24 ) )
  %all = vector.transfer_read %m[%c0, %c0], %pad {in_bounds = [true, true]}
    : memref<3x5xf32>, vector<3x5xf32>
  vector.print %all : vector<3x5xf32>

  vector.compressstore %line[%c1], %every, %loaded : memref<15xf32>, vector<4xi1>, vector<4xf32>
  vector.scatter %line[%c0] [%places], %mask, %loaded
    : memref<15xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  // CHECK-NEXT: ( 0, 12, 14, 13, 11 )
  %head = affine.vector_load %line[%c0] : memref<15xf32>, vector<5xf32>
  vector.print %head : vector<5xf32>

  %vectors = memref.alloc() : memref<2xvector<4xf32>>
  memref.store %loaded, %vectors[%c1] : memref<2xvector<4xf32>>
  // CHECK-NEXT: ( 11, 12, 13, 14 )
  %again = memref.load %vectors[%i] : memref<2xvector<4xf32>>
  vector.print %again : vector<4xf32>
  return
}

// Vectors are passed to functions, returned and carried by loops.
func.func private @twice(%v: vector<4xf32>, %w: vector<3xi8>) -> (vector<4xf32>, vector<3xi8>) {
  %r = arith.addf %v, %v : vector<4xf32>
  %s = arith.addi %w, %w : vector<3xi8>
  return %r, %s : vector<4xf32>, vector<3xi8>
}

func.func private @loops() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %w = arith.constant dense<[1, 2, -3]> : vector<3xi8>
  %r:2 = scf.for %i = %c0 to %c5 step %c1 iter_args(%a = %v, %b = %w)
      -> (vector<4xf32>, vector<3xi8>) {
    %n:2 = func.call @twice(%a, %b)
      : (vector<4xf32>, vector<3xi8>) -> (vector<4xf32>, vector<3xi8>)
    scf.yield %n#0, %n#1 : vector<4xf32>, vector<3xi8>
  }
  // CHECK-NEXT: ( 32, 64, 96, 128 )
  vector.print %r#0 : vector<4xf32>
  // CHECK-NEXT: ( 32, 64, -96 )
  vector.print %r#1 : vector<3xi8>
  return
}

func.func @main() {
  %c1 = arith.constant 1 : index
  call @moves(%c1) : (index) -> ()
  call @arithmetic(%c1) : (index) -> ()
  call @memory(%c1) : (index) -> ()
  call @loops() : () -> ()
  return
}
