// RUN: freehold opt %s --hlo-buffer-reuse=max-stack-bytes=0 --allow-unregistered-dialect \
// RUN:   | FileCheck %s --implicit-check-not=memref.alloc --implicit-check-not=memref.dealloc

func.func private @use(memref<100xi32>)
func.func private @step(memref<100xi32>, memref<100xi32>)
func.func private @more() -> i1

// What is freed is allocated again.
// CHECK-LABEL: func.func @coalesced(
// CHECK-SAME:  %[[ARG0:.*]]: i1)
// CHECK:         scf.if %[[ARG0]] {
// CHECK:           %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @coalesced(%c: i1) {
  scf.if %c {
    %a = memref.alloc() : memref<100xi32>
    func.call @use(%a) : (memref<100xi32>) -> ()
    memref.dealloc %a : memref<100xi32>
    %b = memref.alloc() : memref<100xi32>
    func.call @use(%b) : (memref<100xi32>) -> ()
    memref.dealloc %b : memref<100xi32>
  }
  return
}

// Three buffers in a row, another type between two of them.
// CHECK-LABEL: func.func @one_after_the_other(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<7xi64>
// CHECK:         "test.use"(%[[ALLOC_0]]) : (memref<7xi64>) -> ()
// CHECK:         call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC_0]] : memref<7xi64>
// CHECK:         call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @one_after_the_other(%n: index) {
  %a = memref.alloc() : memref<100xi32>
  call @use(%a) : (memref<100xi32>) -> ()
  memref.dealloc %a : memref<100xi32>
  %x = memref.alloc() : memref<7xi64>
  "test.use"(%x) : (memref<7xi64>) -> ()
  %b = memref.alloc() : memref<100xi32>
  call @use(%b) : (memref<100xi32>) -> ()
  memref.dealloc %b : memref<100xi32>
  memref.dealloc %x : memref<7xi64>
  %c = memref.alloc() : memref<100xi32>
  call @use(%c) : (memref<100xi32>) -> ()
  memref.dealloc %c : memref<100xi32>
  return
}

// A buffer is not kept while another one comes and goes: that would need more
// memory at a time.
// CHECK-LABEL: func.func @not_past_a_temporary(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<700xi64>
// CHECK:         "test.use"(%[[ALLOC_0]]) : (memref<700xi64>) -> ()
// CHECK:         memref.dealloc %[[ALLOC_0]] : memref<700xi64>
// CHECK:         %[[ALLOC_1:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         call @use(%[[ALLOC_1]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC_1]] : memref<100xi32>
// CHECK:         return
func.func @not_past_a_temporary() {
  %a = memref.alloc() : memref<100xi32>
  call @use(%a) : (memref<100xi32>) -> ()
  memref.dealloc %a : memref<100xi32>
  %x = memref.alloc() : memref<700xi64>
  "test.use"(%x) : (memref<700xi64>) -> ()
  memref.dealloc %x : memref<700xi64>
  %b = memref.alloc() : memref<100xi32>
  call @use(%b) : (memref<100xi32>) -> ()
  memref.dealloc %b : memref<100xi32>
  return
}

// Equally many elements of one type are enough.
// CHECK-LABEL: func.func @other_shape(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         "test.use"(%{{[^ ,)]*}}) : (memref<5x20xi32>) -> ()
// CHECK:         memref.dealloc %{{[^ ,)]*}} : memref<5x20xi32>
// CHECK:         return
func.func @other_shape() {
  %a = memref.alloc() : memref<100xi32>
  call @use(%a) : (memref<100xi32>) -> ()
  memref.dealloc %a : memref<100xi32>
  %b = memref.alloc() : memref<5x20xi32>
  "test.use"(%b) : (memref<5x20xi32>) -> ()
  memref.dealloc %b : memref<5x20xi32>
  return
}

