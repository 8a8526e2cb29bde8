// Where aliases come from, one shape each: what the pass makes of it with clones
// and with copies, and that the program still does the same, both ways through
// every branch and with no, one, two and three iterations.
//
// RUN: freehold opt %s --buffer-deallocation --verify-ownership | FileCheck %s --check-prefix=CLONE
// RUN: freehold opt %s --buffer-deallocation=introduce=copy --verify-ownership | FileCheck %s --check-prefix=COPY
// RUN: freehold opt %s --buffer-hoisting | FileCheck %s --check-prefix=HOIST
// RUN: freehold run %s --dealloc=none | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=clone --check | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=copy --check | FileCheck %s --check-prefix=RESULT
// RUN: freehold opt %s --buffer-deallocation | freehold run --dealloc=none --check - | FileCheck %s --check-prefix=RESULT
// RUN: freehold opt %s --buffer-deallocation=introduce=copy | freehold run --dealloc=none --check - | FileCheck %s --check-prefix=RESULT
// RUN: freehold opt %s --buffer-deallocation | freehold run --dealloc=none --stats=json - 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: freehold run %s --dealloc=clone --stats=json 2>&1 | FileCheck %s --check-prefix=STATS
// RUN: freehold run %s --dealloc=copy --stats=json 2>&1 | FileCheck %s --check-prefix=STATS
//
// RESULT: 11
// RESULT-NEXT: 99
// RESULT-NEXT: 99
// RESULT-NEXT: 44
// RESULT-NEXT: 99
// RESULT-NEXT: 00
// RESULT-NEXT: 7
// RESULT-NEXT: 11
// RESULT-NEXT: 22
// RESULT-NEXT: 33
// RESULT-NEXT: 44
// RESULT-NEXT: 55
// RESULT-NEXT: 60
// RESULT-NEXT: 7
// RESULT-NEXT: 99
// RESULT-NEXT: 88
// RESULT-NEXT: 88
// RESULT-NEXT: 88
// STATS: "allocs": [[N:[0-9]+]], "frees": [[N]],

func.func private @printI64(i64)
func.func private @printNewline()

// Writes the whole buffer.
func.func private @fill(%m: memref<?xi64>, %v: i64) {
  linalg.fill ins(%v : i64) outs(%m : memref<?xi64>)
  return
}

