// An operation that hands buffers on in every way there is, of a dialect that the
// passes do not know. tests/suite/interfaces.rs runs such programs.
//
// RUN: freehold opt %s --buffer-deallocation --verify-ownership | FileCheck %s --check-prefix=CLONE
// RUN: freehold opt %s --buffer-deallocation=introduce=copy --verify-ownership | FileCheck %s --check-prefix=COPY
// RUN: freehold opt %s --buffer-deallocation=introduce=copy --canonicalize --copy-removal --verify-ownership \
// RUN:   | FileCheck %s --check-prefix=REMOVED

// Every region hands on what it gets: one buffer all the way to the caller.
// CLONE-LABEL: func.func @same_all_the_way(
// CLONE-SAME:   %[[ARG0:.*]]: index, %[[ARG1:.*]]: index) -> memref<?x?xf32>
// CLONE-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[ARG0]], %[[ARG0]]) : memref<?x?xf32>
// CLONE-NEXT:     %[[V0:.*]] = test.region_if %[[ALLOC]] : memref<?x?xf32> -> (memref<?x?xf32>) then {
// CLONE-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// CLONE-NEXT:       test.region_if_yield %[[ARG2]] : memref<?x?xf32>
// CLONE-NEXT:     } else {
// CLONE-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// CLONE-NEXT:       test.region_if_yield %[[ARG2]] : memref<?x?xf32>
// CLONE-NEXT:     } join {
// CLONE-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// CLONE-NEXT:       test.region_if_yield %[[ARG2]] : memref<?x?xf32>
// CLONE-NEXT:     }
// CLONE-NEXT:     return %[[V0]] : memref<?x?xf32>
func.func @same_all_the_way(%m: index, %n: index) -> memref<?x?xf32> {
  %a = memref.alloc(%m, %m) : memref<?x?xf32>
  %r = test.region_if %a : memref<?x?xf32> -> (memref<?x?xf32>) then {
  ^bb0(%x: memref<?x?xf32>):
    test.region_if_yield %x : memref<?x?xf32>
  } else {
  ^bb0(%x: memref<?x?xf32>):
    test.region_if_yield %x : memref<?x?xf32>
  } join {
  ^bb0(%x: memref<?x?xf32>):
    test.region_if_yield %x : memref<?x?xf32>
  }
  return %r : memref<?x?xf32>
}