// Dynamic sizes that are equal. Others are not.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: index)
// CHECK:         %[[ALLOC:.*]] = memref.alloc(%[[ARG0]]) : memref<?xi32>
// CHECK:         "test.use"(%[[ALLOC]]) : (memref<?xi32>) -> ()
// CHECK:         "test.use"(%[[ALLOC]]) : (memref<?xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<?xi32>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc(%[[ARG1]]) : memref<?xi32>
// CHECK:         "test.use"(%[[ALLOC_0]]) : (memref<?xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC_0]] : memref<?xi32>
// CHECK:         return
func.func @dynamic(%n: index, %m: index) {
  %a = memref.alloc(%n) : memref<?xi32>
  "test.use"(%a) : (memref<?xi32>) -> ()
  memref.dealloc %a : memref<?xi32>
  %b = memref.alloc(%n) : memref<?xi32>
  "test.use"(%b) : (memref<?xi32>) -> ()
  memref.dealloc %b : memref<?xi32>
  %c = memref.alloc(%m) : memref<?xi32>
  "test.use"(%c) : (memref<?xi32>) -> ()
  memref.dealloc %c : memref<?xi32>
  return
}

// Alignment and memory space count; the original loses the alignment.
// CHECK-LABEL: func.func @other_kinds(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         "test.use"(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() {alignment = 64 : i64} : memref<100xi32>
// CHECK:         "test.use"(%[[ALLOC_0]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC_0]] : memref<100xi32>
// CHECK:         %[[ALLOC_1:.*]] = memref.alloc() : memref<100xi32, 1>
// CHECK:         "test.use"(%[[ALLOC_1]]) : (memref<100xi32, 1>) -> ()
// CHECK:         memref.dealloc %[[ALLOC_1]] : memref<100xi32, 1>
// CHECK:         return
func.func @other_kinds() {
  %a = memref.alloc() : memref<100xi32>
  "test.use"(%a) : (memref<100xi32>) -> ()
  memref.dealloc %a : memref<100xi32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<100xi32>
  "test.use"(%b) : (memref<100xi32>) -> ()
  memref.dealloc %b : memref<100xi32>
  %c = memref.alloc() : memref<100xi32, 1>
  "test.use"(%c) : (memref<100xi32, 1>) -> ()
  memref.dealloc %c : memref<100xi32, 1>
  return
}

// Out of a loop.
// CHECK-LABEL: func.func @hoisted(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         scf.for %[[ARG1:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} {
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @hoisted(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<100xi32>
    func.call @use(%a) : (memref<100xi32>) -> ()
    memref.dealloc %a : memref<100xi32>
  }
  return
}

// Out of two loops, and the buffers of both are one.
// CHECK-LABEL: func.func @hoisted_twice(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         scf.for %[[ARG1:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} {
// CHECK:           scf.for %[[ARG2:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} {
// CHECK:             func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @hoisted_twice(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %a = memref.alloc() : memref<100xi32>
      func.call @use(%a) : (memref<100xi32>) -> ()
      memref.dealloc %a : memref<100xi32>
    }
    %b = memref.alloc() : memref<100xi32>
    func.call @use(%b) : (memref<100xi32>) -> ()
    memref.dealloc %b : memref<100xi32>
  }
  return
}

// Both regions of a while loop share one.
// CHECK-LABEL: func.func @hoisted_from_while(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         scf.while : () -> () {
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           %[[V0:.*]] = func.call @more() : () -> i1
// CHECK:           scf.condition(%[[V0]])
// CHECK:         } do {
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           scf.yield
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @hoisted_from_while() {
  scf.while : () -> () {
    %a = memref.alloc() : memref<100xi32>
    func.call @use(%a) : (memref<100xi32>) -> ()
    memref.dealloc %a : memref<100xi32>
    %go = func.call @more() : () -> i1
    scf.condition(%go)
  } do {
    %b = memref.alloc() : memref<100xi32>
    func.call @use(%b) : (memref<100xi32>) -> ()
    memref.dealloc %b : memref<100xi32>
    scf.yield
  }
  return
}

// Never out of a parallel loop: iterations would share it.
// CHECK-LABEL: func.func @parallel(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         scf.parallel (%[[ARG1:.*]]) = (%{{[^ ,)]*}}) to (%[[ARG0]]) step (%{{[^ ,)]*}}) {
// CHECK:           %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:           scf.reduce
// CHECK:         return
func.func @parallel(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %a = memref.alloc() : memref<100xi32>
    func.call @use(%a) : (memref<100xi32>) -> ()
    memref.dealloc %a : memref<100xi32>
  }
  return
}