func.func private @show(%m: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %m[%c0] : memref<2xi64>
  %y = memref.load %m[%c1] : memref<2xi64>
  call @printI64(%x) : (i64) -> ()
  call @printI64(%y) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// One buffer is on the stack, the other on the heap: only one of them is freed.
// CLONE-LABEL: func.func private @stack_or_heap(
// CLONE-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<2xi64>)
// CLONE-NEXT:     %[[ALLOCA:.*]] = memref.alloca() : memref<2xi64>
// CLONE-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<2xi64>
// CLONE-NEXT:     cf.cond_br %[[ARG0]], ^bb1, ^bb2
// CLONE-NEXT:   ^bb1:
// CLONE-NEXT:     linalg.fill ins(%[[ARG1]] : i64) outs(%[[ALLOCA]] : memref<2xi64>)
// CLONE-NEXT:     cf.br ^bb3(%[[ALLOCA]] : memref<2xi64>)
// CLONE-NEXT:   ^bb2:
// CLONE-NEXT:     linalg.fill ins(%[[ARG1]] : i64) outs(%[[ALLOC]] : memref<2xi64>)
// CLONE-NEXT:     cf.br ^bb3(%[[ALLOC]] : memref<2xi64>)
// CLONE-NEXT:   ^bb3(%[[V0:.*]]: memref<2xi64>):
// CLONE-NEXT:     memref.copy %[[V0]], %[[ARG2]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:     memref.dealloc %[[ALLOC]] : memref<2xi64>
// CLONE-NEXT:     return
func.func private @stack_or_heap(%c: i1, %v: i64, %out: memref<2xi64>) {
  %s = memref.alloca() : memref<2xi64>
  %h = memref.alloc() : memref<2xi64>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  linalg.fill ins(%v : i64) outs(%s : memref<2xi64>)
  cf.br ^bb3(%s : memref<2xi64>)
^bb2:
  linalg.fill ins(%v : i64) outs(%h : memref<2xi64>)
  cf.br ^bb3(%h : memref<2xi64>)
^bb3(%x: memref<2xi64>):
  memref.copy %x, %out : memref<2xi64> to memref<2xi64>
  return
}

// An allocation that hoisting takes to the entry, where it dominates its alias.
// CLONE-LABEL: func.func private @allocated_on_one_side(
// CLONE-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<2xi64>, %[[ARG3:.*]]: memref<2xi64>)
// CLONE-NEXT:     cf.cond_br %[[ARG0]], ^bb1, ^bb2
// CLONE-NEXT:   ^bb1:
// CLONE-NEXT:     %[[V0:.*]] = bufferization.clone %[[ARG2]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:     cf.br ^bb3(%[[V0]] : memref<2xi64>)
// CLONE-NEXT:   ^bb2:
// CLONE-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<2xi64>
// CLONE-NEXT:     linalg.fill ins(%[[ARG1]] : i64) outs(%[[ALLOC]] : memref<2xi64>)
// CLONE-NEXT:     %[[V1:.*]] = bufferization.clone %[[ALLOC]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:     memref.dealloc %[[ALLOC]] : memref<2xi64>
// CLONE-NEXT:     cf.br ^bb3(%[[V1]] : memref<2xi64>)
// CLONE-NEXT:   ^bb3(%[[V2:.*]]: memref<2xi64>):
// CLONE-NEXT:     memref.copy %[[V2]], %[[ARG3]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:     memref.dealloc %[[V2]] : memref<2xi64>
// CLONE-NEXT:     return
// HOIST-LABEL: func.func private @allocated_on_one_side(
// HOIST-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<2xi64>, %[[ARG3:.*]]: memref<2xi64>)
// HOIST-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<2xi64>
// HOIST-NEXT:     cf.cond_br %[[ARG0]], ^bb1, ^bb2
// HOIST-NEXT:   ^bb1:
// HOIST-NEXT:     cf.br ^bb3(%[[ARG2]] : memref<2xi64>)
// HOIST-NEXT:   ^bb2:
// HOIST-NEXT:     linalg.fill ins(%[[ARG1]] : i64) outs(%[[ALLOC]] : memref<2xi64>)
// HOIST-NEXT:     cf.br ^bb3(%[[ALLOC]] : memref<2xi64>)
// HOIST-NEXT:   ^bb3(%[[V0:.*]]: memref<2xi64>):
// HOIST-NEXT:     memref.copy %[[V0]], %[[ARG3]] : memref<2xi64> to memref<2xi64>
// HOIST-NEXT:     return
func.func private @allocated_on_one_side(%c: i1, %v: i64, %in: memref<2xi64>, %out: memref<2xi64>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%in : memref<2xi64>)
^bb2:
  %a = memref.alloc() : memref<2xi64>
  linalg.fill ins(%v : i64) outs(%a : memref<2xi64>)
  cf.br ^bb3(%a : memref<2xi64>)
^bb3(%x: memref<2xi64>):
  memref.copy %x, %out : memref<2xi64> to memref<2xi64>
  return
}

