// Buffers whose sizes are known when the program runs, before the loop.
//
// RUN: freehold opt %s --hlo-buffer-reuse | FileCheck %s
// RUN: freehold run %s -O0 --dealloc=none --check | FileCheck %s --check-prefix=RESULT
// RUN: freehold opt %s --hlo-buffer-reuse | freehold run -O0 --dealloc=none --check - | FileCheck %s --check-prefix=RESULT
// RUN: freehold opt %s --hlo-buffer-reuse | freehold run -O0 --dealloc=none --stats=json - 2>&1 | FileCheck %s --check-prefix=STATS
//
// RESULT: 012{{$}}
// RESULT-NEXT: 4{{$}}
// RESULT-NEXT: 444{{$}}
// STATS: "allocs": 10, "frees": 10,

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @show(%m: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %v = memref.load %m[%c0] : memref<?xi64>
  call @printI64(%v) : (i64) -> ()
  return
}

// A loop that does not run allocates nothing, whatever the size is.
// CHECK-LABEL: func.func private @hoisted(
// CHECK-SAME:      %[[N:.*]]: index, %[[END:.*]]: index)
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %{{.*}}, %[[END]] : index
// CHECK:         %[[SIZE:.*]] = arith.select %[[RUNS]], %{{.*}}, %{{.*}} : index
// CHECK:         %[[ALLOC:.*]] = memref.alloc(%[[SIZE]]) : memref<?xi64>
// CHECK-NEXT:    scf.for
// CHECK-NOT:       memref.alloc
// CHECK:           func.call @show(%[[ALLOC]])
// CHECK-NOT:       memref.dealloc
// CHECK:         }
// CHECK-NEXT:    memref.dealloc %[[ALLOC]]
func.func private @hoisted(%n: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %end step %c1 {
    %twice = arith.muli %n, %c2 : index
    %m = memref.alloc(%twice) : memref<?xi64>
    %x = arith.index_cast %i : index to i64
    memref.store %x, %m[%c0] : memref<?xi64>
    func.call @show(%m) : (memref<?xi64>) -> ()
    memref.dealloc %m : memref<?xi64>
  }
  return
}

// What changes with the loop stays in it.
// CHECK-LABEL: func.func private @not_hoisted(
// CHECK:         scf.for
// CHECK:           memref.alloc
// CHECK:           memref.dealloc
func.func private @not_hoisted(%end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 4 : i64
  scf.for %i = %c0 to %end step %c1 {
    %size = arith.addi %i, %c1 : index
    %m = memref.alloc(%size) : memref<?xi64>
    memref.store %x, %m[%c0] : memref<?xi64>
    memref.dealloc %m : memref<?xi64>
  }
  return
}

// A size that comes in with a buffer is good for another one.
// CHECK-LABEL: func.func private @carried(
// CHECK-SAME:      %[[N:.*]]: index, %[[END:.*]]: index)
// CHECK:         %[[A:.*]] = memref.alloc(%[[N]])
// CHECK:         %[[B:.*]] = memref.alloc(%[[N]])
// CHECK:         scf.for {{.*}} iter_args(%[[P:.*]] = %[[A]], %[[Q:.*]] = %[[B]])
// CHECK-NOT:       memref.alloc
// CHECK:           scf.yield %[[Q]], %[[P]]
func.func private @carried(%n: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  memref.store %one, %a[%c0] : memref<?xi64>
  %r = scf.for %i = %c0 to %end step %c1 iter_args(%p = %a) -> (memref<?xi64>) {
    %q = memref.alloc(%n) : memref<?xi64>
    %x = memref.load %p[%c0] : memref<?xi64>
    %y = arith.addi %x, %one : i64
    memref.store %y, %q[%c0] : memref<?xi64>
    memref.dealloc %p : memref<?xi64>
    scf.yield %q : memref<?xi64>
  }
  func.call @show(%r) : (memref<?xi64>) -> ()
  memref.dealloc %r : memref<?xi64>
  return
}

// A buffer that the loop inside makes of the one that the loop around it makes: the next iteration
// takes it over. Its size is computed inside, and is that of no buffer that comes in.
// CHECK-LABEL: func.func private @nested(
// CHECK:         %[[SIZE:.*]] = arith.select
// CHECK:         %[[A:.*]] = memref.alloc(%[[SIZE]])
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-NOT:         memref.alloc
// CHECK:         return
func.func private @nested(%n: index, %end: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  scf.for %i = %c0 to %end step %c1 {
    %more = arith.addi %n, %c1 : index
    %a = memref.alloc(%more) : memref<?xi64>
    memref.store %one, %a[%c0] : memref<?xi64>
    %r = scf.for %j = %c0 to %end step %c1 iter_args(%p = %a) -> (memref<?xi64>) {
      %q = memref.alloc(%more) : memref<?xi64>
      %x = memref.load %p[%c0] : memref<?xi64>
      %y = arith.addi %x, %one : i64
      memref.store %y, %q[%c0] : memref<?xi64>
      memref.dealloc %p : memref<?xi64>
      scf.yield %q : memref<?xi64>
    }
    func.call @show(%r) : (memref<?xi64>) -> ()
    memref.dealloc %r : memref<?xi64>
  }
  return
}

func.func @main() {
  %cm1 = arith.constant -1 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  call @hoisted(%c3, %c3) : (index, index) -> ()
  call @hoisted(%cm1, %c0) : (index, index) -> ()
  call @printNewline() : () -> ()
  call @not_hoisted(%c1) : (index) -> ()
  call @carried(%c1, %c3) : (index, index) -> ()
  call @printNewline() : () -> ()
  call @nested(%c1, %c3) : (index, index) -> ()
  call @nested(%cm1, %c0) : (index, index) -> ()
  call @printNewline() : () -> ()
  return
}
