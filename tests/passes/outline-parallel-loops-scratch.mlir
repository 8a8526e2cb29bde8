// Memory from outside of a parallel loop that each iteration writes at the same place is for each iteration alone: on
// the stack it moves into the body, anywhere else it keeps the loop sequential.

// RUN: freehold opt %s --outline-parallel-loops | FileCheck %s
// RUN: freehold run %s --threads=7 --dealloc=none | FileCheck %s --check-prefix=RESULT

// RESULT: 6000
// RESULT-NEXT: 6000
// RESULT-NEXT: 6000
// RESULT-NEXT: 6000

func.func private @printI64(i64)
func.func private @printNewline()

// CHECK-LABEL: func.func @on_stack
// CHECK-NOT:     memref.alloca
// CHECK:         call @on_stack_parallel_0(
func.func @on_stack(%n: index, %out: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %scratch = memref.alloca() : memref<2xi64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = arith.index_cast %i : index to i64
    memref.store %v, %scratch[%c1] : memref<2xi64>
    func.call @add_one(%scratch) : (memref<2xi64>) -> ()
    %x = memref.load %scratch[%c1] : memref<2xi64>
    %y = arith.subi %x, %v : i64
    memref.store %y, %out[%i] : memref<?xi64>
    scf.reduce
  }
  return
}

// CHECK-LABEL: func.func @on_heap
// CHECK:         memref.alloc()
// CHECK:         scf.parallel
func.func @on_heap(%n: index, %out: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %scratch = memref.alloc() : memref<2xi64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = arith.index_cast %i : index to i64
    %part = memref.subview %scratch[1] [1] [1] : memref<2xi64> to memref<1xi64, strided<[1], offset: 1>>
    memref.store %v, %part[%c0] : memref<1xi64, strided<[1], offset: 1>>
    func.call @add_one(%scratch) : (memref<2xi64>) -> ()
    %x = memref.load %scratch[%c1] : memref<2xi64>
    %y = arith.subi %x, %v : i64
    memref.store %y, %out[%i] : memref<?xi64>
    scf.reduce
  }
  memref.dealloc %scratch : memref<2xi64>
  return
}

// Stack memory that is looked at afterwards cannot move.
// CHECK-LABEL: func.func @kept
// CHECK:         scf.forall
func.func @kept(%n: index) -> i64 {
  %c1 = arith.constant 1 : index
  %last = arith.constant 9 : i64
  %scratch = memref.alloca() : memref<2xi64>
  scf.forall (%i) in (%n) {
    memref.store %last, %scratch[%c1] : memref<2xi64>
  }
  %x = memref.load %scratch[%c1] : memref<2xi64>
  return %x : i64
}

// Iterations that write to places of their own share the memory, and so do those that count in it.
// CHECK-LABEL: func.func @places
// CHECK:         memref.alloca
// CHECK:         call @places_parallel_0(
func.func @places(%n: index, %v: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i64
  %scratch = memref.alloca() : memref<64xi64>
  %count = memref.alloca() : memref<1xi64>
  memref.store %zero, %count[%c0] : memref<1xi64>
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %base = arith.muli %i, %c4 : index
    scf.for %j = %c0 to %c4 step %c1 {
      %at = arith.addi %base, %j : index
      memref.store %v, %scratch[%at] : memref<64xi64>
    }
    %before = memref.atomic_rmw addi %v, %count[%c0] : (i64, memref<1xi64>) -> i64
    scf.reduce
  }
  %x = memref.load %scratch[%n] : memref<64xi64>
  %y = memref.load %count[%c0] : memref<1xi64>
  %z = arith.addi %x, %y : i64
  return %z : i64
}

// Only the first dimension is divided: iterations with one second counter meet.
// CHECK-LABEL: func.func @second
// CHECK:         scf.parallel
func.func @second(%n: index, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %scratch = memref.alloc(%n) : memref<?xi64>
  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) {
    memref.store %v, %scratch[%j] : memref<?xi64>
    scf.reduce
  }
  memref.dealloc %scratch : memref<?xi64>
  return
}

// A global is the same for all iterations.
// CHECK-LABEL: func.func @in_global
// CHECK:         scf.parallel
func.func @in_global(%n: index, %out: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = arith.index_cast %i : index to i64
    %scratch = memref.get_global @shared : memref<2xi64>
    memref.store %v, %scratch[%c1] : memref<2xi64>
    func.call @add_one(%scratch) : (memref<2xi64>) -> ()
    %x = memref.load %scratch[%c1] : memref<2xi64>
    %y = arith.subi %x, %v : i64
    memref.store %y, %out[%i] : memref<?xi64>
    scf.reduce
  }
  return
}

