// RUN: freehold opt %s --ownership-based-buffer-deallocation | FileCheck %s

func.func private @use(memref<?xf32>)

// A buffer needed in one branch only is freed at the beginning of the other.
// CHECK-LABEL: func.func @one_branch
// CHECK:         scf.if
// CHECK-NEXT:      func.call @use(%[[A:[^)]*]])
// CHECK-NEXT:      bufferization.dealloc (%[[A]]
// CHECK-NEXT:      scf.yield
// CHECK:         } else {
// CHECK-NEXT:      bufferization.dealloc (%[[A]]
func.func @one_branch(%c: i1, %n: index) -> i32 {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.if %c -> (i32) {
    func.call @use(%a) : (memref<?xf32>) -> ()
    scf.yield %c0 : i32
  } else {
    scf.yield %c1 : i32
  }
  return %r : i32
}

// Ownership moves into the loop, round it, and out; every iteration frees what
// it replaces. No flag, no clone.
// CHECK-LABEL: func.func @carried
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%[[B:.*]] = %{{.*}}) -> (memref<?xf32>) {
// CHECK-NEXT:      func.call @use(%[[B]])
// CHECK-NEXT:      bufferization.dealloc (%[[B]] : memref<?xf32>) if (%true)
// CHECK-NEXT:      %[[T:.*]] = memref.alloc
// CHECK-NEXT:      scf.yield %[[T]] : memref<?xf32>
// CHECK:         return %[[R]]
func.func @carried(%n: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<?xf32>) {
    func.call @use(%b) : (memref<?xf32>) -> ()
    %t = memref.alloc(%n) : memref<?xf32>
    scf.yield %t : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// A buffer owned in one branch only is owned under the condition of the branch:
// no flag of its own is needed.
// CHECK-LABEL: func.func @mixed
// CHECK:         %[[R:.*]] = scf.if %[[C:.*]] -> (memref<?xf32>) {
// CHECK:         call @use(%[[R]])
// CHECK-NEXT:    bufferization.dealloc (%[[R]] : memref<?xf32>) if (%[[C]])
func.func @mixed(%c: i1, %n: index, %m: memref<?xf32>) {
  %r = scf.if %c -> (memref<?xf32>) {
    %a = memref.alloc(%n) : memref<?xf32>
    scf.yield %a : memref<?xf32>
  } else {
    scf.yield %m : memref<?xf32>
  }
  func.call @use(%r) : (memref<?xf32>) -> ()
  return
}

// Likewise in the other branch, and known again inside of an scf.if under the
// same condition: nothing is cloned, nothing is freed twice.
// CHECK-LABEL: func.func @mixed_else
// CHECK:         %[[NOT:.*]] = arith.xori %{{.*}}, %true
// CHECK:         %[[R:.*]] = scf.if
// CHECK:         scf.if
// CHECK:           scf.yield %[[R]]
// CHECK:           %[[CLONE:.*]] = bufferization.clone %[[R]]
// CHECK-NOT:     bufferization
// CHECK:         return
func.func @mixed_else(%c: i1, %n: index, %m: memref<?xf32>) -> memref<?xf32> {
  %r = scf.if %c -> (memref<?xf32>) {
    scf.yield %m : memref<?xf32>
  } else {
    %a = memref.alloc(%n) : memref<?xf32>
    scf.yield %a : memref<?xf32>
  }
  return %r : memref<?xf32>
}

// Where paths with different ownership meet otherwise, a flag goes along.
// CHECK-LABEL: func.func @flag
// CHECK:         cf.br ^[[BB:.*]](%{{.*}}, %true : memref<?xf32>, i1)
// CHECK:         cf.br ^[[BB]](%{{.*}}, %false : memref<?xf32>, i1)
// CHECK:       ^[[BB]](%[[P:.*]]: memref<?xf32>, %[[OWN:.*]]: i1):
// CHECK-NEXT:    call @use(%[[P]])
// CHECK-NEXT:    bufferization.dealloc (%[[P]] : memref<?xf32>) if (%[[OWN]])
func.func @flag(%c: i1, %n: index, %m: memref<?xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc(%n) : memref<?xf32>
  cf.br ^bb3(%a : memref<?xf32>)
^bb2:
  cf.br ^bb3(%m : memref<?xf32>)
^bb3(%p: memref<?xf32>):
  call @use(%p) : (memref<?xf32>) -> ()
  return
}

// The flag of the input is used if it says the same.
// CHECK-LABEL: func.func @flag_present
// CHECK:       ^{{.*}}(%[[P:.*]]: memref<?xf32>, %[[OWN:.*]]: i1):
// CHECK-NEXT:    call @use(%[[P]])
// CHECK-NEXT:    bufferization.dealloc (%[[P]] : memref<?xf32>) if (%[[OWN]])
func.func @flag_present(%c: i1, %n: index, %m: memref<?xf32>) {
  %true = arith.constant true
  %false = arith.constant false
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %a = memref.alloc(%n) : memref<?xf32>
  cf.br ^bb3(%a, %true : memref<?xf32>, i1)
^bb2:
  cf.br ^bb3(%m, %false : memref<?xf32>, i1)
^bb3(%p: memref<?xf32>, %own: i1):
  call @use(%p) : (memref<?xf32>) -> ()
  return
}

// A buffer that is needed afterwards stays with its owner; the loop borrows it.
// CHECK-LABEL: func.func @borrowed
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         %[[R:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[A]]) -> (memref<?xf32>)
// CHECK-NOT:     bufferization.dealloc
// CHECK:         call @use(%[[R]])
// CHECK-NEXT:    call @use(%[[A]])
// CHECK-NEXT:    bufferization.dealloc (%[[A]]
func.func @borrowed(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %a) -> (memref<?xf32>) {
    scf.yield %b : memref<?xf32>
  }
  func.call @use(%r) : (memref<?xf32>) -> ()
  func.call @use(%a) : (memref<?xf32>) -> ()
  return
}

// Loops made of blocks: moved along the back edge.
// CHECK-LABEL: func.func @block_loop
// CHECK:       ^bb1(%[[B:.*]]: memref<?xf32>):
// CHECK:         cf.cond_br %{{.*}}, ^bb2, ^bb3
// CHECK:       ^bb2:
// CHECK-NEXT:    bufferization.dealloc (%[[B]]
// CHECK-NEXT:    %[[T:.*]] = memref.alloc
// CHECK-NEXT:    cf.br ^bb1(%[[T]] : memref<?xf32>)
// CHECK:       ^bb3:
// CHECK-NEXT:    return %[[B]]
func.func private @cond() -> i1
func.func @block_loop(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  cf.br ^bb1(%a : memref<?xf32>)
^bb1(%b: memref<?xf32>):
  %c = call @cond() : () -> i1
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  %t = memref.alloc(%n) : memref<?xf32>
  cf.br ^bb1(%t : memref<?xf32>)
^bb3:
  return %b : memref<?xf32>
}

// Both edges of a branch to one block: the loser is freed on a new edge block.
// CHECK-LABEL: func.func @both_edges
// CHECK:         cf.cond_br %{{.*}}, ^bb[[L:.*]], ^bb[[R:[0-9]+]]
// CHECK:         bufferization.dealloc
// CHECK:         cf.br
// CHECK:         bufferization.dealloc
// CHECK:         cf.br
// CHECK:       ^bb{{.*}}(%[[P:.*]]: memref<?xf32>):
// CHECK-NEXT:    call @use(%[[P]])
// CHECK-NEXT:    bufferization.dealloc (%[[P]]
func.func @both_edges(%c: i1, %n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  cf.cond_br %c, ^bb1(%a : memref<?xf32>), ^bb1(%b : memref<?xf32>)
^bb1(%p: memref<?xf32>):
  call @use(%p) : (memref<?xf32>) -> ()
  return
}

// cf.switch, one buffer per case.
// CHECK-LABEL: func.func @switch
// CHECK-NOT:     i1
// CHECK:         call @use(%[[P:[^)]*]])
// CHECK-NEXT:    bufferization.dealloc (%[[P]] : memref<?xf32>) if (%true)
func.func @switch(%flag: i32, %n: index) {
  cf.switch %flag : i32, [
    default: ^bb1,
    7: ^bb2
  ]
^bb1:
  %a = memref.alloc(%n) : memref<?xf32>
  cf.br ^bb3(%a : memref<?xf32>)
^bb2:
  %b = memref.alloc(%n) : memref<?xf32>
  cf.br ^bb3(%b : memref<?xf32>)
^bb3(%p: memref<?xf32>):
  call @use(%p) : (memref<?xf32>) -> ()
  return
}

// One buffer handed on twice: one target owns it, the other is kept with it.
// CHECK-LABEL: func.func @twice
// CHECK:       ^bb1(%[[P:.*]]: memref<?xf32>, %[[Q:.*]]: memref<?xf32>):
// CHECK-NEXT:    call @use(%[[P]])
// CHECK-NEXT:    call @use(%[[Q]])
// CHECK-NEXT:    bufferization.dealloc (%[[P]] : memref<?xf32>) if (%true)
// CHECK-NEXT:    return
func.func @twice(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  cf.br ^bb1(%a, %a : memref<?xf32>, memref<?xf32>)
^bb1(%p: memref<?xf32>, %q: memref<?xf32>):
  call @use(%p) : (memref<?xf32>) -> ()
  call @use(%q) : (memref<?xf32>) -> ()
  return
}

// The region of an scf.execute_region with several blocks.
// CHECK-LABEL: func.func @execute_region
// CHECK:         scf.execute_region
// CHECK:         bufferization.dealloc
// CHECK:         return
func.func @execute_region(%c: i1, %n: index) {
  %r = scf.execute_region -> memref<?xf32> {
    %a = memref.alloc(%n) : memref<?xf32>
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %a : memref<?xf32>
  ^bb2:
    %b = memref.alloc(%n) : memref<?xf32>
    scf.yield %b : memref<?xf32>
  }
  call @use(%r) : (memref<?xf32>) -> ()
  return
}