// The else region hands on a buffer of its own, so what the join region gets,
// and what it hands out, may be one of two.
// CLONE-LABEL: func.func @replaced_in_else(
// CLONE-SAME:   %[[ARG0:.*]]: index, %[[ARG1:.*]]: index) -> memref<?x?xf32>
// CLONE-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[ARG0]], %[[ARG0]]) : memref<?x?xf32>
// CLONE-NEXT:     %[[V0:.*]] = test.region_if %[[ALLOC]] : memref<?x?xf32> -> (memref<?x?xf32>) then {
// CLONE-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// CLONE-NEXT:       %[[V1:.*]] = bufferization.clone %[[ARG2]] : memref<?x?xf32> to memref<?x?xf32>
// CLONE-NEXT:       test.region_if_yield %[[V1]] : memref<?x?xf32>
// CLONE-NEXT:     } else {
// CLONE-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// CLONE-NEXT:       %[[ALLOC_0:.*]] = memref.alloc(%[[ARG0]], %[[ARG1]]) : memref<?x?xf32>
// CLONE-NEXT:       %[[V1:.*]] = bufferization.clone %[[ALLOC_0]] : memref<?x?xf32> to memref<?x?xf32>
// CLONE-NEXT:       memref.dealloc %[[ALLOC_0]] : memref<?x?xf32>
// CLONE-NEXT:       test.region_if_yield %[[V1]] : memref<?x?xf32>
// CLONE-NEXT:     } join {
// CLONE-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// CLONE-NEXT:       %[[V1:.*]] = bufferization.clone %[[ARG2]] : memref<?x?xf32> to memref<?x?xf32>
// CLONE-NEXT:       memref.dealloc %[[ARG2]] : memref<?x?xf32>
// CLONE-NEXT:       test.region_if_yield %[[V1]] : memref<?x?xf32>
// CLONE-NEXT:     }
// CLONE-NEXT:     memref.dealloc %[[ALLOC]] : memref<?x?xf32>
// CLONE-NEXT:     return %[[V0]] : memref<?x?xf32>
// COPY-LABEL: func.func @replaced_in_else(
// COPY-SAME:   %[[ARG0:.*]]: index, %[[ARG1:.*]]: index) -> memref<?x?xf32>
// COPY-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[ARG0]], %[[ARG0]]) : memref<?x?xf32>
// COPY-NEXT:     %[[V0:.*]] = test.region_if %[[ALLOC]] : memref<?x?xf32> -> (memref<?x?xf32>) then {
// COPY-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// COPY-NEXT:       %[[C0:.*]] = arith.constant 0 : index
// COPY-NEXT:       %[[DIM:.*]] = memref.dim %[[ARG2]], %[[C0]] : memref<?x?xf32>
// COPY-NEXT:       %[[C1:.*]] = arith.constant 1 : index
// COPY-NEXT:       %[[DIM_0:.*]] = memref.dim %[[ARG2]], %[[C1]] : memref<?x?xf32>
// COPY-NEXT:       %[[ALLOC_1:.*]] = memref.alloc(%[[DIM]], %[[DIM_0]]) : memref<?x?xf32>
// COPY-NEXT:       memref.copy %[[ARG2]], %[[ALLOC_1]] : memref<?x?xf32> to memref<?x?xf32>
// COPY-NEXT:       test.region_if_yield %[[ALLOC_1]] : memref<?x?xf32>
// COPY-NEXT:     } else {
// COPY-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// COPY-NEXT:       %[[ALLOC_0:.*]] = memref.alloc(%[[ARG0]], %[[ARG1]]) : memref<?x?xf32>
// COPY-NEXT:       %[[C0:.*]] = arith.constant 0 : index
// COPY-NEXT:       %[[DIM:.*]] = memref.dim %[[ALLOC_0]], %[[C0]] : memref<?x?xf32>
// COPY-NEXT:       %[[C1:.*]] = arith.constant 1 : index
// COPY-NEXT:       %[[DIM_1:.*]] = memref.dim %[[ALLOC_0]], %[[C1]] : memref<?x?xf32>
// COPY-NEXT:       %[[ALLOC_2:.*]] = memref.alloc(%[[DIM]], %[[DIM_1]]) : memref<?x?xf32>
// COPY-NEXT:       memref.copy %[[ALLOC_0]], %[[ALLOC_2]] : memref<?x?xf32> to memref<?x?xf32>
// COPY-NEXT:       memref.dealloc %[[ALLOC_0]] : memref<?x?xf32>
// COPY-NEXT:       test.region_if_yield %[[ALLOC_2]] : memref<?x?xf32>
// COPY-NEXT:     } join {
// COPY-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// COPY-NEXT:       %[[C0:.*]] = arith.constant 0 : index
// COPY-NEXT:       %[[DIM:.*]] = memref.dim %[[ARG2]], %[[C0]] : memref<?x?xf32>
// COPY-NEXT:       %[[C1:.*]] = arith.constant 1 : index
// COPY-NEXT:       %[[DIM_0:.*]] = memref.dim %[[ARG2]], %[[C1]] : memref<?x?xf32>
// COPY-NEXT:       %[[ALLOC_1:.*]] = memref.alloc(%[[DIM]], %[[DIM_0]]) : memref<?x?xf32>
// COPY-NEXT:       memref.copy %[[ARG2]], %[[ALLOC_1]] : memref<?x?xf32> to memref<?x?xf32>
// COPY-NEXT:       memref.dealloc %[[ARG2]] : memref<?x?xf32>
// COPY-NEXT:       test.region_if_yield %[[ALLOC_1]] : memref<?x?xf32>
// COPY-NEXT:     }
// COPY-NEXT:     memref.dealloc %[[ALLOC]] : memref<?x?xf32>
// COPY-NEXT:     return %[[V0]] : memref<?x?xf32>
// REMOVED-LABEL: func.func @replaced_in_else(
// REMOVED-SAME:   %[[ARG0:.*]]: index, %[[ARG1:.*]]: index) -> memref<?x?xf32>
// REMOVED-NEXT:     %[[C1:.*]] = arith.constant 1 : index
// REMOVED-NEXT:     %[[C0:.*]] = arith.constant 0 : index
// REMOVED-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[ARG0]], %[[ARG0]]) : memref<?x?xf32>
// REMOVED-NEXT:     %[[V0:.*]] = test.region_if %[[ALLOC]] : memref<?x?xf32> -> (memref<?x?xf32>) then {
// REMOVED-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// REMOVED-NEXT:       %[[DIM:.*]] = memref.dim %[[ARG2]], %[[C0]] : memref<?x?xf32>
// REMOVED-NEXT:       %[[DIM_0:.*]] = memref.dim %[[ARG2]], %[[C1]] : memref<?x?xf32>
// REMOVED-NEXT:       %[[ALLOC_1:.*]] = memref.alloc(%[[DIM]], %[[DIM_0]]) : memref<?x?xf32>
// REMOVED-NEXT:       memref.copy %[[ARG2]], %[[ALLOC_1]] : memref<?x?xf32> to memref<?x?xf32>
// REMOVED-NEXT:       test.region_if_yield %[[ALLOC_1]] : memref<?x?xf32>
// REMOVED-NEXT:     } else {
// REMOVED-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// REMOVED-NEXT:       %[[ALLOC_0:.*]] = memref.alloc(%[[ARG0]], %[[ARG1]]) : memref<?x?xf32>
// REMOVED-NEXT:       test.region_if_yield %[[ALLOC_0]] : memref<?x?xf32>
// REMOVED-NEXT:     } join {
// REMOVED-NEXT:     ^bb0(%[[ARG2:.*]]: memref<?x?xf32>):
// REMOVED-NEXT:       %[[DIM:.*]] = memref.dim %[[ARG2]], %[[C0]] : memref<?x?xf32>
// REMOVED-NEXT:       %[[DIM_0:.*]] = memref.dim %[[ARG2]], %[[C1]] : memref<?x?xf32>
// REMOVED-NEXT:       test.region_if_yield %[[ARG2]] : memref<?x?xf32>
// REMOVED-NEXT:     }
// REMOVED-NEXT:     memref.dealloc %[[ALLOC]] : memref<?x?xf32>
// REMOVED-NEXT:     return %[[V0]] : memref<?x?xf32>
func.func @replaced_in_else(%m: index, %n: index) -> memref<?x?xf32> {
  %a = memref.alloc(%m, %m) : memref<?x?xf32>
  %r = test.region_if %a : memref<?x?xf32> -> (memref<?x?xf32>) then {
  ^bb0(%x: memref<?x?xf32>):
    test.region_if_yield %x : memref<?x?xf32>
  } else {
  ^bb0(%x: memref<?x?xf32>):
    %b = memref.alloc(%m, %n) : memref<?x?xf32>
    test.region_if_yield %b : memref<?x?xf32>
  } join {
  ^bb0(%x: memref<?x?xf32>):
    test.region_if_yield %x : memref<?x?xf32>
  }
  return %r : memref<?x?xf32>
}