// A dynamic size leaves the loop if it is known before and cannot be negative.
// CHECK-LABEL: func.func @hoisted_dynamic(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: memref<?xi32>)
// CHECK:         %[[ALLOC:.*]] = memref.alloc(%{{[^ ,)]*}}) : memref<?xi32>
// CHECK:         scf.for %[[ARG2:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} {
// CHECK:           "test.use"(%[[ALLOC]]) : (memref<?xi32>) -> ()
// CHECK:           %[[ALLOC_0:.*]] = memref.alloc(%[[ARG2]]) : memref<?xi32>
// CHECK:           "test.use"(%[[ALLOC_0]]) : (memref<?xi32>) -> ()
// CHECK:           memref.dealloc %[[ALLOC_0]] : memref<?xi32>
// CHECK:         memref.dealloc %[[ALLOC]] : memref<?xi32>
// CHECK:         return
func.func @hoisted_dynamic(%n: index, %m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = memref.dim %m, %c0 : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%d) : memref<?xi32>
    "test.use"(%a) : (memref<?xi32>) -> ()
    memref.dealloc %a : memref<?xi32>
    %b = memref.alloc(%i) : memref<?xi32>
    "test.use"(%b) : (memref<?xi32>) -> ()
    memref.dealloc %b : memref<?xi32>
  }
  return
}

// Branches share what both allocate. What one of them allocates stays there.
// CHECK-LABEL: func.func @branches(
// CHECK-SAME:  %[[ARG0:.*]]: i1)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         scf.if %[[ARG0]] {
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           %[[ALLOC_0:.*]] = memref.alloc() : memref<9xi32>
// CHECK:           "test.use"(%[[ALLOC_0]]) : (memref<9xi32>) -> ()
// CHECK:           memref.dealloc %[[ALLOC_0]] : memref<9xi32>
// CHECK:         } else {
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @branches(%c: i1) {
  scf.if %c {
    %a = memref.alloc() : memref<100xi32>
    func.call @use(%a) : (memref<100xi32>) -> ()
    memref.dealloc %a : memref<100xi32>
    %x = memref.alloc() : memref<9xi32>
    "test.use"(%x) : (memref<9xi32>) -> ()
    memref.dealloc %x : memref<9xi32>
  } else {
    %b = memref.alloc() : memref<100xi32>
    func.call @use(%b) : (memref<100xi32>) -> ()
    memref.dealloc %b : memref<100xi32>
  }
  return
}

// Choices in a loop: all of it becomes one buffer.
// CHECK-LABEL: func.func @choices_in_loop(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: i1)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         scf.for %[[ARG2:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} {
// CHECK:           scf.if %[[ARG1]] {
// CHECK:             func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           scf.if %[[ARG1]] {
// CHECK:             func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @choices_in_loop(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      %a = memref.alloc() : memref<100xi32>
      func.call @use(%a) : (memref<100xi32>) -> ()
      memref.dealloc %a : memref<100xi32>
    }
    %b = memref.alloc() : memref<100xi32>
    func.call @use(%b) : (memref<100xi32>) -> ()
    memref.dealloc %b : memref<100xi32>
    scf.if %c {
      %d = memref.alloc() : memref<100xi32>
      func.call @use(%d) : (memref<100xi32>) -> ()
      memref.dealloc %d : memref<100xi32>
    }
  }
  return
}

// One buffer is freed and another one allocated per iteration: two go round.
// CHECK-LABEL: func.func @double_buffer(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         %[[V0:.*]]:2 = scf.for %[[ARG1:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} iter_args(%[[ARG2:.*]] = %[[ALLOC]], %[[ARG3:.*]] = %[[ALLOC_0]]) -> (memref<100xi32>, memref<100xi32>) {
// CHECK:           func.call @step(%[[ARG3]], %[[ARG2]]) : (memref<100xi32>, memref<100xi32>) -> ()
// CHECK:           scf.yield %[[ARG3]], %[[ARG2]] : memref<100xi32>, memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC_0]] : memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @double_buffer(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<100xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<100xi32>) {
    %tmp = memref.alloc() : memref<100xi32>
    func.call @step(%tmp, %b) : (memref<100xi32>, memref<100xi32>) -> ()
    memref.dealloc %b : memref<100xi32>
    scf.yield %tmp : memref<100xi32>
  }
  memref.dealloc %r : memref<100xi32>
  return
}

