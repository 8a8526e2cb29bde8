// RUN: freehold opt %s --split-input-file --vectorize-loops="vector-bits=512" --canonicalize | FileCheck %s
// RUN: freehold opt %s --split-input-file --vectorize-loops="vector-bits=128" | FileCheck %s --check-prefix=SMALL

// Subscripts that are data are gathered by, in lanes of 32 bits. Registers of 128 bits gain nothing.
// CHECK-LABEL: func.func @table
// CHECK-SAME:    (%[[T:.*]]: memref<300xf32>, %[[AT:.*]]: memref<64xi32>
// CHECK:         %[[N:.*]] = vector.load %[[AT]]{{.*}} vector<16xi32>
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[N]]
// CHECK:         %[[LAST:.*]] = arith.minsi %[[LOW]]
// CHECK:         vector.gather %[[T]][%{{.*}}] [%[[LAST]]]
// CHECK-SAME:      memref<300xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
// SMALL-LABEL: func.func @table
// SMALL-NOT:     vector
// SMALL-LABEL: func.func @rows
func.func @table(%t: memref<300xf32>, %at: memref<64xi32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c299 = arith.constant 299 : index
  %out = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %n = memref.load %at[%i] : memref<64xi32>
    %k = arith.index_cast %n : i32 to index
    %low = arith.maxsi %k, %c0 : index
    %last = arith.minsi %low, %c299 : index
    %x = memref.load %t[%last] : memref<300xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %out[%i] : memref<64xf32>
  }
  return %out : memref<64xf32>
}

// -----

// Of a matrix, each row at its own column: the matrix is seen as one row.
// CHECK-LABEL: func.func @rows
// CHECK-SAME:    (%[[T:.*]]: memref<64x7xf32>
// CHECK:         %[[FLAT:.*]] = memref.collapse_shape %[[T]] {{\[\[}}0, 1]]
// CHECK:         arith.addi %{{.*}} : vector<16xi32>
// CHECK:         vector.gather %[[FLAT]]
func.func @rows(%t: memref<64x7xf32>, %at: memref<64xi32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %out = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %n = memref.load %at[%i] : memref<64xi32>
    %k = arith.index_cast %n : i32 to index
    %x = memref.load %t[%i, %k] : memref<64x7xf32>
    memref.store %x, %out[%i] : memref<64xf32>
  }
  return %out : memref<64xf32>
}

// -----

// A buffer that is stored to, sums of indices, which may not fit, and a size that is not known.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     vector.gather
func.func @others(%t: memref<300xf32>, %u: memref<?xf32>, %at: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %n = memref.load %at[%i] : memref<64xi32>
    %k = arith.index_cast %n : i32 to index
    %x = memref.load %t[%k] : memref<300xf32>
    memref.store %x, %t[%i] : memref<300xf32>
  }
  %out = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %n = memref.load %at[%i] : memref<64xi32>
    %k = arith.index_cast %n : i32 to index
    %s = arith.addi %k, %c1 : index
    %x = memref.load %t[%s] : memref<300xf32>
    memref.store %x, %out[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %n = memref.load %at[%i] : memref<64xi32>
    %k = arith.index_cast %n : i32 to index
    %x = memref.load %u[%k] : memref<?xf32>
    memref.store %x, %out[%i] : memref<64xf32>
  }
  memref.dealloc %out : memref<64xf32>
  return
}

// -----

// One channel of an image, whose elements are three apart: all elements in between are loaded, of the last lanes so that
// nothing behind them is, and shuffled. What is far apart stays scalar.
// CHECK-LABEL: func.func @channel
// CHECK-SAME:    (%[[IMAGE:.*]]: memref<64x3xf32>
// CHECK:         %[[FLAT:.*]] = memref.collapse_shape %[[IMAGE]] {{\[\[}}0, 1]]
// CHECK:         %[[A:.*]] = vector.load %[[FLAT]][%c0]
// CHECK:         %[[B:.*]] = vector.load %[[FLAT]][%c16]
// CHECK:         %[[C:.*]] = vector.load %[[FLAT]][%c32]
// CHECK:         %[[AB:.*]] = vector.shuffle %[[A]], %[[B]] [2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 10, 11, 12, 13, 14, 15]
// CHECK:         vector.shuffle %[[AB]], %[[C]] [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31]
// SMALL-LABEL: func.func @channel
// SMALL:         vector.shuffle
func.func @channel(%image: memref<64x3xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %out = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %image[%i, %c2] : memref<64x3xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %out[%i] : memref<64xf32>
  }
  return %out : memref<64xf32>
}

// -----

// CHECK-LABEL: func.func @column
// CHECK-NOT:     vector
// SMALL-LABEL: func.func @column
func.func @column(%m: memref<64x100xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %out = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %m[%i, %c0] : memref<64x100xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %out[%i] : memref<64xf32>
  }
  return %out : memref<64xf32>
}

// -----

// So are lanes of a buffer with a layout: of one row with all that is in between.
// CHECK-LABEL: func.func @channel
// CHECK:         %[[ROW:.*]] = memref.reinterpret_cast %arg0 to offset: [2], sizes: [1534], strides: [1] : memref<4x128xf32, strided<[384, 3], offset: 2>> to memref<1534xf32, strided<[1], offset: 2>>
// CHECK-COUNT-3: vector.load %[[ROW]]
// SMALL-LABEL: func.func @channel
// SMALL-NOT:     vector.gather
func.func @channel(%a: memref<4x128xf32, strided<[384, 3], offset: 2>>) -> memref<4x128xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c128 = arith.constant 128 : index
  %b = memref.alloc() : memref<4x128xf32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c128 step %c1 {
      %x = memref.load %a[%i, %j] : memref<4x128xf32, strided<[384, 3], offset: 2>>
      %y = arith.mulf %x, %x : f32
      memref.store %y, %b[%i, %j] : memref<4x128xf32>
    }
  }
  return %b : memref<4x128xf32>
}

// -----

// Lanes farther apart are gathered.
// CHECK-LABEL: func.func @every_fifth
// CHECK:         vector.gather
// SMALL-LABEL: func.func @every_fifth
func.func @every_fifth(%image: memref<64xf32, strided<[5], offset: 2>>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %out = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %image[%i] : memref<64xf32, strided<[5], offset: 2>>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %out[%i] : memref<64xf32>
  }
  return %out : memref<64xf32>
}

// -----

// A layout that has every second place of a row is one, too, whatever is computed from its elements.
// CHECK-LABEL: func.func @every_second
// CHECK:         memref.reinterpret_cast %arg0 to offset: [1], sizes: [127], strides: [1]
// CHECK:         vector.shuffle
// CHECK:         arith.extf %{{.*}} : vector<16xf32> to vector<16xf64>
func.func @every_second(%a: memref<64xf32, strided<[2], offset: 1>>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %out = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32, strided<[2], offset: 1>>
    %y = arith.extf %x : f32 to f64
    %z = arith.mulf %y, %y : f64
    %w = arith.truncf %z : f64 to f32
    memref.store %w, %out[%i] : memref<64xf32>
  }
  return %out : memref<64xf32>
}
