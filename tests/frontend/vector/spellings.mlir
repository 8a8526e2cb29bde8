// Other ways to write what is printed in one way, and scalable dimensions, which results keep.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

#maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>]
#dot = {indexing_maps = #maps, iterator_types = ["reduction"]}
#largest = #vector.kind<maxsi>

// CHECK-LABEL: func.func @attributes
func.func @attributes(%v: vector<8xf32>, %w: vector<8xui4>, %m: vector<3x8xi32>, %a: f32, %b: vector<3xi32>) {
  // CHECK: vector.contract {indexing_maps = [#{{.*}}, #{{.*}}, #{{.*}}], iterator_types = ["reduction"], kind = #vector.kind<add>} %{{.*}}, %{{.*}}, %{{.*}} : vector<8xf32>, vector<8xf32> into f32
  %0 = vector.contract #dot %v, %v, %a : vector<8xf32>, vector<8xf32> into f32
  // CHECK: vector.multi_reduction <mul>, %{{.*}}, %{{.*}} [1] : vector<3x8xi32> to vector<3xi32>
  %1 = vector.multi_reduction #vector.kind<mul>, %m, %b [1] : vector<3x8xi32> to vector<3xi32>
  // CHECK: vector.multi_reduction <maxsi>, %{{.*}}, %{{.*}} [1] : vector<3x8xi32> to vector<3xi32>
  %2 = vector.multi_reduction #largest, %m, %b [1] : vector<3x8xi32> to vector<3xi32>
  // CHECK: vector.reduction <add>, %{{.*}} fastmath<reassoc> : vector<8xf32> into f32
  %3 = vector.reduction #vector.kind<add>, %v, fastmath<reassoc> : vector<8xf32> into f32
  // CHECK: vector.reduction <minui>, %{{.*}} : vector<8xui4> into ui4
  %4 = vector.reduction <minui>, %w : vector<8xui4> into ui4
  // CHECK: vector.print %{{.*}} : vector<8xf32> punctuation <close>
  vector.print %v : vector<8xf32> punctuation #vector.punctuation<close>
  // CHECK-NEXT: vector.print punctuation <newline>
  vector.print punctuation <newline>
  // CHECK-NEXT: vector.print %{{.*}} : f32 punctuation <no_punctuation> {note}
  vector.print %a : f32 punctuation <no_punctuation> {note}
  return
}

// CHECK-LABEL: func.func @scalable
func.func @scalable(%s: vector<[4]xi8>, %f: vector<2xi8>, %m: memref<?x?xi8>, %i: index, %p: i8, %mask: vector<2x[4]xi1>, %r: vector<3x[4]xi8>, %b: memref<2x4xi8>) {
  // CHECK: vector.outerproduct %{{.*}}, %{{.*}} : vector<2xi8>, vector<[4]xi8>
  %0 = vector.outerproduct %f, %s : vector<2xi8>, vector<[4]xi8>
  // CHECK: vector.outerproduct %{{.*}}, %{{.*}}, %{{.*}} : vector<2xi8>, vector<[4]xi8>
  %1 = vector.outerproduct %f, %s, %0 : vector<2xi8>, vector<[4]xi8>
  // CHECK: vector.transfer_read %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}}, %{{.*}} : memref<?x?xi8>, vector<2x[4]xi8>
  %2 = vector.transfer_read %m[%i, %i], %p, %mask : memref<?x?xi8>, vector<2x[4]xi8>
  // CHECK: vector.transfer_write %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : vector<2x[4]xi8>, memref<?x?xi8>
  vector.transfer_write %1, %m[%i, %i], %mask : vector<2x[4]xi8>, memref<?x?xi8>
  // CHECK: vector.multi_reduction <add>, %{{.*}}, %{{.*}} [0] : vector<3x[4]xi8> to vector<[4]xi8>
  %3 = vector.multi_reduction <add>, %r, %s [0] : vector<3x[4]xi8> to vector<[4]xi8>
  // CHECK: vector.extract %{{.*}}[1] : vector<[4]xi8> from vector<3x[4]xi8>
  %4 = vector.extract %r[1] : vector<[4]xi8> from vector<3x[4]xi8>
  // CHECK: vector.extract_strided_slice %{{.*}} {offsets = [1], sizes = [2], strides = [1]} : vector<3x[4]xi8> to vector<2x[4]xi8>
  %5 = vector.extract_strided_slice %r {offsets = [1], sizes = [2], strides = [1]} : vector<3x[4]xi8> to vector<2x[4]xi8>
  // CHECK: vector.type_cast %{{.*}} : memref<2x4xi8> to memref<2xvector<[4]xi8>>
  %6 = vector.type_cast %b : memref<2x4xi8> to memref<2xvector<[4]xi8>>
  // CHECK: vector.broadcast %{{.*}} : vector<[4]xi8> to vector<3x[4]xi8>
  %7 = vector.broadcast %s : vector<[4]xi8> to vector<3x[4]xi8>
  return
}

