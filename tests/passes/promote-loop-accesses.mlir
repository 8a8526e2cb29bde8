// RUN: freehold opt %s --promote-loop-accesses --canonicalize --cse | FileCheck %s

// The sum stays in a register.
// CHECK-LABEL: func.func @sum
// CHECK:         %[[OUT:.*]] = memref.alloc() : memref<f32>
// CHECK:         %[[FIRST:.*]] = memref.load %[[OUT]][]
// CHECK-NEXT:    %[[LAST:.*]] = scf.for %[[I:.*]] = %c0 to %c64 step %c1 iter_args(%[[SUM:.*]] = %[[FIRST]]) -> (f32) {
// CHECK-NEXT:      %[[X:.*]] = memref.load %arg0[%[[I]]]
// CHECK-NEXT:      %[[NEXT:.*]] = arith.addf %[[SUM]], %[[X]]
// CHECK-NEXT:      scf.yield %[[NEXT]]
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.store %[[LAST]], %[[OUT]][]
func.func @sum(%a: memref<64xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %out = memref.alloc() : memref<f32>
  scf.for %i = %c0 to %c64 step %c1 {
    %sum = memref.load %out[] : memref<f32>
    %x = memref.load %a[%i] : memref<64xf32>
    %next = arith.addf %sum, %x : f32
    memref.store %next, %out[] : memref<f32>
  }
  %r = memref.load %out[] : memref<f32>
  memref.dealloc %out : memref<f32>
  return %r : f32
}

// Where the buffers may overlap, or the loop may not run, that is found out first.
// CHECK-LABEL: func.func @unknown
// CHECK:         %[[APART:.*]] = arith.ori
// CHECK:         %[[RUNS:.*]] = arith.cmpi sgt, %arg2, %c0
// CHECK:         %[[BOTH:.*]] = arith.andi %[[RUNS]], %[[APART]]
// CHECK:         scf.if %[[BOTH]] {
// CHECK:           %[[LAST:.*]] = scf.for {{.*}} iter_args
// CHECK:           memref.store %[[LAST]], %arg1[]
// CHECK:         } else {
// CHECK:           scf.for
// CHECK:             memref.store %{{.*}}, %arg1[]
func.func @unknown(%a: memref<64xf32>, %out: memref<f32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %sum = memref.load %out[] : memref<f32>
    %x = memref.load %a[%i] : memref<64xf32>
    %next = arith.addf %sum, %x : f32
    memref.store %next, %out[] : memref<f32>
  }
  return
}

// Out of all loops around in which the place is the same, with vectors and values that were carried
// before. The attribute says that %b does not overlap %c.
// CHECK-LABEL: func.func @nest
// CHECK:         scf.for %[[J:.*]] = %c0 to %c32 step %c4 {
// CHECK-NEXT:      %[[FIRST:.*]] = vector.load %arg1[%[[J]]]
// CHECK-NEXT:      %[[OUTER:.*]] = scf.for {{.*}} iter_args(%[[O:.*]] = %[[FIRST]]) -> (vector<4xf32>) {
// CHECK-NEXT:        %[[INNER:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %[[O]]) -> (vector<4xf32>) {
// CHECK-NOT:           vector.store
// CHECK:               scf.yield
// CHECK-NEXT:        }
// CHECK-NEXT:        scf.yield %[[INNER]]
// CHECK-NEXT:      }
// CHECK-NEXT:      vector.store %[[OUTER]], %arg1[%[[J]]]
func.func @nest(%b: memref<8x8x32xf32>, %c: memref<32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  scf.for %j = %c0 to %c32 step %c4 {
    scf.for %k = %c0 to %c8 step %c1 {
      scf.for %l = %c0 to %c8 step %c1 {
        %x = vector.load %b[%k, %l, %j] : memref<8x8x32xf32>, vector<4xf32>
        %s = vector.load %c[%j] : memref<32xf32>, vector<4xf32>
        %r = arith.addf %s, %x : vector<4xf32>
        vector.store %r, %c[%j] : memref<32xf32>, vector<4xf32>
      }
    }
  } {freehold.disjoint}
  return
}

// Other accesses of the buffer, a place that changes, a load after the store, no load, and calls
// that may look at it.
// CHECK-LABEL: func.func @not_the_same_place
// CHECK-NOT:     iter_args
// CHECK:         return
func.func @not_the_same_place(%a: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = memref.load %a[%c0] : memref<64xf32>
    %z = arith.addf %x, %y : f32
    memref.store %z, %a[%c0] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %z = arith.addf %x, %x : f32
    memref.store %z, %a[%i] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%c0] : memref<64xf32>
    %z = arith.addf %x, %x : f32
    memref.store %z, %a[%c0] : memref<64xf32>
    %y = memref.load %a[%c0] : memref<64xf32>
    memref.store %y, %a[%c1] : memref<64xf32>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%c0] : memref<64xf32>
    %z = arith.addf %x, %x : f32
    memref.store %z, %a[%c0] : memref<64xf32>
    func.call @look() : () -> ()
  }
  return
}
func.func private @look()

