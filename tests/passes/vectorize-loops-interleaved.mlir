// Lanes go through rows of two to eight elements together: registers are loaded whole, and their elements taken apart.
// Stores go backwards, if whole rows are stored, and nothing sees them in between.
//
// RUN: freehold opt --vectorize-loops --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: func.func @swap(
// CHECK: %[[ROW:.*]] = memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<64x2xf32> into memref<128xf32>
// CHECK: scf.for
// CHECK: %[[A:.*]] = vector.load %[[ROW]][%{{.*}}] : memref<128xf32>, vector<4xf32>
// CHECK: %[[B:.*]] = vector.load %[[ROW]][%{{.*}}] : memref<128xf32>, vector<4xf32>
// CHECK: %[[X:.*]] = vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6]
// CHECK: %[[Y:.*]] = vector.shuffle %[[A]], %[[B]] [1, 3, 5, 7]
// CHECK: %[[LOW:.*]] = vector.shuffle %[[Y]], %[[X]] [0, 4, 1, 5]
// CHECK: %[[HIGH:.*]] = vector.shuffle %[[Y]], %[[X]] [2, 6, 3, 7]
// CHECK: vector.store %[[LOW]], %[[ROW]]
// CHECK: vector.store %[[HIGH]], %[[ROW]]
func.func @swap(%a: memref<64x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i, %c0] : memref<64x2xf32>
    %y = memref.load %a[%i, %c1] : memref<64x2xf32>
    memref.store %x, %a[%i, %c1] : memref<64x2xf32>
    memref.store %y, %a[%i, %c0] : memref<64x2xf32>
  }
  return
}

// CHECK-LABEL: func.func @sum_of_four(
// CHECK: memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<?x4xf32, strided<[4, 1], offset: ?>> into memref<?xf32, strided<[1], offset: ?>>
// CHECK-COUNT-4: vector.load
// CHECK: vector.store
func.func @sum_of_four(%a: memref<?x4xf32, strided<[4, 1], offset: ?>>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i, %c0] : memref<?x4xf32, strided<[4, 1], offset: ?>>
    %y = memref.load %a[%i, %c1] : memref<?x4xf32, strided<[4, 1], offset: ?>>
    %z = memref.load %a[%i, %c2] : memref<?x4xf32, strided<[4, 1], offset: ?>>
    %w = memref.load %a[%i, %c3] : memref<?x4xf32, strided<[4, 1], offset: ?>>
    %0 = arith.addf %x, %y : f32
    %1 = arith.addf %z, %w : f32
    %2 = arith.addf %0, %1 : f32
    memref.store %2, %b[%i] : memref<?xf32>
  }
  return
}

// Of three elements, parts are picked from one register after the other.
// CHECK-LABEL: func.func @turn(
// CHECK: scf.for
// CHECK: %[[A:.*]] = vector.load %{{.*}} : memref<192xf32>, vector<4xf32>
// CHECK: %[[B:.*]] = vector.load %{{.*}} : memref<192xf32>, vector<4xf32>
// CHECK: %[[C:.*]] = vector.load %{{.*}} : memref<192xf32>, vector<4xf32>
// CHECK: %[[X0:.*]] = vector.shuffle %[[A]], %[[B]] [0, 3, 6, 3]
// CHECK: %[[X:.*]] = vector.shuffle %[[X0]], %[[C]] [0, 1, 2, 5]
// CHECK: %[[Y0:.*]] = vector.shuffle %[[A]], %[[B]] [1, 4, 7, 3]
// CHECK: %[[Y:.*]] = vector.shuffle %[[Y0]], %[[C]] [0, 1, 2, 6]
// CHECK: %[[Z0:.*]] = vector.shuffle %[[A]], %[[B]] [2, 5, 2, 3]
// CHECK: %[[Z:.*]] = vector.shuffle %[[Z0]], %[[C]] [0, 1, 4, 7]
// CHECK: %[[D0:.*]] = vector.shuffle %[[Y]], %[[Z]] [0, 4, 2, 1]
// CHECK: vector.shuffle %[[D0]], %[[X]] [0, 1, 4, 3]
// CHECK-COUNT-3: vector.store
func.func @turn(%a: memref<64x3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i, %c0] : memref<64x3xf32>
    %y = memref.load %a[%i, %c1] : memref<64x3xf32>
    %z = memref.load %a[%i, %c2] : memref<64x3xf32>
    memref.store %x, %a[%i, %c2] : memref<64x3xf32>
    memref.store %y, %a[%i, %c0] : memref<64x3xf32>
    memref.store %z, %a[%i, %c1] : memref<64x3xf32>
  }
  return
}

