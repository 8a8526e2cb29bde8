// Sums of parts of rows, as of complex numbers, that an inner loop adds up: in registers, whole rows are put together
// once, behind it. Until what is in memory is in registers, the first run of the pipeline leaves such loops alone.
//
// RUN: freehold opt --vectorize-loops --canonicalize --cse %s | FileCheck %s
// RUN: freehold opt --vectorize-loops=sums-in-memory=false --canonicalize --cse %s | FileCheck %s --check-prefix=LATER
// RUN: freehold opt --vectorize-loops=sums-in-memory=false --promote-loop-accesses --forward-stores --vectorize-loops --canonicalize --cse %s | FileCheck %s --check-prefix=ONCE

// The row is stored before the inner loop as well.
// CHECK-LABEL: func.func @columns(
// CHECK: scf.for
// CHECK: vector.store
// CHECK: scf.for
// CHECK: vector.store
// CHECK: vectorized
// LATER-LABEL: func.func @columns(
// LATER-NOT: vector.store
// ONCE-LABEL: func.func @columns(
// ONCE: scf.for
// ONCE: scf.for {{.*}} -> (vector<4xf32>, vector<4xf32>)
// ONCE-NOT: vector.store
// ONCE: scf.yield
// ONCE-COUNT-2: vector.store
func.func @columns(%a: memref<20x64x2xf32>, %b: memref<64x2xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %c64 = arith.constant 64 : index
  %sums = memref.alloc() : memref<64x2xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    memref.store %f, %sums[%i, %c0] : memref<64x2xf32>
    memref.store %f, %sums[%i, %c1] : memref<64x2xf32>
    scf.for %k = %c0 to %c20 step %c1 {
      %x = memref.load %a[%k, %i, %c0] : memref<20x64x2xf32>
      %y = memref.load %a[%k, %i, %c1] : memref<20x64x2xf32>
      %s = memref.load %sums[%i, %c0] : memref<64x2xf32>
      %t = memref.load %sums[%i, %c1] : memref<64x2xf32>
      %u = arith.addf %s, %x : f32
      %v = arith.addf %t, %y : f32
      memref.store %u, %sums[%i, %c0] : memref<64x2xf32>
      memref.store %v, %sums[%i, %c1] : memref<64x2xf32>
    }
  }
  memref.copy %sums, %b : memref<64x2xf32> to memref<64x2xf32>
  memref.dealloc %sums : memref<64x2xf32>
  return
}

// Two rows are stored in turns: they are apart in a subscript that lanes have in common.
// LATER-LABEL: func.func @two_rows(
// CHECK-LABEL: func.func @two_rows(
// CHECK-COUNT-4: vector.store
func.func @two_rows(%a: memref<64xf32>, %b: memref<8x64x2xf32>, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %next = arith.addi %j, %c1 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    memref.store %x, %b[%j, %i, %c1] : memref<8x64x2xf32>
    memref.store %x, %b[%next, %i, %c1] : memref<8x64x2xf32>
    memref.store %x, %b[%j, %i, %c0] : memref<8x64x2xf32>
    memref.store %x, %b[%next, %i, %c0] : memref<8x64x2xf32>
  }
  return
}

// They may be the same row.
// CHECK-LABEL: func.func @maybe_one_row(
// CHECK-NOT: vector.store
// CHECK: return
func.func @maybe_one_row(%a: memref<64xf32>, %b: memref<8x64x2xf32>, %j: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.negf %x : f32
    memref.store %x, %b[%j, %i, %c1] : memref<8x64x2xf32>
    memref.store %y, %b[%k, %i, %c1] : memref<8x64x2xf32>
    memref.store %x, %b[%j, %i, %c0] : memref<8x64x2xf32>
    memref.store %y, %b[%k, %i, %c0] : memref<8x64x2xf32>
  }
  return
}

// An inner loop that reads the row stands between its stores.
// CHECK-LABEL: func.func @read_between(
// CHECK-NOT: vector.store
// CHECK: return
func.func @read_between(%a: memref<64xf32>, %b: memref<64x2xf32>, %c: memref<20x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c20 = arith.constant 20 : index
  %c64 = arith.constant 64 : index
  %d = memref.alloc() : memref<64x2xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    memref.store %x, %d[%i, %c0] : memref<64x2xf32>
    scf.for %k = %c0 to %c20 step %c1 {
      %y = memref.load %d[%i, %c0] : memref<64x2xf32>
      memref.store %y, %c[%k, %i] : memref<20x64xf32>
    }
    memref.store %x, %d[%i, %c1] : memref<64x2xf32>
  }
  memref.copy %d, %b : memref<64x2xf32> to memref<64x2xf32>
  memref.dealloc %d : memref<64x2xf32>
  return
}