// The size is known in one branch only, so the allocation stays there.
// CLONE-LABEL: func.func private @size_of_one_side(
// CLONE-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<?xi64>, %[[ARG3:.*]]: memref<?xi64>, %[[ARG4:.*]]: index)
// CLONE-NEXT:     cf.cond_br %[[ARG0]], ^bb1, ^bb2(%[[ARG4]] : index)
// CLONE-NEXT:   ^bb1:
// CLONE-NEXT:     %[[V0:.*]] = bufferization.clone %[[ARG2]] : memref<?xi64> to memref<?xi64>
// CLONE-NEXT:     cf.br ^bb3(%[[V0]] : memref<?xi64>)
// CLONE-NEXT:   ^bb2(%[[V1:.*]]: index):
// CLONE-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[V1]]) : memref<?xi64>
// CLONE-NEXT:     call @fill(%[[ALLOC]], %[[ARG1]]) : (memref<?xi64>, i64) -> ()
// CLONE-NEXT:     %[[V2:.*]] = bufferization.clone %[[ALLOC]] : memref<?xi64> to memref<?xi64>
// CLONE-NEXT:     memref.dealloc %[[ALLOC]] : memref<?xi64>
// CLONE-NEXT:     cf.br ^bb3(%[[V2]] : memref<?xi64>)
// CLONE-NEXT:   ^bb3(%[[V3:.*]]: memref<?xi64>):
// CLONE-NEXT:     memref.copy %[[V3]], %[[ARG3]] : memref<?xi64> to memref<?xi64>
// CLONE-NEXT:     memref.dealloc %[[V3]] : memref<?xi64>
// CLONE-NEXT:     return
// COPY-LABEL: func.func private @size_of_one_side(
// COPY-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<?xi64>, %[[ARG3:.*]]: memref<?xi64>, %[[ARG4:.*]]: index)
// COPY-NEXT:     cf.cond_br %[[ARG0]], ^bb1, ^bb2(%[[ARG4]] : index)
// COPY-NEXT:   ^bb1:
// COPY-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// COPY-NEXT:     %[[DIM:.*]] = memref.dim %[[ARG2]], %[[C0]] : memref<?xi64>
// COPY-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[DIM]]) : memref<?xi64>
// COPY-NEXT:     memref.copy %[[ARG2]], %[[ALLOC]] : memref<?xi64> to memref<?xi64>
// COPY-NEXT:     cf.br ^bb3(%[[ALLOC]] : memref<?xi64>)
// COPY-NEXT:   ^bb2(%[[V0:.*]]: index):
// COPY-NEXT:     %[[ALLOC_0:.*]] = memref.alloc(%[[V0]]) : memref<?xi64>
// COPY-NEXT:     call @fill(%[[ALLOC_0]], %[[ARG1]]) : (memref<?xi64>, i64) -> ()
// COPY-NEXT:     %[[C0_1:.*]] = arith.constant 0 : index
// COPY-NEXT:     %[[DIM_2:.*]] = memref.dim %[[ALLOC_0]], %[[C0_1]] : memref<?xi64>
// COPY-NEXT:     %[[ALLOC_3:.*]] = memref.alloc(%[[DIM_2]]) : memref<?xi64>
// COPY-NEXT:     memref.copy %[[ALLOC_0]], %[[ALLOC_3]] : memref<?xi64> to memref<?xi64>
// COPY-NEXT:     memref.dealloc %[[ALLOC_0]] : memref<?xi64>
// COPY-NEXT:     cf.br ^bb3(%[[ALLOC_3]] : memref<?xi64>)
// COPY-NEXT:   ^bb3(%[[V1:.*]]: memref<?xi64>):
// COPY-NEXT:     memref.copy %[[V1]], %[[ARG3]] : memref<?xi64> to memref<?xi64>
// COPY-NEXT:     memref.dealloc %[[V1]] : memref<?xi64>
// COPY-NEXT:     return
// HOIST-LABEL: func.func private @size_of_one_side(
// HOIST-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<?xi64>, %[[ARG3:.*]]: memref<?xi64>, %[[ARG4:.*]]: index)
// HOIST-NEXT:     cf.cond_br %[[ARG0]], ^bb1, ^bb2(%[[ARG4]] : index)
// HOIST-NEXT:   ^bb1:
// HOIST-NEXT:     cf.br ^bb3(%[[ARG2]] : memref<?xi64>)
// HOIST-NEXT:   ^bb2(%[[V0:.*]]: index):
// HOIST-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[V0]]) : memref<?xi64>
// HOIST-NEXT:     call @fill(%[[ALLOC]], %[[ARG1]]) : (memref<?xi64>, i64) -> ()
// HOIST-NEXT:     cf.br ^bb3(%[[ALLOC]] : memref<?xi64>)
// HOIST-NEXT:   ^bb3(%[[V1:.*]]: memref<?xi64>):
// HOIST-NEXT:     memref.copy %[[V1]], %[[ARG3]] : memref<?xi64> to memref<?xi64>
// HOIST-NEXT:     return
func.func private @size_of_one_side(%c: i1, %v: i64, %in: memref<?xi64>, %out: memref<?xi64>, %n: index) {
  cf.cond_br %c, ^bb1, ^bb2(%n : index)
^bb1:
  cf.br ^bb3(%in : memref<?xi64>)
^bb2(%size: index):
  %a = memref.alloc(%size) : memref<?xi64>
  func.call @fill(%a, %v) : (memref<?xi64>, i64) -> ()
  cf.br ^bb3(%a : memref<?xi64>)
^bb3(%x: memref<?xi64>):
  memref.copy %x, %out : memref<?xi64> to memref<?xi64>
  return
}

