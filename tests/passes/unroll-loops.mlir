// RUN: freehold opt %s --unroll-loops --canonicalize --cse | FileCheck %s
// RUN: freehold opt %s --unroll-loops=short-rows --canonicalize --cse | FileCheck %s --check-prefix=ROWS

// A window: both of its loops disappear, the sum goes through all places.
// CHECK-LABEL: func.func @window
// CHECK:         scf.for %[[I:.*]] = %c0 to %arg1 step %c1 {
// CHECK-NOT:       scf.for
// CHECK:           %[[A:.*]] = memref.load %arg0[%[[I]], %c0]
// CHECK:           %[[AB:.*]] = arith.addf %[[A]], %{{.*}}
// CHECK:           %[[B:.*]] = memref.load %arg0[%[[I]], %c1]
// CHECK:           %[[BB:.*]] = arith.addf {{.*}}%[[B]]
// CHECK:           %[[J:.*]] = arith.addi %[[I]], %c2
// CHECK:           %[[C:.*]] = memref.load %arg0[%[[J]], %c0]
// CHECK:           %[[CB:.*]] = arith.addf {{.*}}%[[C]]
// CHECK:           %[[D:.*]] = memref.load %arg0[%[[J]], %c1]
// CHECK:           %[[DB:.*]] = arith.addf {{.*}}%[[D]]
// CHECK:           memref.store %[[DB]], %arg2[%[[I]]]
func.func @window(%a: memref<?x2xf32>, %n: index, %b: memref<?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = scf.for %j = %c0 to %c4 step %c2 iter_args(%t = %zero) -> (f32) {
      %r = scf.for %k = %c0 to %c2 step %c1 iter_args(%u = %t) -> (f32) {
        %ij = arith.addi %i, %j : index
        %x = memref.load %a[%ij, %k] : memref<?x2xf32>
        %next = arith.addf %u, %x : f32
        scf.yield %next : f32
      }
      scf.yield %r : f32
    }
    memref.store %s, %b[%i] : memref<?xf32>
  }
  return
}

// Not inside of another loop, too many iterations, not known how many, a body with loops.
// CHECK-LABEL: func.func @left
// CHECK-COUNT-5: scf.for
// CHECK:         return
func.func @left(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c9 step %c1 {
      func.call @use(%j) : (index) -> ()
    }
    scf.for %j = %c0 to %n step %c1 {
      func.call @use(%j) : (index) -> ()
    }
    scf.for %j = %c0 to %c4 step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        func.call @use(%k) : (index) -> ()
      }
    }
  }
  return
}
func.func private @use(index)

// Rows of three and four are written out; eight floats fill registers, of few rows of four lanes are too many, and in
// other cases something else than whole rows is gone through.
// ROWS-LABEL: func.func @rows
// ROWS:         scf.for %[[I:.*]] =
// ROWS-NOT:       scf.for
// ROWS:           memref.store %{{.*}}, %arg0[%[[I]], %c2] : memref<64x3xf32>
// ROWS:         scf.for %[[I:.*]] =
// ROWS-NOT:       scf.for
// ROWS:           memref.store %{{.*}}, %arg1[%[[I]], %c3] : memref<64x4xf32>
// ROWS:         scf.for
// ROWS-NEXT:      scf.for
// ROWS:         scf.for
// ROWS-NEXT:      scf.for
// ROWS:         scf.for
// ROWS-NEXT:      scf.for
// ROWS:         scf.for
// ROWS-NEXT:      scf.for
func.func @rows(%a: memref<64x3xf32>, %b: memref<64x4xf32>, %f: f32, %d: memref<64x8xf32>, %e: memref<8x4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %c3 step %c1 {
      memref.store %f, %a[%i, %k] : memref<64x3xf32>
    }
  }
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %c4 step %c1 {
      memref.store %f, %b[%i, %k] : memref<64x4xf32>
    }
  }
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %c8 step %c1 {
      memref.store %f, %d[%i, %k] : memref<64x8xf32>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %k = %c0 to %c4 step %c1 {
      memref.store %f, %e[%i, %k] : memref<8x4xf32>
    }
  }
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %c2 step %c1 {
      memref.store %f, %a[%i, %k] : memref<64x3xf32>
    }
  }
  scf.for %i = %c0 to %c64 step %c1 {
    scf.for %k = %c0 to %c3 step %c1 {
      memref.store %f, %a[%k, %c0] : memref<64x3xf32>
    }
  }
  return
}

// Of a row that no memory holds, no counters are listed.
// CHECK-LABEL: func.func @huge_row(
// CHECK: scf.for %{{.*}} = %c0 to %c100000000000000000 step %c1 {
// ROWS-LABEL: func.func @huge_row(
// ROWS: scf.for %{{.*}} = %c0 to %c100000000000000000 step %c1 {
func.func @huge_row(%m: memref<100000000000000000xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100000000000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %m[%i] : memref<100000000000000000xf32>
  }
  return
}
