// Loops that replace a buffer in each iteration, with none to three and with a
// hundred iterations: two buffers go round, whatever the number. Each call of
// the four functions takes two allocations, so five calls of four take 40.
//
// RUN: freehold opt %s --hlo-deallocation-pipeline | FileCheck %s
// RUN: freehold run %s --dealloc=none | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=hlo --merge-alloc=never --stats=json 2>&1 | FileCheck %s --check-prefix=STATS

// RESULT: 0000111122223333100100100100
// STATS: "allocs": 40, "frees": 40, {{.*}} "peak_bytes": 16000,

func.func private @printI64(i64)

func.func private @init(%m: memref<1000xi64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  memref.store %zero, %m[%c0] : memref<1000xi64>
  return
}

func.func private @next(%to: memref<1000xi64>, %from: memref<1000xi64>) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : i64
  %v = memref.load %from[%c0] : memref<1000xi64>
  %w = arith.addi %v, %one : i64
  memref.store %w, %to[%c0] : memref<1000xi64>
  return
}

// The buffers change places: nothing is allocated or freed in the loop.
// CHECK-LABEL: func.func private @for(
// CHECK-COUNT-2: memref.alloc()
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
// CHECK:           scf.yield %[[A:.*]], %[[B:.*]] :
// CHECK-NOT:     memref.alloc
// CHECK:         memref.dealloc
// CHECK:         memref.dealloc
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func private @for(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1000xi64>
  func.call @init(%a) : (memref<1000xi64>) -> ()
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<1000xi64>) {
    %t = memref.alloc() : memref<1000xi64>
    func.call @next(%t, %b) : (memref<1000xi64>, memref<1000xi64>) -> ()
    scf.yield %t : memref<1000xi64>
  }
  %v = memref.load %r[%c0] : memref<1000xi64>
  return %v : i64
}

// CHECK-LABEL: func.func private @while_after(
// CHECK-COUNT-2: memref.alloc()
// CHECK:         scf.while
// CHECK-NOT:     memref.alloc
// CHECK:           scf.condition
// CHECK-NOT:     memref.alloc
// CHECK:           scf.yield
// CHECK:         return
func.func private @while_after(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1000xi64>
  func.call @init(%a) : (memref<1000xi64>) -> ()
  %r:2 = scf.while (%b = %a, %i = %c0) : (memref<1000xi64>, index) -> (memref<1000xi64>, index) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %b, %i : memref<1000xi64>, index
  } do {
  ^bb0(%b: memref<1000xi64>, %i: index):
    %t = memref.alloc() : memref<1000xi64>
    func.call @next(%t, %b) : (memref<1000xi64>, memref<1000xi64>) -> ()
    %j = arith.addi %i, %c1 : index
    scf.yield %t, %j : memref<1000xi64>, index
  }
  %v = memref.load %r#0[%c0] : memref<1000xi64>
  return %v : i64
}

// Both regions replace the buffer, and still there are two.
// CHECK-LABEL: func.func private @while_both(
// CHECK-COUNT-2: memref.alloc()
// CHECK:         scf.while
// CHECK-NOT:     memref.alloc
// CHECK:           scf.condition
// CHECK-NOT:     memref.alloc
// CHECK:           scf.yield
// CHECK:         return
func.func private @while_both(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %a = memref.alloc() : memref<1000xi64>
  func.call @init(%a) : (memref<1000xi64>) -> ()
  %r:2 = scf.while (%b = %a, %i = %c0) : (memref<1000xi64>, index) -> (memref<1000xi64>, index) {
    %t = memref.alloc() : memref<1000xi64>
    func.call @next(%t, %b) : (memref<1000xi64>, memref<1000xi64>) -> ()
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %t, %i : memref<1000xi64>, index
  } do {
  ^bb0(%b: memref<1000xi64>, %i: index):
    %t = memref.alloc() : memref<1000xi64>
    func.call @next(%t, %b) : (memref<1000xi64>, memref<1000xi64>) -> ()
    %j = arith.addi %i, %c1 : index
    scf.yield %t, %j : memref<1000xi64>, index
  }
  // Twice per iteration and once at the end.
  %v = memref.load %r#0[%c0] : memref<1000xi64>
  %half = arith.divsi %v, %two : i64
  return %half : i64
}

// A temporary of each iteration is allocated once, and shared with what is
// needed behind the loop.
// CHECK-LABEL: func.func private @temporary(
// CHECK-COUNT-2: memref.alloc()
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func private @temporary(%n: index) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<1000xi64>
  func.call @init(%a) : (memref<1000xi64>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    %t = memref.alloc() : memref<1000xi64>
    func.call @next(%t, %a) : (memref<1000xi64>, memref<1000xi64>) -> ()
    memref.copy %t, %a : memref<1000xi64> to memref<1000xi64>
  }
  %b = memref.alloc() : memref<1000xi64>
  memref.copy %a, %b : memref<1000xi64> to memref<1000xi64>
  %v = memref.load %b[%c0] : memref<1000xi64>
  return %v : i64
}

func.func private @round(%n: index) {
  %f = func.call @for(%n) : (index) -> i64
  %g = func.call @while_after(%n) : (index) -> i64
  %h = func.call @while_both(%n) : (index) -> i64
  %t = func.call @temporary(%n) : (index) -> i64
  func.call @printI64(%f) : (i64) -> ()
  func.call @printI64(%g) : (i64) -> ()
  func.call @printI64(%h) : (i64) -> ()
  func.call @printI64(%t) : (i64) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c100 = arith.constant 100 : index
  scf.for %n = %c0 to %c4 step %c1 {
    func.call @round(%n) : (index) -> ()
  }
  call @round(%c100) : (index) -> ()
  return
}