// Two allocations meet: both are freed as soon as they have been copied, or
// where all paths come together again.
// CLONE-LABEL: func.func private @two_meet(
// CLONE-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<2xi64>)
// CLONE-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<2xi64>
// CLONE-NEXT:     cf.cond_br %[[ARG0]], ^bb1, ^bb2
// CLONE-NEXT:   ^bb1:
// CLONE-NEXT:     %[[ALLOC_0:.*]] = memref.alloc() : memref<2xi64>
// CLONE-NEXT:     linalg.fill ins(%[[ARG1]] : i64) outs(%[[ALLOC_0]] : memref<2xi64>)
// CLONE-NEXT:     %[[V0:.*]] = bufferization.clone %[[ALLOC_0]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:     memref.dealloc %[[ALLOC_0]] : memref<2xi64>
// CLONE-NEXT:     cf.br ^bb3(%[[V0]] : memref<2xi64>)
// CLONE-NEXT:   ^bb2:
// CLONE-NEXT:     linalg.fill ins(%[[ARG1]] : i64) outs(%[[ALLOC]] : memref<2xi64>)
// CLONE-NEXT:     %[[V1:.*]] = bufferization.clone %[[ALLOC]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:     cf.br ^bb3(%[[V1]] : memref<2xi64>)
// CLONE-NEXT:   ^bb3(%[[V2:.*]]: memref<2xi64>):
// CLONE-NEXT:     memref.dealloc %[[ALLOC]] : memref<2xi64>
// CLONE-NEXT:     memref.copy %[[V2]], %[[ARG2]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:     memref.dealloc %[[V2]] : memref<2xi64>
// CLONE-NEXT:     return
// COPY-LABEL: func.func private @two_meet(
// COPY-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<2xi64>)
// COPY-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<2xi64>
// COPY-NEXT:     cf.cond_br %[[ARG0]], ^bb1, ^bb2
// COPY-NEXT:   ^bb1:
// COPY-NEXT:     %[[ALLOC_0:.*]] = memref.alloc() : memref<2xi64>
// COPY-NEXT:     linalg.fill ins(%[[ARG1]] : i64) outs(%[[ALLOC_0]] : memref<2xi64>)
// COPY-NEXT:     %[[ALLOC_1:.*]] = memref.alloc() : memref<2xi64>
// COPY-NEXT:     memref.copy %[[ALLOC_0]], %[[ALLOC_1]] : memref<2xi64> to memref<2xi64>
// COPY-NEXT:     memref.dealloc %[[ALLOC_0]] : memref<2xi64>
// COPY-NEXT:     cf.br ^bb3(%[[ALLOC_1]] : memref<2xi64>)
// COPY-NEXT:   ^bb2:
// COPY-NEXT:     linalg.fill ins(%[[ARG1]] : i64) outs(%[[ALLOC]] : memref<2xi64>)
// COPY-NEXT:     %[[ALLOC_2:.*]] = memref.alloc() : memref<2xi64>
// COPY-NEXT:     memref.copy %[[ALLOC]], %[[ALLOC_2]] : memref<2xi64> to memref<2xi64>
// COPY-NEXT:     cf.br ^bb3(%[[ALLOC_2]] : memref<2xi64>)
// COPY-NEXT:   ^bb3(%[[V0:.*]]: memref<2xi64>):
// COPY-NEXT:     memref.dealloc %[[ALLOC]] : memref<2xi64>
// COPY-NEXT:     memref.copy %[[V0]], %[[ARG2]] : memref<2xi64> to memref<2xi64>
// COPY-NEXT:     memref.dealloc %[[V0]] : memref<2xi64>
// COPY-NEXT:     return
func.func private @two_meet(%c: i1, %v: i64, %out: memref<2xi64>) {
  %a = memref.alloc() : memref<2xi64>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %b = memref.alloc() : memref<2xi64>
  linalg.fill ins(%v : i64) outs(%b : memref<2xi64>)
  cf.br ^bb3(%b : memref<2xi64>)
^bb2:
  linalg.fill ins(%v : i64) outs(%a : memref<2xi64>)
  cf.br ^bb3(%a : memref<2xi64>)
^bb3(%x: memref<2xi64>):
  memref.copy %x, %out : memref<2xi64> to memref<2xi64>
  return
}

