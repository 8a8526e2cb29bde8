// RUN: freehold opt %s --loop-invariant-code-motion | FileCheck %s

// Out of both loops, in order; what depends on the inner counter stays.
// CHECK-LABEL: func.func @nest
// CHECK:         %[[A:.*]] = arith.addf %arg1, %arg1
// CHECK-NEXT:    scf.for %[[I:.*]] =
// CHECK-NEXT:      %[[X:.*]] = arith.index_cast %[[I]]
// CHECK-NEXT:      scf.for %[[J:.*]] =
// CHECK-NEXT:        %[[Y:.*]] = arith.index_cast %[[J]]
// CHECK-NEXT:        func.call @use(%[[X]], %[[Y]], %[[A]])
func.func @nest(%n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %x = arith.index_cast %i : index to i64
      %y = arith.index_cast %j : index to i64
      %a = arith.addf %f, %f : f32
      func.call @use(%x, %y, %a) : (i64, i64, f32) -> ()
    }
  }
  return
}
func.func private @use(i64, i64, f32)

// A loop may run not even once: a division by what may be zero stays, a load as well.
// CHECK-LABEL: func.func @kept
// CHECK:         scf.for
// CHECK-DAG:       arith.divsi %arg1, %arg2
// CHECK-DAG:       memref.load %arg3
// CHECK:         return
func.func @kept(%n: index, %a: i64, %b: i64, %m: memref<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %q = arith.divsi %a, %b : i64
    %v = memref.load %m[] : memref<f32>
    func.call @use(%q, %q, %v) : (i64, i64, f32) -> ()
  }
  return
}

// A division by a number, a whole condition, and loops of all kinds.
// CHECK-LABEL: func.func @moved
// CHECK:         arith.divsi
// CHECK:         %[[S:.*]] = scf.if
// CHECK:         scf.parallel
// CHECK:         affine.for
// CHECK:         func.call @use
func.func @moved(%n: index, %c: i1, %a: i64, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : i64
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    affine.for %j = 0 to 4 {
      %q = arith.divsi %a, %c3 : i64
      %s = scf.if %c -> f32 {
        %t = arith.addf %f, %f : f32
        scf.yield %t : f32
      } else {
        scf.yield %f : f32
      }
      func.call @use(%q, %q, %s) : (i64, i64, f32) -> ()
    }
    scf.reduce
  }
  return
}