// So is an argument, also if only what is called writes to it.
// CHECK-LABEL: func.func @in_argument
// CHECK:         scf.parallel
func.func @in_argument(%n: index, %scratch: memref<2xi64>, %out: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    func.call @set(%scratch, %c1, %i) : (memref<2xi64>, index, index) -> ()
    func.call @add_one(%scratch) : (memref<2xi64>) -> ()
    %x = memref.load %scratch[%c1] : memref<2xi64>
    %v = arith.index_cast %i : index to i64
    %y = arith.subi %x, %v : i64
    memref.store %y, %out[%i] : memref<?xi64>
    scf.reduce
  }
  return
}

// What is called may have the global.
// CHECK-LABEL: func.func @in_callee
// CHECK:         scf.forall
func.func @in_callee(%n: index) {
  scf.forall (%i) in (%n) {
    %scratch = memref.get_global @shared : memref<2xi64>
    func.call @add_to_global() : () -> ()
  }
  return
}

// Which of two buffers it is does not make it one of the iteration.
// CHECK-LABEL: func.func @selected
// CHECK:         scf.forall
func.func @selected(%n: index, %a: memref<2xi64>, %b: memref<2xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.forall (%i) in (%n) {
    %odd = arith.andi %i, %c1 : index
    %is_odd = arith.cmpi eq, %odd, %c1 : index
    %m = arith.select %is_odd, %a, %b : memref<2xi64>
    memref.store %v, %m[%c0] : memref<2xi64>
  }
  return
}

// Callees that write where they are told, or to parts of their own, run at the same time.
// CHECK-LABEL: func.func @apart
// CHECK:         call @apart_parallel_0(
func.func @apart(%c4: index, %out: memref<8xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %part = memref.subview %out[%i] [2] [1] : memref<8xi64> to memref<2xi64, strided<[1], offset: ?>>
    func.call @set_part(%part) : (memref<2xi64, strided<[1], offset: ?>>) -> ()
    %all = memref.cast %out : memref<8xi64> to memref<?xi64>
    func.call @set_any(%all, %i) : (memref<?xi64>, index) -> ()
    scf.reduce
  }
  return
}

memref.global "private" @shared : memref<2xi64> = dense<0>

func.func private @add_to_global() attributes {no_inline} {
  %scratch = memref.get_global @shared : memref<2xi64>
  func.call @add_one(%scratch) : (memref<2xi64>) -> ()
  return
}

func.func private @set(%m: memref<2xi64>, %k: index, %i: index) attributes {no_inline} {
  %v = arith.index_cast %i : index to i64
  memref.store %v, %m[%k] : memref<2xi64>
  return
}

func.func private @set_part(%m: memref<2xi64, strided<[1], offset: ?>>) attributes {no_inline} {
  %c0 = arith.constant 0 : index
  %v = arith.constant 1 : i64
  memref.store %v, %m[%c0] : memref<2xi64, strided<[1], offset: ?>>
  return
}

func.func private @set_any(%m: memref<?xi64>, %i: index) attributes {no_inline} {
  %v = arith.constant 2 : i64
  memref.store %v, %m[%i] : memref<?xi64>
  return
}

func.func private @add_one(%m: memref<2xi64>) attributes {no_inline} {
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %x = memref.load %m[%c1] : memref<2xi64>
  %y = arith.addi %x, %one : i64
  memref.store %y, %m[%c1] : memref<2xi64>
  return
}

func.func @total(%n: index, %out: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %v = memref.load %out[%i] : memref<?xi64>
    %w = arith.addi %s, %v : i64
    scf.yield %w : i64
  }
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %n = arith.constant 6000 : index
  %out = memref.alloc(%n) : memref<?xi64>
  call @on_stack(%n, %out) : (index, memref<?xi64>) -> ()
  call @total(%n, %out) : (index, memref<?xi64>) -> ()
  call @on_heap(%n, %out) : (index, memref<?xi64>) -> ()
  call @total(%n, %out) : (index, memref<?xi64>) -> ()
  call @in_global(%n, %out) : (index, memref<?xi64>) -> ()
  call @total(%n, %out) : (index, memref<?xi64>) -> ()
  %scratch = memref.alloc() : memref<2xi64>
  call @in_argument(%n, %scratch, %out) : (index, memref<2xi64>, memref<?xi64>) -> ()
  call @total(%n, %out) : (index, memref<?xi64>) -> ()
  memref.dealloc %scratch : memref<2xi64>
  memref.dealloc %out : memref<?xi64>
  return
}