// A diamond inside of a branch: its argument is certainly the one buffer, the
// argument after the outer branch is one of two, and the one after that is
// certainly the same again.
// CLONE-LABEL: func.func private @diamond_in_branch(
// CLONE-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<?xi64>, %[[ARG3:.*]]: memref<?xi64>, %[[ARG4:.*]]: index)
// CLONE-NEXT:     cf.cond_br %[[ARG0]], ^bb1, ^bb2(%[[ARG4]] : index)
// CLONE-NEXT:   ^bb1:
// CLONE-NEXT:     %[[V0:.*]] = bufferization.clone %[[ARG2]] : memref<?xi64> to memref<?xi64>
// CLONE-NEXT:     cf.br ^bb6(%[[V0]] : memref<?xi64>)
// CLONE-NEXT:   ^bb2(%[[V1:.*]]: index):
// CLONE-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[V1]]) : memref<?xi64>
// CLONE-NEXT:     call @fill(%[[ALLOC]], %[[ARG1]]) : (memref<?xi64>, i64) -> ()
// CLONE-NEXT:     cf.cond_br %[[ARG0]], ^bb3, ^bb4
// CLONE-NEXT:   ^bb3:
// CLONE-NEXT:     cf.br ^bb5(%[[ALLOC]] : memref<?xi64>)
// CLONE-NEXT:   ^bb4:
// CLONE-NEXT:     cf.br ^bb5(%[[ALLOC]] : memref<?xi64>)
// CLONE-NEXT:   ^bb5(%[[V2:.*]]: memref<?xi64>):
// CLONE-NEXT:     %[[V3:.*]] = bufferization.clone %[[V2]] : memref<?xi64> to memref<?xi64>
// CLONE-NEXT:     memref.dealloc %[[ALLOC]] : memref<?xi64>
// CLONE-NEXT:     cf.br ^bb6(%[[V3]] : memref<?xi64>)
// CLONE-NEXT:   ^bb6(%[[V4:.*]]: memref<?xi64>):
// CLONE-NEXT:     cf.br ^bb7(%[[V4]] : memref<?xi64>)
// CLONE-NEXT:   ^bb7(%[[V5:.*]]: memref<?xi64>):
// CLONE-NEXT:     memref.copy %[[V5]], %[[ARG3]] : memref<?xi64> to memref<?xi64>
// CLONE-NEXT:     memref.dealloc %[[V4]] : memref<?xi64>
// CLONE-NEXT:     return
// COPY-LABEL: func.func private @diamond_in_branch(
// COPY-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<?xi64>, %[[ARG3:.*]]: memref<?xi64>, %[[ARG4:.*]]: index)
// COPY-NEXT:     cf.cond_br %[[ARG0]], ^bb1, ^bb2(%[[ARG4]] : index)
// COPY-NEXT:   ^bb1:
// COPY-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// COPY-NEXT:     %[[DIM:.*]] = memref.dim %[[ARG2]], %[[C0]] : memref<?xi64>
// COPY-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[DIM]]) : memref<?xi64>
// COPY-NEXT:     memref.copy %[[ARG2]], %[[ALLOC]] : memref<?xi64> to memref<?xi64>
// COPY-NEXT:     cf.br ^bb6(%[[ALLOC]] : memref<?xi64>)
// COPY-NEXT:   ^bb2(%[[V0:.*]]: index):
// COPY-NEXT:     %[[ALLOC_0:.*]] = memref.alloc(%[[V0]]) : memref<?xi64>
// COPY-NEXT:     call @fill(%[[ALLOC_0]], %[[ARG1]]) : (memref<?xi64>, i64) -> ()
// COPY-NEXT:     cf.cond_br %[[ARG0]], ^bb3, ^bb4
// COPY-NEXT:   ^bb3:
// COPY-NEXT:     cf.br ^bb5(%[[ALLOC_0]] : memref<?xi64>)
// COPY-NEXT:   ^bb4:
// COPY-NEXT:     cf.br ^bb5(%[[ALLOC_0]] : memref<?xi64>)
// COPY-NEXT:   ^bb5(%[[V1:.*]]: memref<?xi64>):
// COPY-NEXT:     %[[C0_1:.*]] = arith.constant 0 : index
// COPY-NEXT:     %[[DIM_2:.*]] = memref.dim %[[V1]], %[[C0_1]] : memref<?xi64>
// COPY-NEXT:     %[[ALLOC_3:.*]] = memref.alloc(%[[DIM_2]]) : memref<?xi64>
// COPY-NEXT:     memref.copy %[[V1]], %[[ALLOC_3]] : memref<?xi64> to memref<?xi64>
// COPY-NEXT:     memref.dealloc %[[ALLOC_0]] : memref<?xi64>
// COPY-NEXT:     cf.br ^bb6(%[[ALLOC_3]] : memref<?xi64>)
// COPY-NEXT:   ^bb6(%[[V2:.*]]: memref<?xi64>):
// COPY-NEXT:     cf.br ^bb7(%[[V2]] : memref<?xi64>)
// COPY-NEXT:   ^bb7(%[[V3:.*]]: memref<?xi64>):
// COPY-NEXT:     memref.copy %[[V3]], %[[ARG3]] : memref<?xi64> to memref<?xi64>
// COPY-NEXT:     memref.dealloc %[[V2]] : memref<?xi64>
// COPY-NEXT:     return
func.func private @diamond_in_branch(%c: i1, %v: i64, %in: memref<?xi64>, %out: memref<?xi64>, %n: index) {
  cf.cond_br %c, ^bb1, ^bb2(%n : index)
^bb1:
  cf.br ^bb6(%in : memref<?xi64>)
^bb2(%size: index):
  %a = memref.alloc(%size) : memref<?xi64>
  func.call @fill(%a, %v) : (memref<?xi64>, i64) -> ()
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  cf.br ^bb5(%a : memref<?xi64>)
^bb4:
  cf.br ^bb5(%a : memref<?xi64>)
^bb5(%x: memref<?xi64>):
  cf.br ^bb6(%x : memref<?xi64>)
^bb6(%y: memref<?xi64>):
  cf.br ^bb7(%y : memref<?xi64>)
^bb7(%z: memref<?xi64>):
  memref.copy %z, %out : memref<?xi64> to memref<?xi64>
  return
}