// In the second region of a while loop; the first one hands the spare on.
// CHECK-LABEL: func.func @double_buffer_after(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         %[[V0:.*]]:2 = scf.while (%[[ARG0:.*]] = %[[ALLOC]], %[[ARG1:.*]] = %[[ALLOC_0]]) : (memref<100xi32>, memref<100xi32>) -> (memref<100xi32>, memref<100xi32>) {
// CHECK:           %[[V1:.*]] = func.call @more() : () -> i1
// CHECK:           scf.condition(%[[V1]]) %[[ARG0]], %[[ARG1]] : memref<100xi32>, memref<100xi32>
// CHECK:         } do {
// CHECK:         ^bb0(%[[ARG0:.*]]: memref<100xi32>, %[[ARG1:.*]]: memref<100xi32>):
// CHECK:           func.call @step(%[[ARG1]], %[[ARG0]]) : (memref<100xi32>, memref<100xi32>) -> ()
// CHECK:           scf.yield %[[ARG1]], %[[ARG0]] : memref<100xi32>, memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC_0]] : memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @double_buffer_after() {
  %a = memref.alloc() : memref<100xi32>
  %r = scf.while (%b = %a) : (memref<100xi32>) -> memref<100xi32> {
    %go = func.call @more() : () -> i1
    scf.condition(%go) %b : memref<100xi32>
  } do {
  ^bb0(%b: memref<100xi32>):
    %tmp = memref.alloc() : memref<100xi32>
    func.call @step(%tmp, %b) : (memref<100xi32>, memref<100xi32>) -> ()
    memref.dealloc %b : memref<100xi32>
    scf.yield %tmp : memref<100xi32>
  }
  memref.dealloc %r : memref<100xi32>
  return
}

// In both: still two buffers, where the original needs three.
// CHECK-LABEL: func.func @double_buffer_both(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         %[[V0:.*]]:2 = scf.while (%[[ARG0:.*]] = %[[ALLOC]], %[[ARG1:.*]] = %[[ALLOC_0]]) : (memref<100xi32>, memref<100xi32>) -> (memref<100xi32>, memref<100xi32>) {
// CHECK:           func.call @step(%[[ARG1]], %[[ARG0]]) : (memref<100xi32>, memref<100xi32>) -> ()
// CHECK:           %[[V1:.*]] = func.call @more() : () -> i1
// CHECK:           scf.condition(%[[V1]]) %[[ARG1]], %[[ARG0]] : memref<100xi32>, memref<100xi32>
// CHECK:         } do {
// CHECK:         ^bb0(%[[ARG0:.*]]: memref<100xi32>, %[[ARG1:.*]]: memref<100xi32>):
// CHECK:           func.call @step(%[[ARG1]], %[[ARG0]]) : (memref<100xi32>, memref<100xi32>) -> ()
// CHECK:           scf.yield %[[ARG1]], %[[ARG0]] : memref<100xi32>, memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC_0]] : memref<100xi32>
// CHECK:         return
func.func @double_buffer_both() {
  %a = memref.alloc() : memref<100xi32>
  %r = scf.while (%b = %a) : (memref<100xi32>) -> memref<100xi32> {
    %tmp = memref.alloc() : memref<100xi32>
    func.call @step(%tmp, %b) : (memref<100xi32>, memref<100xi32>) -> ()
    memref.dealloc %b : memref<100xi32>
    %go = func.call @more() : () -> i1
    scf.condition(%go) %tmp : memref<100xi32>
  } do {
  ^bb0(%b: memref<100xi32>):
    %tmp = memref.alloc() : memref<100xi32>
    func.call @step(%tmp, %b) : (memref<100xi32>, memref<100xi32>) -> ()
    memref.dealloc %b : memref<100xi32>
    scf.yield %tmp : memref<100xi32>
  }
  memref.dealloc %r : memref<100xi32>
  return
}

