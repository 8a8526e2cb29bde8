// Every operation in custom form, as mlir-opt prints it.
//
// REQUIRES: mlir-opt-19
// RUN: freehold opt %s -o %t.mlir
// RUN: mlir-opt-19 %s -o %t.peer.mlir
// RUN: diff -B %t.mlir %t.peer.mlir
// RUN: freehold opt %s --mlir-print-op-generic -o %t.generic.mlir
// RUN: mlir-opt-19 %t.generic.mlir -o %t.again.mlir
// RUN: diff -B %t.again.mlir %t.peer.mlir
// RUN: freehold opt %t.generic.mlir -o %t.own.mlir
// RUN: diff -B %t.own.mlir %t.peer.mlir

#c0 = affine_map<(i, j, k) -> (i, k)>
#c1 = affine_map<(i, j, k) -> (k, j)>
#c2 = affine_map<(i, j, k) -> (i, j)>
func.func @f(%m: memref<?x?xf32>, %m1: memref<?xf32>, %v: vector<4xf32>, %w: vector<2x4xf32>, %i: index, %f: f32,
    %mask: vector<4xi1>, %idx: vector<4xi32>, %n: i32, %a: vector<4x3xf32>, %b: vector<3x5xf32>, %c: vector<4x5xf32>, %t: tensor<?x?xf32>, %v0: vector<f32>, %i8v: vector<8xi8>) {
  %0 = vector.broadcast %f : f32 to vector<4xf32>
  %1 = vector.bitcast %v : vector<4xf32> to vector<4xi32>
  %2 = vector.shape_cast %w : vector<2x4xf32> to vector<8xf32>
  %3 = vector.splat %f : vector<4xf32>
  %4 = vector.fma %v, %v, %v : vector<4xf32>
  %5 = vector.transpose %w, [1, 0] : vector<2x4xf32> to vector<4x2xf32>
  %6 = vector.shuffle %v, %v [0, 5, 2] : vector<4xf32>, vector<4xf32>
  %7 = vector.extract %w[1] : vector<4xf32> from vector<2x4xf32>
  %8 = vector.extract %w[1, %i] : f32 from vector<2x4xf32>
  %9 = vector.insert %f, %v[2] : f32 into vector<4xf32>
  %10 = vector.insert %v, %w[%i] : vector<4xf32> into vector<2x4xf32>
  %11 = vector.extractelement %v[%n : i32] : vector<4xf32>
  %zero_d = vector.extractelement %v0[] : vector<f32>
  %12 = vector.insertelement %f, %v[%n : i32] : vector<4xf32>
  %13 = vector.extract_strided_slice %w {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x4xf32> to vector<2x2xf32>
  %14 = vector.insert_strided_slice %v, %w {offsets = [1, 0], strides = [1]} : vector<4xf32> into vector<2x4xf32>
  %15 = vector.outerproduct %v, %v {kind = #vector.kind<maxnumf>} : vector<4xf32>, vector<4xf32>
  %16 = vector.outerproduct %v, %f : vector<4xf32>, f32
  %17 = vector.reduction <add>, %v : vector<4xf32> into f32
  %18 = vector.reduction <add>, %v, %f fastmath<reassoc> : vector<4xf32> into f32
  %19 = vector.multi_reduction <mul>, %w, %v [0] : vector<2x4xf32> to vector<4xf32>
  %20 = vector.contract {indexing_maps = [#c0, #c1, #c2], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %a, %b, %c : vector<4x3xf32>, vector<3x5xf32> into vector<4x5xf32>
  %21 = vector.transfer_read %m[%i, %i], %f {in_bounds = [true], permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  %22 = vector.transfer_read %m[%i, %i], %f, %mask : memref<?x?xf32>, vector<4xf32>
  vector.transfer_write %v, %m[%i, %i], %mask {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32>
  %23 = vector.transfer_write %v, %t[%i, %i] : vector<4xf32>, tensor<?x?xf32>
  %24 = vector.load %m[%i, %i] : memref<?x?xf32>, vector<4xf32>
  vector.store %v, %m[%i, %i] {nontemporal = true} : memref<?x?xf32>, vector<4xf32>
  %25 = vector.maskedload %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %m[%i, %i], %mask, %v : memref<?x?xf32>, vector<4xi1>, vector<4xf32>
  %26 = vector.gather %m1[%i][%idx], %mask, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.scatter %m1[%i][%idx], %mask, %v : memref<?xf32>, vector<4xi32>, vector<4xi1>, vector<4xf32>
  %27 = vector.expandload %m1[%i], %mask, %v : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.compressstore %m1[%i], %mask, %v : memref<?xf32>, vector<4xi1>, vector<4xf32>
  %28 = vector.create_mask %i, %i : vector<4x3xi1>
  %29 = vector.constant_mask [3, 2] : vector<4x3xi1>
  vector.print %v : vector<4xf32>
  vector.print punctuation <comma>
  vector.print str "hello"
  %30 = vector.from_elements %f, %f : vector<2xf32>
  %31 = vector.step : vector<4xindex>
  %32 = vector.vscale
  %33 = vector.interleave %v, %v : vector<4xf32> -> vector<8xf32>
  %34, %35 = vector.deinterleave %v : vector<4xf32> -> vector<2xf32>
  %36:2 = vector.scan <add>, %w, %v {inclusive = true, reduction_dim = 0 : i64} : vector<2x4xf32>, vector<4xf32>
  %37 = vector.mask %mask { vector.reduction <add>, %v : vector<4xf32> into f32 } : vector<4xi1> -> f32
  %38 = vector.mask %mask, %v { vector.transfer_read %m[%i, %i], %f {in_bounds = [true]} : memref<?x?xf32>, vector<4xf32> } : vector<4xi1> -> vector<4xf32>
  vector.mask %mask { vector.transfer_write %v, %m[%i, %i] {in_bounds = [true]} : vector<4xf32>, memref<?x?xf32> } : vector<4xi1>
  vector.mask %mask { } : vector<4xi1>
  return
}
func.func @g(%m: memref<4x4xf32>) -> memref<vector<4x4xf32>> {
  %0 = vector.type_cast %m : memref<4x4xf32> to memref<vector<4x4xf32>>
  return %0 : memref<vector<4x4xf32>>
}
