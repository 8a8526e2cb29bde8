// The number of an iteration as an integer: what the lanes have is at equal distances.

// RUN: freehold opt %s --vectorize-loops | FileCheck %s

// CHECK-LABEL: func.func @iota
// CHECK:       scf.for %[[I:.*]] =
// CHECK:         %[[FIRST:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK:         %[[ALL:.*]] = vector.broadcast %[[FIRST]] : i32 to vector<4xi32>
// CHECK:         %[[DISTANCES:.*]] = arith.constant dense<[0, 1, 2, 3]> : vector<4xi32>
// CHECK:         %[[NUMBERS:.*]] = arith.addi %[[ALL]], %[[DISTANCES]] : vector<4xi32>
// CHECK:         vector.store %[[NUMBERS]]
func.func @iota(%m: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.index_cast %i : index to i32
    memref.store %0, %m[%i] : memref<?xi32>
  }
  return
}

// Three apart, and more than bytes can hold: these wrap around.
// CHECK-LABEL: func.func @multiples
// CHECK:       arith.constant dense<[0, 103, -50, 53, -100, 3, 106, -47, 56, -97, 6, 109, -44, 59, -94, 9]> : vector<16xi8>
func.func @multiples(%m: memref<?xi8>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c103 = arith.constant 103 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.muli %i, %c103 : index
    %1 = arith.index_cast %0 : index to i8
    memref.store %1, %m[%i] : memref<?xi8>
  }
  return
}

// An index of which no more is known stays one.
// CHECK-LABEL: func.func @remainders
// CHECK-NOT:   vector
func.func @remainders(%m: memref<?xi32>, %n: index, %d: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %0 = arith.remui %i, %d : index
    %1 = arith.index_cast %0 : index to i32
    memref.store %1, %m[%i] : memref<?xi32>
  }
  return
}

// -----

// What is the same in all iterations is computed before the loop: scalars have no place among the widest registers.
// CHECK-LABEL: func.func @row_number
// CHECK:         scf.for %[[I:.*]] =
// CHECK-NEXT:      %[[N:.*]] = arith.index_cast %[[I]] : index to i32
// CHECK-NEXT:      %[[F:.*]] = arith.sitofp %[[N]] : i32 to f32
// CHECK:           vector.broadcast %[[F]] : f32
func.func @row_number(%x: memref<16x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c16 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %n = arith.index_cast %i : index to i32
      %f = arith.sitofp %n : i32 to f32
      %a = memref.load %x[%i, %j] : memref<16x64xf32>
      %b = arith.addf %a, %f : f32
      memref.store %b, %x[%i, %j] : memref<16x64xf32>
    }
  }
  return
}