// Not if the spare might be less aligned than what it stands for.
// CHECK-LABEL: func.func @double_buffer_aligned(
// CHECK-SAME:  %[[ARG0:.*]]: index)
// CHECK:         %[[ALLOC:.*]] = memref.alloc() {alignment = 16 : i64} : memref<100xi32>
// CHECK:         %[[V0:.*]] = scf.for %[[ARG1:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} iter_args(%[[ARG2:.*]] = %[[ALLOC]]) -> (memref<100xi32>) {
// CHECK:           %[[ALLOC_0:.*]] = memref.alloc() {alignment = 64 : i64} : memref<100xi32>
// CHECK:           func.call @step(%[[ALLOC_0]], %[[ARG2]]) : (memref<100xi32>, memref<100xi32>) -> ()
// CHECK:           memref.dealloc %[[ARG2]] : memref<100xi32>
// CHECK:           scf.yield %[[ALLOC_0]] : memref<100xi32>
// CHECK:         memref.dealloc %[[V0]] : memref<100xi32>
// CHECK:         return
func.func @double_buffer_aligned(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() {alignment = 16 : i64} : memref<100xi32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<100xi32>) {
    %tmp = memref.alloc() {alignment = 64 : i64} : memref<100xi32>
    func.call @step(%tmp, %b) : (memref<100xi32>, memref<100xi32>) -> ()
    memref.dealloc %b : memref<100xi32>
    scf.yield %tmp : memref<100xi32>
  }
  memref.dealloc %r : memref<100xi32>
  return
}

// Two buffers change places in a loop. Which is which afterwards does not
// matter: both are freed.
// CHECK-LABEL: func.func @moved_round(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         %[[V0:.*]]:2 = scf.while (%[[ARG0:.*]] = %[[ALLOC]], %[[ARG1:.*]] = %[[ALLOC_0]]) : (memref<100xi32>, memref<100xi32>) -> (memref<100xi32>, memref<100xi32>) {
// CHECK:           %[[V1:.*]] = func.call @more() : () -> i1
// CHECK:           scf.condition(%[[V1]]) %[[ARG1]], %[[ARG0]] : memref<100xi32>, memref<100xi32>
// CHECK:         } do {
// CHECK:         ^bb0(%[[ARG0:.*]]: memref<100xi32>, %[[ARG1:.*]]: memref<100xi32>):
// CHECK:           func.call @step(%[[ARG0]], %[[ARG1]]) : (memref<100xi32>, memref<100xi32>) -> ()
// CHECK:           scf.yield %[[ARG0]], %[[ARG1]] : memref<100xi32>, memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC_0]] : memref<100xi32>
// CHECK:         return
func.func @moved_round() {
  %a = memref.alloc() : memref<100xi32>
  %b = memref.alloc() : memref<100xi32>
  %r:2 = scf.while (%x = %a, %y = %b) : (memref<100xi32>, memref<100xi32>) -> (memref<100xi32>, memref<100xi32>) {
    %go = func.call @more() : () -> i1
    scf.condition(%go) %y, %x : memref<100xi32>, memref<100xi32>
  } do {
  ^bb0(%x: memref<100xi32>, %y: memref<100xi32>):
    func.call @step(%x, %y) : (memref<100xi32>, memref<100xi32>) -> ()
    scf.yield %x, %y : memref<100xi32>, memref<100xi32>
  }
  memref.dealloc %r#0 : memref<100xi32>
  memref.dealloc %r#1 : memref<100xi32>
  return
}