// What is yielded need not be what the operation under the mask computes.
// CHECK-LABEL: func.func @mask
// CHECK-SAME: (%[[T:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[M:.*]]: vector<8xi1>, %[[E:.*]]: vector<8xf32>)
func.func @mask(%t: memref<?xf32>, %i: index, %m: vector<8xi1>, %e: vector<8xf32>) -> (vector<8xf32>, vector<8xf32>) {
  %p = arith.constant 0.0 : f32
  // CHECK: vector.mask %[[M]] {
  // CHECK-NEXT: vector.transfer_read
  // CHECK-NEXT: vector.yield %[[E]] : vector<8xf32>
  // CHECK-NEXT: } : vector<8xi1> -> vector<8xf32>
  %0 = "vector.mask"(%m) ({
    %2 = vector.transfer_read %t[%i], %p : memref<?xf32>, vector<8xf32>
    "vector.yield"(%e) : (vector<8xf32>) -> ()
  }) : (vector<8xi1>) -> vector<8xf32>
  // CHECK: vector.mask %[[M]] { vector.transfer_read {{.*}} } : vector<8xi1> -> vector<8xf32>
  %1 = vector.mask %m { vector.transfer_read %t[%i], %p : memref<?xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return %0, %1 : vector<8xf32>, vector<8xf32>
}

// CHECK-LABEL: func.func @matrices
func.func @matrices(%a: vector<6xf32>, %b: vector<3xf32>, %s: vector<[4]xf32>) {
  // CHECK: vector.matrix_multiply %{{.*}}, %{{.*}} {lhs_columns = 3 : i32, lhs_rows = 2 : i32, rhs_columns = 1 : i32} : (vector<6xf32>, vector<3xf32>) -> vector<2xf32>
  %0 = vector.matrix_multiply %a, %b {lhs_rows = 2 : i32, lhs_columns = 3 : i32, rhs_columns = 1 : i32} : (vector<6xf32>, vector<3xf32>) -> vector<2xf32>
  // CHECK: vector.flat_transpose %{{.*}} {columns = 3 : i32, rows = 2 : i32} : vector<6xf32> -> vector<6xf32>
  %1 = vector.flat_transpose %a {rows = 2 : i32, columns = 3 : i32} : vector<6xf32> -> vector<6xf32>
  // CHECK: vector.scalable.insert %{{.*}}, %{{.*}}[2] : vector<2xf32> into vector<[4]xf32>
  %2 = vector.scalable.insert %0, %s[2] : vector<2xf32> into vector<[4]xf32>
  // CHECK: vector.scalable.extract %{{.*}}[4] {note} : vector<2xf32> from vector<[4]xf32>
  %3 = vector.scalable.extract %2[4] {note} : vector<2xf32> from vector<[4]xf32>
  return
}

// CHECK-LABEL: func.func @warp
func.func @warp(%lane: index, %a: vector<2xf32>) {
  // CHECK: vector.warp_execute_on_lane_0(%{{.*}})[32] {
  // CHECK-NEXT: }
  vector.warp_execute_on_lane_0(%lane)[32] {
  }
  // CHECK: vector.warp_execute_on_lane_0(%{{.*}})[8] args(%{{.*}} : vector<2xf32>) -> (vector<1xf32>) {
  // CHECK-NEXT: ^bb0(%{{.*}}: vector<16xf32>):
  // CHECK: vector.yield %{{.*}} : vector<8xf32>
  // CHECK-NEXT: } {note}
  %0 = vector.warp_execute_on_lane_0(%lane)[8] args(%a : vector<2xf32>) -> (vector<1xf32>) {
  ^bb0(%all: vector<16xf32>):
    %half = vector.extract_strided_slice %all {offsets = [0], sizes = [8], strides = [1]} : vector<16xf32> to vector<8xf32>
    vector.yield %half : vector<8xf32>
  } {note}
  return
}