// A loop between two stores of a row does not change what is to be stored.
// CHECK-LABEL: func.func @around_loop(
// CHECK: scf.for
// CHECK: scf.for
// CHECK-COUNT-2: vector.store
// CHECK: return
func.func @around_loop(%a: memref<64x2xf32>, %b: memref<64xf32>, %c: memref<200xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c200 = arith.constant 200 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %b[%i] : memref<64xf32>
    memref.store %x, %a[%i, %c0] : memref<64x2xf32>
    %s = scf.for %k = %c0 to %c200 step %c1 iter_args(%acc = %zero) -> (f32) {
      %y = memref.load %c[%k] : memref<200xf32>
      %z = arith.mulf %y, %x : f32
      %t = arith.addf %acc, %z : f32
      scf.yield %t : f32
    }
    memref.store %s, %a[%i, %c1] : memref<64x2xf32>
  }
  return
}

// Of one part alone, the others would be written too.
// CHECK-LABEL: func.func @one_part(
// CHECK-NOT: vector
// CHECK: return
func.func @one_part(%a: memref<64x2xf32>, %b: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %b[%i] : memref<64xf32>
    memref.store %x, %a[%i, %c1] : memref<64x2xf32>
  }
  return
}

// The second load sees the first store, which would come later.
// CHECK-LABEL: func.func @seen_between(
// CHECK-NOT: vector
// CHECK: return
func.func @seen_between(%a: memref<64x2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i, %c1] : memref<64x2xf32>
    memref.store %x, %a[%i, %c0] : memref<64x2xf32>
    %y = memref.load %a[%i, %c0] : memref<64x2xf32>
    memref.store %y, %a[%i, %c1] : memref<64x2xf32>
  }
  return
}

// What is loaded between two stores is not yet changed.
// CHECK-LABEL: func.func @in_place(
// CHECK-COUNT-3: vector.load
// CHECK: arith.mulf {{.*}} : vector<4xf32>
// CHECK-COUNT-3: vector.store
func.func @in_place(%a: memref<64x3xf32>, %s: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i, %c0] : memref<64x3xf32>
    %x1 = arith.mulf %x, %s : f32
    memref.store %x1, %a[%i, %c0] : memref<64x3xf32>
    %y = memref.load %a[%i, %c1] : memref<64x3xf32>
    %y1 = arith.mulf %y, %s : f32
    memref.store %y1, %a[%i, %c1] : memref<64x3xf32>
    %z = memref.load %a[%i, %c2] : memref<64x3xf32>
    %z1 = arith.mulf %z, %s : f32
    memref.store %z1, %a[%i, %c2] : memref<64x3xf32>
  }
  return
}

// The same place is stored twice, so no row is stored once.
// CHECK-LABEL: func.func @twice(
// CHECK-NOT: vector
// CHECK: return
func.func @twice(%a: memref<64x2xf32>, %b: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %b[%i] : memref<64xf32>
    %y = arith.negf %x : f32
    memref.store %x, %a[%i, %c0] : memref<64x2xf32>
    memref.store %y, %a[%i, %c0] : memref<64x2xf32>
    memref.store %x, %a[%i, %c1] : memref<64x2xf32>
  }
  return
}

// Rows with gaps between them.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: vector.store
// CHECK: return
func.func @others(%a: memref<64x2xf32, strided<[3, 1]>>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i, %c0] : memref<64x2xf32, strided<[3, 1]>>
    memref.store %x, %a[%i, %c0] : memref<64x2xf32, strided<[3, 1]>>
    memref.store %x, %a[%i, %c1] : memref<64x2xf32, strided<[3, 1]>>
  }
  return
}

// What is computed from elements that are taken apart may be larger.
// CHECK-LABEL: func.func @computed_in_double(
// CHECK: vector.shuffle {{.*}} : vector<4xf32>, vector<4xf32>
// CHECK: arith.extf {{.*}} : vector<4xf32> to vector<4xf64>
// CHECK: vector.store
func.func @computed_in_double(%a: memref<64x2xf32>, %b: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i, %c0] : memref<64x2xf32>
    %y = memref.load %a[%i, %c1] : memref<64x2xf32>
    %xd = arith.extf %x : f32 to f64
    %yd = arith.extf %y : f32 to f64
    %zd = arith.mulf %xd, %yd : f64
    %z = arith.truncf %zd : f64 to f32
    memref.store %z, %b[%i] : memref<64xf32>
  }
  return
}