// Nor does it if one of them is used before.
// CHECK-LABEL: func.func @moved_round_and_used(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         %[[V0:.*]]:2 = scf.while (%[[ARG0:.*]] = %[[ALLOC]], %[[ARG1:.*]] = %[[ALLOC_0]]) : (memref<100xi32>, memref<100xi32>) -> (memref<100xi32>, memref<100xi32>) {
// CHECK:           %[[V1:.*]] = func.call @more() : () -> i1
// CHECK:           scf.condition(%[[V1]]) %[[ARG1]], %[[ARG0]] : memref<100xi32>, memref<100xi32>
// CHECK:         } do {
// CHECK:         ^bb0(%[[ARG0:.*]]: memref<100xi32>, %[[ARG1:.*]]: memref<100xi32>):
// CHECK:           scf.yield %[[ARG0]], %[[ARG1]] : memref<100xi32>, memref<100xi32>
// CHECK:         call @use(%[[V0]]#0) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC_0]] : memref<100xi32>
// CHECK:         return
func.func @moved_round_and_used() {
  %a = memref.alloc() : memref<100xi32>
  %b = memref.alloc() : memref<100xi32>
  %r:2 = scf.while (%x = %a, %y = %b) : (memref<100xi32>, memref<100xi32>) -> (memref<100xi32>, memref<100xi32>) {
    %go = func.call @more() : () -> i1
    scf.condition(%go) %y, %x : memref<100xi32>, memref<100xi32>
  } do {
  ^bb0(%x: memref<100xi32>, %y: memref<100xi32>):
    scf.yield %x, %y : memref<100xi32>, memref<100xi32>
  }
  call @use(%r#0) : (memref<100xi32>) -> ()
  memref.dealloc %r#0 : memref<100xi32>
  memref.dealloc %r#1 : memref<100xi32>
  return
}

// A buffer that is copied and freed becomes the copy, in any block.
// CHECK-LABEL: func.func @copied(
// CHECK-SAME:  %[[ARG0:.*]]: i1)
// CHECK:         scf.if %[[ARG0]] {
// CHECK:           %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @copied(%c: i1) {
  scf.if %c {
    %t = memref.alloc() : memref<100xi32>
    %s = memref.alloc() : memref<100xi32>
    func.call @use(%s) : (memref<100xi32>) -> ()
    memref.copy %s, %t : memref<100xi32> to memref<100xi32>
    memref.dealloc %s : memref<100xi32>
    func.call @use(%t) : (memref<100xi32>) -> ()
    memref.dealloc %t : memref<100xi32>
  }
  return
}

// Not if the target is looked at before.
// CHECK-LABEL: func.func @copied_too_late(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         call @use(%[[ALLOC_0]]) : (memref<100xi32>) -> ()
// CHECK:         memref.copy %[[ALLOC_0]], %[[ALLOC]] : memref<100xi32> to memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC_0]] : memref<100xi32>
// CHECK:         call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @copied_too_late() {
  %t = memref.alloc() : memref<100xi32>
  call @use(%t) : (memref<100xi32>) -> ()
  %s = memref.alloc() : memref<100xi32>
  call @use(%s) : (memref<100xi32>) -> ()
  memref.copy %s, %t : memref<100xi32> to memref<100xi32>
  memref.dealloc %s : memref<100xi32>
  call @use(%t) : (memref<100xi32>) -> ()
  memref.dealloc %t : memref<100xi32>
  return
}

// Nor if the source changes after the copy.
// CHECK-LABEL: func.func @changed_after_copy(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         %[[ALLOC_0:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         call @use(%[[ALLOC_0]]) : (memref<100xi32>) -> ()
// CHECK:         memref.copy %[[ALLOC_0]], %[[ALLOC]] : memref<100xi32> to memref<100xi32>
// CHECK:         call @use(%[[ALLOC_0]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC_0]] : memref<100xi32>
// CHECK:         call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @changed_after_copy() {
  %t = memref.alloc() : memref<100xi32>
  %s = memref.alloc() : memref<100xi32>
  call @use(%s) : (memref<100xi32>) -> ()
  memref.copy %s, %t : memref<100xi32> to memref<100xi32>
  call @use(%s) : (memref<100xi32>) -> ()
  memref.dealloc %s : memref<100xi32>
  call @use(%t) : (memref<100xi32>) -> ()
  memref.dealloc %t : memref<100xi32>
  return
}