// Both branches yield the outer buffer, which the caller gets; what one of them
// allocates for itself is freed in there.
// CLONE-LABEL: func.func private @same_from_both(
// CLONE-SAME:   %[[ARG0:.*]]: index, %[[ARG1:.*]]: index, %[[ARG2:.*]]: i64) -> memref<?x?xi64>
// CLONE-NEXT:     %[[V0:.*]] = arith.cmpi eq, %[[ARG0]], %[[ARG1]] : index
// CLONE-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[ARG0]], %[[ARG0]]) : memref<?x?xi64>
// CLONE-NEXT:     linalg.fill ins(%[[ARG2]] : i64) outs(%[[ALLOC]] : memref<?x?xi64>)
// CLONE-NEXT:     %[[V1:.*]] = scf.if %[[V0]] -> (memref<?x?xi64>) {
// CLONE-NEXT:       scf.yield %[[ALLOC]] : memref<?x?xi64>
// CLONE-NEXT:     } else {
// CLONE-NEXT:       %[[ALLOC_0:.*]] = memref.alloc(%[[ARG0]], %[[ARG1]]) : memref<?x?xi64>
// CLONE-NEXT:       linalg.fill ins(%[[ARG2]] : i64) outs(%[[ALLOC_0]] : memref<?x?xi64>)
// CLONE-NEXT:       memref.dealloc %[[ALLOC_0]] : memref<?x?xi64>
// CLONE-NEXT:       scf.yield %[[ALLOC]] : memref<?x?xi64>
// CLONE-NEXT:     }
// CLONE-NEXT:     return %[[V1]] : memref<?x?xi64>
func.func private @same_from_both(%m: index, %n: index, %v: i64) -> memref<?x?xi64> {
  %c = arith.cmpi eq, %m, %n : index
  %a = memref.alloc(%m, %m) : memref<?x?xi64>
  linalg.fill ins(%v : i64) outs(%a : memref<?x?xi64>)
  %r = scf.if %c -> (memref<?x?xi64>) {
    scf.yield %a : memref<?x?xi64>
  } else {
    %b = memref.alloc(%m, %n) : memref<?x?xi64>
    linalg.fill ins(%v : i64) outs(%b : memref<?x?xi64>)
    scf.yield %a : memref<?x?xi64>
  }
  return %r : memref<?x?xi64>
}