// So it is with several registers of them, where others are smaller.
// CHECK-LABEL: func.func @with_bytes(
// CHECK-COUNT-2: vector.load {{.*}} : memref<128xf32>, vector<16xf32>
// CHECK-COUNT-2: vector.shuffle {{.*}} : vector<16xf32>, vector<16xf32>
// CHECK: arith.fptosi {{.*}} : vector<16xf32> to vector<16xi8>
func.func @with_bytes(%a: memref<64x2xf32>, %b: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i, %c0] : memref<64x2xf32>
    %y = memref.load %a[%i, %c1] : memref<64x2xf32>
    %z = arith.mulf %x, %y : f32
    %n = arith.fptosi %z : f32 to i8
    memref.store %n, %b[%i] : memref<64xi8>
  }
  return
}

// Rows of three bytes, in registers of sixteen.
// CHECK-LABEL: func.func @pixels(
// CHECK-COUNT-3: vector.load {{.*}} : memref<192xi8>, vector<16xi8>
// CHECK: arith.maxui {{.*}} : vector<16xi8>
func.func @pixels(%a: memref<64x3xi8>, %b: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i, %c0] : memref<64x3xi8>
    %y = memref.load %a[%i, %c1] : memref<64x3xi8>
    %z = memref.load %a[%i, %c2] : memref<64x3xi8>
    %0 = arith.maxui %x, %y : i8
    %1 = arith.maxui %0, %z : i8
    memref.store %1, %b[%i] : memref<64xi8>
  }
  return
}

// Eight bytes to each row, and five; numbers of more bytes are not put together in rows of five.
// CHECK-LABEL: func.func @eight(
// CHECK-COUNT-8: vector.store {{.*}} : memref<512xi8>, vector<16xi8>
// CHECK-LABEL: func.func @five(
// CHECK-COUNT-5: vector.store {{.*}} : memref<320xi8>, vector<16xi8>
// CHECK-LABEL: func.func @five_shorts(
// CHECK-NOT: vector
// CHECK: return
func.func @eight(%a: memref<64xi8>, %b: memref<64x8xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xi8>
    memref.store %x, %b[%i, %c0] : memref<64x8xi8>
    memref.store %x, %b[%i, %c1] : memref<64x8xi8>
    memref.store %x, %b[%i, %c2] : memref<64x8xi8>
    memref.store %x, %b[%i, %c3] : memref<64x8xi8>
    memref.store %x, %b[%i, %c4] : memref<64x8xi8>
    memref.store %x, %b[%i, %c5] : memref<64x8xi8>
    memref.store %x, %b[%i, %c6] : memref<64x8xi8>
    memref.store %x, %b[%i, %c7] : memref<64x8xi8>
  }
  return
}

func.func @five(%a: memref<64xi8>, %b: memref<64x5xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xi8>
    memref.store %x, %b[%i, %c0] : memref<64x5xi8>
    memref.store %x, %b[%i, %c1] : memref<64x5xi8>
    memref.store %x, %b[%i, %c2] : memref<64x5xi8>
    memref.store %x, %b[%i, %c3] : memref<64x5xi8>
    memref.store %x, %b[%i, %c4] : memref<64x5xi8>
  }
  return
}

func.func @five_shorts(%a: memref<64xi16>, %b: memref<64x5xi16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xi16>
    memref.store %x, %b[%i, %c0] : memref<64x5xi16>
    memref.store %x, %b[%i, %c1] : memref<64x5xi16>
    memref.store %x, %b[%i, %c2] : memref<64x5xi16>
    memref.store %x, %b[%i, %c3] : memref<64x5xi16>
    memref.store %x, %b[%i, %c4] : memref<64x5xi16>
  }
  return
}

// Every third byte, in registers of which the last ends with the last of them; there are no gathers of bytes.
// CHECK-LABEL: func.func @every_third(
// CHECK-COUNT-3: vector.load {{.*}}, vector<16xi8>
// CHECK-NOT: vector.gather
// CHECK: vector.store
// CHECK-LABEL: func.func @every_fifth(
// CHECK-NOT: vector
// CHECK: return
func.func @every_third(%a: memref<64xi8, strided<[3]>>, %b: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xi8, strided<[3]>>
    memref.store %x, %b[%i] : memref<64xi8>
  }
  return
}

func.func @every_fifth(%a: memref<64xi8, strided<[5]>>, %b: memref<64xi8>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xi8, strided<[5]>>
    memref.store %x, %b[%i] : memref<64xi8>
  }
  return
}