// An argument that is no other buffer takes the place of what is copied to it.
// CHECK-LABEL: func.func @restricted(
// CHECK-SAME:  %[[ARG0:.*]]: memref<100xi32> {deallocation.restrict = true})
// CHECK:         call @use(%[[ARG0]]) : (memref<100xi32>) -> ()
// CHECK:         call @use(%[[ARG0]]) : (memref<100xi32>) -> ()
// CHECK:         return
func.func @restricted(%t: memref<100xi32> {deallocation.restrict = true}) {
  %s = memref.alloc() : memref<100xi32>
  call @use(%s) : (memref<100xi32>) -> ()
  memref.copy %s, %t : memref<100xi32> to memref<100xi32>
  memref.dealloc %s : memref<100xi32>
  call @use(%t) : (memref<100xi32>) -> ()
  return
}

// CHECK-LABEL: func.func @not_restricted(
// CHECK-SAME:  %[[ARG0:.*]]: memref<100xi32> {deallocation.restrict = false})
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:         memref.copy %[[ALLOC]], %[[ARG0]] : memref<100xi32> to memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @not_restricted(%t: memref<100xi32> {deallocation.restrict = false}) {
  %s = memref.alloc() : memref<100xi32>
  call @use(%s) : (memref<100xi32>) -> ()
  memref.copy %s, %t : memref<100xi32> to memref<100xi32>
  memref.dealloc %s : memref<100xi32>
  return
}

// Two copies of one buffer: only the last one can go.
// CHECK-LABEL: func.func @copied_twice(
// CHECK-SAME:  %[[ARG0:.*]]: memref<100xi32> {deallocation.restrict = true}, %[[ARG1:.*]]: memref<100xi32> {deallocation.restrict = true})
// CHECK:         call @use(%[[ARG1]]) : (memref<100xi32>) -> ()
// CHECK:         memref.copy %[[ARG1]], %[[ARG0]] : memref<100xi32> to memref<100xi32>
// CHECK:         return
func.func @copied_twice(%t: memref<100xi32> {deallocation.restrict = true}, %u: memref<100xi32> {deallocation.restrict = true}) {
  %s = memref.alloc() : memref<100xi32>
  call @use(%s) : (memref<100xi32>) -> ()
  memref.copy %s, %t : memref<100xi32> to memref<100xi32>
  memref.copy %s, %u : memref<100xi32> to memref<100xi32>
  memref.dealloc %s : memref<100xi32>
  return
}

// Not in a loop: the argument is looked at in the next iteration.
// CHECK-LABEL: func.func @restricted_in_loop(
// CHECK-SAME:  %[[ARG0:.*]]: index, %[[ARG1:.*]]: memref<100xi32> {deallocation.restrict = true})
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<100xi32>
// CHECK:         scf.for %[[ARG2:.*]] = %{{[^ ,)]*}} to %[[ARG0]] step %{{[^ ,)]*}} {
// CHECK:           func.call @use(%[[ALLOC]]) : (memref<100xi32>) -> ()
// CHECK:           memref.copy %[[ALLOC]], %[[ARG1]] : memref<100xi32> to memref<100xi32>
// CHECK:         memref.dealloc %[[ALLOC]] : memref<100xi32>
// CHECK:         return
func.func @restricted_in_loop(%n: index, %t: memref<100xi32> {deallocation.restrict = true}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %s = memref.alloc() : memref<100xi32>
    func.call @use(%s) : (memref<100xi32>) -> ()
    memref.copy %s, %t : memref<100xi32> to memref<100xi32>
    memref.dealloc %s : memref<100xi32>
  }
  return
}

// Buffers without elements fit each other, with the strides of their types.
// CHECK-LABEL: func.func @empty(
// CHECK:         %[[ALLOC:.*]] = memref.alloc() : memref<0x2xi32>
// CHECK:         memref.reinterpret_cast %[[ALLOC]] to offset: [0], sizes: [0, 0], strides: [0, 1]
// CHECK:         memref.dealloc
func.func private @use_0x2(memref<0x2xi32>)
func.func private @use_0x0(memref<0x0xi32>)
func.func @empty() {
  %a = memref.alloc() : memref<0x2xi32>
  func.call @use_0x2(%a) : (memref<0x2xi32>) -> ()
  memref.dealloc %a : memref<0x2xi32>
  %b = memref.alloc() : memref<0x0xi32>
  func.call @use_0x0(%b) : (memref<0x0xi32>) -> ()
  memref.dealloc %b : memref<0x0xi32>
  return
}