// Two places of a buffer that are certainly not the same, and vectors in rows that are not.
// CHECK-LABEL: func.func @neighbours
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (f32, f32) {
// CHECK-NOT:       memref.store
// CHECK:           scf.yield
// CHECK:         scf.for {{.*}} iter_args({{.*}}) -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NOT:       vector.store
// CHECK:           scf.yield
func.func @neighbours(%i: index) -> memref<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i1 = arith.addi %i, %c1 : index
  %a = memref.alloc() : memref<64x64xf32>
  scf.for %k = %c0 to %c64 step %c1 {
    %x = memref.load %a[%c0, %i] : memref<64x64xf32>
    %y = memref.load %a[%c0, %i1] : memref<64x64xf32>
    %p = arith.mulf %x, %x : f32
    %q = arith.mulf %y, %y : f32
    memref.store %p, %a[%c0, %i] : memref<64x64xf32>
    memref.store %q, %a[%c0, %i1] : memref<64x64xf32>
  }
  scf.for %k = %c0 to %c64 step %c1 {
    %x = vector.load %a[%i, %c0] : memref<64x64xf32>, vector<4xf32>
    %y = vector.load %a[%i1, %c0] : memref<64x64xf32>, vector<4xf32>
    %p = arith.mulf %x, %x : vector<4xf32>
    %q = arith.mulf %y, %y : vector<4xf32>
    vector.store %p, %a[%i, %c0] : memref<64x64xf32>, vector<4xf32>
    vector.store %q, %a[%i1, %c0] : memref<64x64xf32>, vector<4xf32>
  }
  return %a : memref<64x64xf32>
}

// Places that may be the same, vectors that overlap, a row of which the stride may be zero, and a place
// that moves.
// CHECK-LABEL: func.func @perhaps_neighbours
// CHECK-NOT:     iter_args
func.func @perhaps_neighbours(%b: memref<64x64xf32, strided<[?, 1]>>, %i: index, %j: index) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %i1 = arith.addi %i, %c1 : index
  %a = memref.alloc() : memref<64xf32>
  scf.for %k = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = memref.load %a[%j] : memref<64xf32>
    %p = arith.mulf %x, %x : f32
    %q = arith.mulf %y, %y : f32
    memref.store %p, %a[%i] : memref<64xf32>
    memref.store %q, %a[%j] : memref<64xf32>
  }
  scf.for %k = %c0 to %c64 step %c1 {
    %x = vector.load %a[%i] : memref<64xf32>, vector<4xf32>
    %y = vector.load %a[%i1] : memref<64xf32>, vector<4xf32>
    %p = arith.mulf %x, %x : vector<4xf32>
    %q = arith.mulf %y, %y : vector<4xf32>
    vector.store %p, %a[%i] : memref<64xf32>, vector<4xf32>
    vector.store %q, %a[%i1] : memref<64xf32>, vector<4xf32>
  }
  scf.for %k = %c0 to %c64 step %c1 {
    %x = memref.load %b[%i, %c0] : memref<64x64xf32, strided<[?, 1]>>
    %y = memref.load %b[%i1, %c0] : memref<64x64xf32, strided<[?, 1]>>
    %p = arith.mulf %x, %x : f32
    %q = arith.mulf %y, %y : f32
    memref.store %p, %b[%i, %c0] : memref<64x64xf32, strided<[?, 1]>>
    memref.store %q, %b[%i1, %c0] : memref<64x64xf32, strided<[?, 1]>>
  }
  scf.for %k = %c0 to %c64 step %c1 {
    %k1 = arith.addi %k, %c1 : index
    %x = memref.load %a[%c0] : memref<64xf32>
    %y = memref.load %a[%k1] : memref<64xf32>
    %p = arith.mulf %x, %y : f32
    memref.store %p, %a[%c0] : memref<64xf32>
  }
  return %a : memref<64xf32>
}

