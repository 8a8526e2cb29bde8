// RUN: freehold opt %s --convert-vector-to-scf | FileCheck %s
// RUN: freehold opt %s --convert-vector-to-scf=full-unroll | FileCheck %s --check-prefix=UNROLL
// RUN: freehold opt %s --convert-vector-to-scf | freehold run - | FileCheck %s --check-prefix=OUT
// RUN: freehold opt %s --convert-vector-to-scf=full-unroll | freehold run - | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT

// Rows of a box; a row beyond the edge is padding.
// CHECK-LABEL: func.func @read
// CHECK:         %[[ROWS:.*]] = memref.alloca() : memref<vector<4x9xf32>>
// CHECK:         %[[CAST:.*]] = vector.type_cast %[[ROWS]] : memref<vector<4x9xf32>> to memref<4xvector<9xf32>>
// CHECK:         scf.for %[[K:.*]] = %c0{{.*}} to %c4
// CHECK:           %[[IN:.*]] = arith.cmpi ugt
// CHECK-NEXT:      scf.if %[[IN]] {
// CHECK-NEXT:        %[[I:.*]] = affine.apply #{{.*}}(%[[K]])[%arg1]
// CHECK-NEXT:        %[[R:.*]] = vector.transfer_read %arg0[%[[I]], %arg2], %{{.*}} : memref<?x?xf32>, vector<9xf32>
// CHECK-NEXT:        memref.store %[[R]], %[[CAST]][%[[K]]]
// CHECK:           } else {
// CHECK:             memref.store %{{.*}}, %[[CAST]][%[[K]]]
// CHECK:         memref.load %[[ROWS]][]
// UNROLL-LABEL: func.func @read
// UNROLL-COUNT-4: scf.if
// UNROLL:         return
func.func @read(%m: memref<?x?xf32>, %i: index, %j: index) -> vector<4x9xf32> {
  %p = arith.constant 7.0 : f32
  %v = vector.transfer_read %m[%i, %j], %p : memref<?x?xf32>, vector<4x9xf32>
  return %v : vector<4x9xf32>
}

// CHECK-LABEL: func.func @write
// CHECK:         memref.store %arg3, %[[ROWS:.*]][]
// CHECK:         scf.for
// CHECK-NOT:       scf.if
// CHECK:           vector.transfer_write %{{.*}} {in_bounds = [true]} : vector<9xf32>, memref<?x?xf32>
func.func @write(%m: memref<?x?xf32>, %i: index, %j: index, %v: vector<4x9xf32>) {
  vector.transfer_write %v, %m[%i, %j] {in_bounds = [true, true]} : vector<4x9xf32>, memref<?x?xf32>
  return
}

// A column is read element by element.
// CHECK-LABEL: func.func @column
// CHECK:         scf.for %[[K:.*]] = {{.*}} iter_args(%[[V:.*]] = %{{.*}}) -> (vector<4xf32>)
// CHECK:           memref.load %arg0
// CHECK-NEXT:      vector.insert %{{.*}}, %[[V]] [%[[K]]] : f32 into vector<4xf32>
func.func @column(%m: memref<?x?xf32>, %i: index, %j: index) -> vector<4xf32> {
  %p = arith.constant 7.0 : f32
  %v = vector.transfer_read %m[%i, %j], %p {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<?x?xf32>, vector<4xf32>
  return %v : vector<4xf32>
}

// CHECK-LABEL: func.func @column_write
// CHECK:         scf.for
// CHECK:           vector.extract %arg3
// CHECK:           memref.store
func.func @column_write(%m: memref<?x?xf32>, %i: index, %j: index, %v: vector<3xf32>) {
  vector.transfer_write %v, %m[%i, %j] {permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<3xf32>, memref<?x?xf32>
  return
}

// OUT:      ( ( 0, 1, 2, 7, 7, 7, 7, 7, 7 ), ( 10, 11, 12, 7, 7, 7, 7, 7, 7 ), ( 7, 7, 7, 7, 7, 7, 7, 7, 7 ), ( 7, 7, 7, 7, 7, 7, 7, 7, 7 ) )
// OUT-NEXT: ( ( 7, 7, 7, 7, 7, 7, 7, 7, 7 ), ( 7, 7, 7, 7, 7, 7, 7, 7, 7 ), ( 7, 0, 1, 2, 7, 7, 7, 7, 7 ), ( 7, 10, 11, 12, 7, 7, 7, 7, 7 ) )
// OUT-NEXT: ( 2, 12, 7, 7 )
// OUT-NEXT: ( 0, 0, 1 )
// OUT-NEXT: ( 5, 5, 12 )
// OUT-NEXT: ( ( 0, 10 ), ( 1, 11 ) )
// OUT-NEXT: ( ( 0, 7, 2 ), ( 7, 11, 7 ) )
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %m1 = arith.constant -1 : index
  %m2 = arith.constant -2 : index
  %p = arith.constant 7.0 : f32
  %rows = arith.constant dense<[[0.0, 1.0, 2.0], [10.0, 11.0, 12.0]]> : vector<2x3xf32>
  %m = memref.alloc() : memref<2x3xf32>
  vector.transfer_write %rows, %m[%c0, %c0] {in_bounds = [true, true]} : vector<2x3xf32>, memref<2x3xf32>
  %d = memref.cast %m : memref<2x3xf32> to memref<?x?xf32>
  %a = func.call @read(%d, %c0, %c0) : (memref<?x?xf32>, index, index) -> vector<4x9xf32>
  vector.print %a : vector<4x9xf32>
  // What begins before the memory is outside.
  %b = func.call @read(%d, %m2, %m1) : (memref<?x?xf32>, index, index) -> vector<4x9xf32>
  vector.print %b : vector<4x9xf32>
  %c = func.call @column(%d, %c0, %c2) : (memref<?x?xf32>, index, index) -> vector<4xf32>
  vector.print %c : vector<4xf32>
  // Repeated along the vector.
  %e = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (0, d1)>} : memref<2x3xf32>, vector<2x2xf32>
  %f = vector.extract %e[1] : vector<2xf32> from vector<2x2xf32>
  %g = vector.shuffle %f, %f [0, 0, 1] : vector<2xf32>, vector<2xf32>
  vector.print %g : vector<3xf32>
  %t = vector.transfer_read %m[%c0, %c0], %p {in_bounds = [true, true], permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : memref<2x3xf32>, vector<2x2xf32>
  %mask = arith.constant dense<[[true, false, true], [false, true, false]]> : vector<2x3xi1>
  %k = vector.transfer_read %m[%c0, %c0], %p, %mask {in_bounds = [true, true]} : memref<2x3xf32>, vector<2x3xf32>
  %five = arith.constant dense<5.0> : vector<3xf32>
  func.call @column_write(%d, %c0, %c0, %five) : (memref<?x?xf32>, index, index, vector<3xf32>) -> ()
  %x = memref.load %m[%c0, %c0] : memref<2x3xf32>
  %y = memref.load %m[%c1, %c0] : memref<2x3xf32>
  %z = memref.load %m[%c1, %c2] : memref<2x3xf32>
  %w = vector.from_elements %x, %y, %z : vector<3xf32>
  vector.print %w : vector<3xf32>
  vector.print %t : vector<2x2xf32>
  vector.print %k : vector<2x3xf32>
  memref.dealloc %m : memref<2x3xf32>
  return
}