// A loop carries a buffer that a choice in its body replaces now and then: each
// iteration frees what the one before handed over.
// CLONE-LABEL: func.func private @replaced_in_loop(
// CLONE-SAME:   %[[ARG0:.*]]: index, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<2xi64>, %[[ARG3:.*]]: memref<2xi64>)
// CLONE-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// CLONE-NEXT:     %[[C1:.*]] = arith.constant 1 : index
// CLONE-NEXT:     %[[V0:.*]] = arith.subi %[[ARG0]], %[[C1]] : index
// CLONE-NEXT:     %[[V1:.*]] = bufferization.clone %[[ARG2]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:     %[[V2:.*]] = scf.for %[[ARG4:.*]] = %[[C0]] to %[[ARG0]] step %[[C1]] iter_args(%[[ARG5:.*]] = %[[V1]]) -> (memref<2xi64>) {
// CLONE-NEXT:       %[[V3:.*]] = arith.cmpi eq, %[[ARG4]], %[[V0]] : index
// CLONE-NEXT:       %[[V4:.*]] = scf.if %[[V3]] -> (memref<2xi64>) {
// CLONE-NEXT:         %[[ALLOC:.*]] = memref.alloc() : memref<2xi64>
// CLONE-NEXT:         linalg.fill ins(%[[ARG1]] : i64) outs(%[[ALLOC]] : memref<2xi64>)
// CLONE-NEXT:         %[[V6:.*]] = bufferization.clone %[[ALLOC]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:         memref.dealloc %[[ALLOC]] : memref<2xi64>
// CLONE-NEXT:         scf.yield %[[V6]] : memref<2xi64>
// CLONE-NEXT:       } else {
// CLONE-NEXT:         %[[V6:.*]] = bufferization.clone %[[ARG5]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:         scf.yield %[[V6]] : memref<2xi64>
// CLONE-NEXT:       }
// CLONE-NEXT:       memref.dealloc %[[ARG5]] : memref<2xi64>
// CLONE-NEXT:       %[[V5:.*]] = bufferization.clone %[[V4]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:       memref.dealloc %[[V4]] : memref<2xi64>
// CLONE-NEXT:       scf.yield %[[V5]] : memref<2xi64>
// CLONE-NEXT:     }
// CLONE-NEXT:     memref.copy %[[V2]], %[[ARG3]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:     memref.dealloc %[[V2]] : memref<2xi64>
// CLONE-NEXT:     return
// COPY-LABEL: func.func private @replaced_in_loop(
// COPY-SAME:   %[[ARG0:.*]]: index, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<2xi64>, %[[ARG3:.*]]: memref<2xi64>)
// COPY-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// COPY-NEXT:     %[[C1:.*]] = arith.constant 1 : index
// COPY-NEXT:     %[[V0:.*]] = arith.subi %[[ARG0]], %[[C1]] : index
// COPY-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<2xi64>
// COPY-NEXT:     memref.copy %[[ARG2]], %[[ALLOC]] : memref<2xi64> to memref<2xi64>
// COPY-NEXT:     %[[V1:.*]] = scf.for %[[ARG4:.*]] = %[[C0]] to %[[ARG0]] step %[[C1]] iter_args(%[[ARG5:.*]] = %[[ALLOC]]) -> (memref<2xi64>) {
// COPY-NEXT:       %[[V2:.*]] = arith.cmpi eq, %[[ARG4]], %[[V0]] : index
// COPY-NEXT:       %[[V3:.*]] = scf.if %[[V2]] -> (memref<2xi64>) {
// COPY-NEXT:         %[[ALLOC_1:.*]] = memref.alloc() : memref<2xi64>
// COPY-NEXT:         linalg.fill ins(%[[ARG1]] : i64) outs(%[[ALLOC_1]] : memref<2xi64>)
// COPY-NEXT:         %[[ALLOC_2:.*]] = memref.alloc() : memref<2xi64>
// COPY-NEXT:         memref.copy %[[ALLOC_1]], %[[ALLOC_2]] : memref<2xi64> to memref<2xi64>
// COPY-NEXT:         memref.dealloc %[[ALLOC_1]] : memref<2xi64>
// COPY-NEXT:         scf.yield %[[ALLOC_2]] : memref<2xi64>
// COPY-NEXT:       } else {
// COPY-NEXT:         %[[ALLOC_1:.*]] = memref.alloc() : memref<2xi64>
// COPY-NEXT:         memref.copy %[[ARG5]], %[[ALLOC_1]] : memref<2xi64> to memref<2xi64>
// COPY-NEXT:         scf.yield %[[ALLOC_1]] : memref<2xi64>
// COPY-NEXT:       }
// COPY-NEXT:       memref.dealloc %[[ARG5]] : memref<2xi64>
// COPY-NEXT:       %[[ALLOC_0:.*]] = memref.alloc() : memref<2xi64>
// COPY-NEXT:       memref.copy %[[V3]], %[[ALLOC_0]] : memref<2xi64> to memref<2xi64>
// COPY-NEXT:       memref.dealloc %[[V3]] : memref<2xi64>
// COPY-NEXT:       scf.yield %[[ALLOC_0]] : memref<2xi64>
// COPY-NEXT:     }
// COPY-NEXT:     memref.copy %[[V1]], %[[ARG3]] : memref<2xi64> to memref<2xi64>
// COPY-NEXT:     memref.dealloc %[[V1]] : memref<2xi64>
// COPY-NEXT:     return
func.func private @replaced_in_loop(%n: index, %v: i64, %in: memref<2xi64>, %out: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%b = %in) -> (memref<2xi64>) {
    %c = arith.cmpi eq, %i, %last : index
    %s = scf.if %c -> (memref<2xi64>) {
      %a = memref.alloc() : memref<2xi64>
      linalg.fill ins(%v : i64) outs(%a : memref<2xi64>)
      scf.yield %a : memref<2xi64>
    } else {
      scf.yield %b : memref<2xi64>
    }
    scf.yield %s : memref<2xi64>
  }
  memref.copy %r, %out : memref<2xi64> to memref<2xi64>
  return
}