// Truth values become numbers as wide as what they were compared of, if they are combined.
// CHECK-LABEL: func.func @any
// CHECK:         %[[FIRST:.*]] = arith.extui %{{.*}} : i1 to i32
// CHECK:         %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[SO:.*]] = %[[FIRST]]) -> (i32) {
// CHECK:           %[[IS:.*]] = arith.cmpi ne, %{{.*}}, %{{.*}} : i32
// CHECK:           %[[ONE:.*]] = arith.extui %[[IS]] : i1 to i32
// CHECK:           %[[NEXT:.*]] = arith.ori %[[SO]], %[[ONE]] : i32
// CHECK:           scf.yield %[[NEXT]]
// CHECK:         arith.cmpi ne, %[[LAST]], %c0_i32 : i32
func.func @any(%a: memref<64xi32>) -> memref<i1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %false = arith.constant false
  %b = memref.alloc() : memref<i1>
  memref.store %false, %b[] : memref<i1>
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xi32>
    %so = memref.load %b[] : memref<i1>
    %is = arith.cmpi ne, %x, %zero : i32
    %any = arith.ori %is, %so : i1
    memref.store %any, %b[] : memref<i1>
  }
  return %b : memref<i1>
}

// What is combined is used elsewhere too: truth values stay.
// CHECK-LABEL: func.func @any_so_far
// CHECK:         scf.for {{.*}} -> (i1) {
func.func @any_so_far(%a: memref<64xi32>, %c: memref<64xi1>) -> memref<i1> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0 : i32
  %false = arith.constant false
  %b = memref.alloc() : memref<i1>
  memref.store %false, %b[] : memref<i1>
  scf.for %i = %c0 to %c64 step %c1 {
    %so = memref.load %b[] : memref<i1>
    %x = memref.load %a[%i] : memref<64xi32>
    %is = arith.cmpi ne, %x, %zero : i32
    %any = arith.ori %is, %so : i1
    memref.store %any, %b[] : memref<i1>
    %y = arith.select %any, %x, %zero : i32
    %s = arith.select %any, %y, %x : i32
    memref.store %s, %a[%i] : memref<64xi32>
  }
  return %b : memref<i1>
}

// Views that passes made in a loop of which it is said that buffers do not overlap are parts of their buffer.
// CHECK-LABEL: func.func @view_in_disjoint_loop
// CHECK:         scf.for
// CHECK:           vector.load
// CHECK:           memref.load
// CHECK:           memref.store
func.func @view_in_disjoint_loop(%a: memref<2x3xi64>, %n: index, %y: i64) -> vector<2xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v0 = arith.constant dense<0> : vector<2xi64>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %v0) -> (vector<2xi64>) {
    %row = memref.collapse_shape %a [[0, 1]] : memref<2x3xi64> into memref<6xi64>
    %v = vector.load %row[%c0] : memref<6xi64>, vector<2xi64>
    %next = arith.addi %sum, %v : vector<2xi64>
    %x = memref.load %a[%c0, %c1] : memref<2x3xi64>
    %z = arith.addi %x, %y : i64
    memref.store %z, %a[%c0, %c1] : memref<2x3xi64>
    scf.yield %next : vector<2xi64>
  } {freehold.disjoint}
  return %r : vector<2xi64>
}

// Halves become floats of 32 bits in the loop: extremes, and sums in any order. Sums in order round after each addition.
// CHECK-LABEL: func.func @halves
// CHECK-SAME:    (%[[X:.*]]: memref<64xbf16>, %[[FIRST:.*]]: bf16)
// CHECK:         %[[WIDE:.*]] = arith.extf %[[FIRST]] : bf16 to f32
// CHECK:         %[[ALL:.*]]:3 = scf.for {{.*}} iter_args(%[[A:.*]] = %[[WIDE]], %[[B:.*]] = %[[WIDE]], %[[C:.*]] = %[[FIRST]]) -> (f32, f32, bf16) {
// CHECK:           %[[Y:.*]] = arith.extf %{{.*}} : bf16 to f32
// CHECK:           arith.maximumf %[[A]], %[[Y]] : f32
// CHECK:           arith.addf %[[Y]], %[[B]] fastmath<reassoc> : f32
// CHECK:           arith.addf %[[C]], %{{.*}} : bf16
// CHECK:         arith.truncf %[[ALL]]#0 : f32 to bf16
// CHECK:         arith.truncf %[[ALL]]#1 : f32 to bf16
func.func @halves(%x: memref<64xbf16>, %first: bf16) -> (bf16, bf16, bf16) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %r:3 = scf.for %i = %c0 to %c64 step %c1 iter_args(%a = %first, %b = %first, %c = %first) -> (bf16, bf16, bf16) {
    %y = memref.load %x[%i] : memref<64xbf16>
    %max = arith.maximumf %a, %y : bf16
    %sum = arith.addf %y, %b fastmath<reassoc> : bf16
    %in_order = arith.addf %c, %y : bf16
    scf.yield %max, %sum, %in_order : bf16, bf16, bf16
  }
  return %r#0, %r#1, %r#2 : bf16, bf16, bf16
}