// A write on one of two paths to a use, without another name for the buffer:
// nothing to copy.
// CLONE-LABEL: func.func private @written_on_one_path(
// CLONE-SAME:   %[[ARG0:.*]]: i1, %[[ARG1:.*]]: i64, %[[ARG2:.*]]: memref<2xi64>)
// CLONE-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// CLONE-NEXT:     %[[C0_I64:.*]] = arith.constant 0 : i64
// CLONE-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<2xi64>
// CLONE-NEXT:     linalg.fill ins(%[[C0_I64]] : i64) outs(%[[ALLOC]] : memref<2xi64>)
// CLONE-NEXT:     cf.cond_br %[[ARG0]], ^bb1, ^bb2
// CLONE-NEXT:   ^bb1:
// CLONE-NEXT:     cf.br ^bb3
// CLONE-NEXT:   ^bb2:
// CLONE-NEXT:     memref.store %[[ARG1]], %[[ALLOC]][%[[C0]]] : memref<2xi64>
// CLONE-NEXT:     cf.br ^bb3
// CLONE-NEXT:   ^bb3:
// CLONE-NEXT:     memref.copy %[[ALLOC]], %[[ARG2]] : memref<2xi64> to memref<2xi64>
// CLONE-NEXT:     memref.dealloc %[[ALLOC]] : memref<2xi64>
// CLONE-NEXT:     return
func.func private @written_on_one_path(%c: i1, %v: i64, %out: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %a = memref.alloc() : memref<2xi64>
  linalg.fill ins(%zero : i64) outs(%a : memref<2xi64>)
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3
^bb2:
  memref.store %v, %a[%c0] : memref<2xi64>
  cf.br ^bb3
^bb3:
  memref.copy %a, %out : memref<2xi64> to memref<2xi64>
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %false = arith.constant false
  %true = arith.constant true
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %v3 = arith.constant 3 : i64
  %v4 = arith.constant 4 : i64
  %v5 = arith.constant 5 : i64
  %v6 = arith.constant 6 : i64
  %v7 = arith.constant 7 : i64
  %v8 = arith.constant 8 : i64
  %v9 = arith.constant 9 : i64
  %in = memref.alloc() : memref<2xi64>
  linalg.fill ins(%v9 : i64) outs(%in : memref<2xi64>)
  %in_dynamic = memref.cast %in : memref<2xi64> to memref<?xi64>
  // Both ways through every function.
  scf.for %i = %c0 to %c2 step %c1 {
    %c = arith.cmpi eq, %i, %c0 : index
    %out = memref.alloc() : memref<2xi64>
    %out_dynamic = memref.cast %out : memref<2xi64> to memref<?xi64>
    func.call @stack_or_heap(%c, %v1, %out) : (i1, i64, memref<2xi64>) -> ()
    func.call @show(%out) : (memref<2xi64>) -> ()
    func.call @allocated_on_one_side(%c, %v2, %in, %out) : (i1, i64, memref<2xi64>, memref<2xi64>) -> ()
    func.call @show(%out) : (memref<2xi64>) -> ()
    func.call @size_of_one_side(%c, %v3, %in_dynamic, %out_dynamic, %c2) : (i1, i64, memref<?xi64>, memref<?xi64>, index) -> ()
    func.call @show(%out) : (memref<2xi64>) -> ()
    func.call @two_meet(%c, %v4, %out) : (i1, i64, memref<2xi64>) -> ()
    func.call @show(%out) : (memref<2xi64>) -> ()
    func.call @diamond_in_branch(%c, %v5, %in_dynamic, %out_dynamic, %c2) : (i1, i64, memref<?xi64>, memref<?xi64>, index) -> ()
    func.call @show(%out) : (memref<2xi64>) -> ()
    func.call @written_on_one_path(%c, %v6, %out) : (i1, i64, memref<2xi64>) -> ()
    func.call @show(%out) : (memref<2xi64>) -> ()
    %size = arith.addi %i, %c1 : index
    %r = func.call @same_from_both(%c2, %size, %v7) : (index, index, i64) -> memref<?x?xi64>
    %x = memref.load %r[%c1, %c1] : memref<?x?xi64>
    func.call @printI64(%x) : (i64) -> ()
    func.call @printNewline() : () -> ()
  }
  // No, one, two and three iterations.
  scf.for %n = %c0 to %c4 step %c1 {
    %out = memref.alloc() : memref<2xi64>
    func.call @replaced_in_loop(%n, %v8, %in, %out) : (index, i64, memref<2xi64>, memref<2xi64>) -> ()
    func.call @show(%out) : (memref<2xi64>) -> ()
  }
  return
}
