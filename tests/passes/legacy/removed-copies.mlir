// Copies and clones that are not needed, and some that are: what is left of
// them, and that the program still does the same.
//
// RUN: freehold opt %s --canonicalize --copy-removal | FileCheck %s
// RUN: freehold run %s --dealloc=none --check | FileCheck %s --check-prefix=RESULT
// RUN: freehold opt %s --canonicalize --copy-removal | freehold run --dealloc=none --check - | FileCheck %s --check-prefix=RESULT
// RUN: freehold opt %s --copy-removal | freehold run --dealloc=none --check - | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --dealloc=none -O0 --stats=json 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: freehold opt %s --canonicalize --copy-removal | freehold run --dealloc=none -O0 --stats=json - 2>&1 | FileCheck %s --check-prefix=AFTER
//
// RESULT: 33
// RESULT-NEXT: 44
// RESULT-NEXT: 44
// RESULT-NEXT: 2
// RESULT-NEXT: 00
// RESULT-NEXT: 3
// BEFORE: "allocs": 13, "frees": 13,
// BEFORE-SAME: "copies": 5,
// AFTER: "allocs": 8, "frees": 8,
// AFTER-SAME: "copies": 2,

func.func private @printI64(i64)
func.func private @printNewline()

// The target of the copy is the source, which the caller gets.
// CHECK-LABEL: func.func private @source_is_target(
// CHECK-SAME:   %[[ARG0:.*]]: index, %[[ARG1:.*]]: index, %[[ARG2:.*]]: i64) -> memref<?x?xi64>
// CHECK-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[ARG0]], %[[ARG1]]) : memref<?x?xi64>
// CHECK-NEXT:     linalg.fill ins(%[[ARG2]] : i64) outs(%[[ALLOC]] : memref<?x?xi64>)
// CHECK-NEXT:     return %[[ALLOC]] : memref<?x?xi64>
func.func private @source_is_target(%m: index, %n: index, %v: i64) -> memref<?x?xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%m, %n) : memref<?x?xi64>
  linalg.fill ins(%v : i64) outs(%a : memref<?x?xi64>)
  %d0 = memref.dim %a, %c0 : memref<?x?xi64>
  %d1 = memref.dim %a, %c1 : memref<?x?xi64>
  %b = memref.alloc(%d0, %d1) : memref<?x?xi64>
  linalg.copy ins(%a : memref<?x?xi64>) outs(%b : memref<?x?xi64>)
  memref.dealloc %a : memref<?x?xi64>
  return %b : memref<?x?xi64>
}

// The same with a clone.
// CHECK-LABEL: func.func private @source_is_clone(
// CHECK-SAME:   %[[ARG0:.*]]: index, %[[ARG1:.*]]: index, %[[ARG2:.*]]: i64) -> memref<?x?xi64>
// CHECK-NEXT:     %[[ALLOC:.*]] = memref.alloc(%[[ARG0]], %[[ARG1]]) : memref<?x?xi64>
// CHECK-NEXT:     linalg.fill ins(%[[ARG2]] : i64) outs(%[[ALLOC]] : memref<?x?xi64>)
// CHECK-NEXT:     return %[[ALLOC]] : memref<?x?xi64>
func.func private @source_is_clone(%m: index, %n: index, %v: i64) -> memref<?x?xi64> {
  %a = memref.alloc(%m, %n) : memref<?x?xi64>
  linalg.fill ins(%v : i64) outs(%a : memref<?x?xi64>)
  %b = bufferization.clone %a : memref<?x?xi64> to memref<?x?xi64>
  memref.dealloc %a : memref<?x?xi64>
  return %b : memref<?x?xi64>
}

// What is computed for a copy is computed where the copy would put it.
#id = affine_map<(i) -> (i)>
memref.global "private" @two : memref<2xi64> = dense<2>
memref.global "private" @square : memref<2xi64> = uninitialized
// CHECK-LABEL: func.func private @target_is_source(
// CHECK-NEXT:     %[[IN:.*]] = memref.get_global @two
// CHECK-NEXT:     %[[OUT:.*]] = memref.get_global @square
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%[[IN]] : memref<2xi64>) outs(%[[OUT]] : memref<2xi64>) {
// CHECK-NEXT:     ^bb0(%[[X:.*]]: i64, %{{.*}}: i64):
// CHECK-NEXT:       %[[V0:.*]] = arith.muli %[[X]], %[[X]] : i64
// CHECK-NEXT:       linalg.yield %[[V0]] : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return
func.func private @target_is_source() {
  %in = memref.get_global @two : memref<2xi64>
  %out = memref.get_global @square : memref<2xi64>
  %t = memref.alloc() : memref<2xi64>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<2xi64>) outs(%t : memref<2xi64>) {
  ^bb0(%x: i64, %y: i64):
    %e = arith.muli %x, %x : i64
    linalg.yield %e : i64
  }
  linalg.copy ins(%t : memref<2xi64>) outs(%out : memref<2xi64>)
  memref.dealloc %t : memref<2xi64>
  return
}

// A clone of what is computed is what is computed.
// CHECK-LABEL: func.func private @clone_is_source(
// CHECK-SAME:   %[[ARG0:.*]]: memref<2xi64>) -> memref<2xi64>
// CHECK-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<2xi64>
// CHECK-NEXT:     linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%[[ARG0]] : memref<2xi64>) outs(%[[ALLOC]] : memref<2xi64>) {
// CHECK-NEXT:     ^bb0(%[[IN:.*]]: i64, %[[OUT:.*]]: i64):
// CHECK-NEXT:       %[[V0:.*]] = arith.muli %[[IN]], %[[IN]] : i64
// CHECK-NEXT:       linalg.yield %[[V0]] : i64
// CHECK-NEXT:     }
// CHECK-NEXT:     return %[[ALLOC]] : memref<2xi64>
func.func private @clone_is_source(%in: memref<2xi64>) -> memref<2xi64> {
  %t = memref.alloc() : memref<2xi64>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<2xi64>) outs(%t : memref<2xi64>) {
  ^bb0(%x: i64, %y: i64):
    %e = arith.muli %x, %x : i64
    linalg.yield %e : i64
  }
  %r = bufferization.clone %t : memref<2xi64> to memref<2xi64>
  memref.dealloc %t : memref<2xi64>
  return %r : memref<2xi64>
}

// The clone itself is freed, so the source does for it.
// CHECK-LABEL: func.func private @clone_is_freed(
// CHECK-SAME:   %[[ARG0:.*]]: memref<2xi64>, %[[ARG1:.*]]: index) -> i64
// CHECK-NEXT:     %[[V0:.*]] = memref.load %[[ARG0]][%[[ARG1]]] : memref<2xi64>
// CHECK-NEXT:     return %[[V0]] : i64
func.func private @clone_is_freed(%in: memref<2xi64>, %i: index) -> i64 {
  %t = bufferization.clone %in : memref<2xi64> to memref<2xi64>
  %x = memref.load %t[%i] : memref<2xi64>
  memref.dealloc %t : memref<2xi64>
  return %x : i64
}

// A write to the source after the clone was made: both are needed.
// CHECK-LABEL: func.func private @written_after(
// CHECK-SAME:   %[[ARG0:.*]]: i64, %[[ARG1:.*]]: index) -> memref<2xi64>
// CHECK-NEXT:     %[[C0_I64:.*]] = arith.constant 0 : i64
// CHECK-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<2xi64>
// CHECK-NEXT:     linalg.fill ins(%[[C0_I64]] : i64) outs(%[[ALLOC]] : memref<2xi64>)
// CHECK-NEXT:     %[[V0:.*]] = bufferization.clone %[[ALLOC]] : memref<2xi64> to memref<2xi64>
// CHECK-NEXT:     memref.store %[[ARG0]], %[[ALLOC]][%[[ARG1]]] : memref<2xi64>
// CHECK-NEXT:     memref.dealloc %[[ALLOC]] : memref<2xi64>
// CHECK-NEXT:     return %[[V0]] : memref<2xi64>
func.func private @written_after(%v: i64, %i: index) -> memref<2xi64> {
  %zero = arith.constant 0 : i64
  %t = memref.alloc() : memref<2xi64>
  linalg.fill ins(%zero : i64) outs(%t : memref<2xi64>)
  %r = bufferization.clone %t : memref<2xi64> to memref<2xi64>
  memref.store %v, %t[%i] : memref<2xi64>
  memref.dealloc %t : memref<2xi64>
  return %r : memref<2xi64>
}

// And so they are with a write to the clone while both are still read.
// CHECK-LABEL: func.func private @written_clone(
// CHECK-SAME:   %[[ARG0:.*]]: i64, %[[ARG1:.*]]: index) -> i64
// CHECK-NEXT:     %[[C0_I64:.*]] = arith.constant 0 : i64
// CHECK-NEXT:     %[[ALLOC:.*]] = memref.alloc() : memref<2xi64>
// CHECK-NEXT:     linalg.fill ins(%[[C0_I64]] : i64) outs(%[[ALLOC]] : memref<2xi64>)
// CHECK-NEXT:     %[[V0:.*]] = bufferization.clone %[[ALLOC]] : memref<2xi64> to memref<2xi64>
// CHECK-NEXT:     memref.store %[[ARG0]], %[[V0]][%[[ARG1]]] : memref<2xi64>
// CHECK-NEXT:     %[[V1:.*]] = memref.load %[[ALLOC]][%[[ARG1]]] : memref<2xi64>
// CHECK-NEXT:     %[[V2:.*]] = memref.load %[[V0]][%[[ARG1]]] : memref<2xi64>
// CHECK-NEXT:     memref.dealloc %[[ALLOC]] : memref<2xi64>
// CHECK-NEXT:     memref.dealloc %[[V0]] : memref<2xi64>
// CHECK-NEXT:     %[[V3:.*]] = arith.addi %[[V1]], %[[V2]] : i64
// CHECK-NEXT:     return %[[V3]] : i64
func.func private @written_clone(%v: i64, %i: index) -> i64 {
  %zero = arith.constant 0 : i64
  %t = memref.alloc() : memref<2xi64>
  linalg.fill ins(%zero : i64) outs(%t : memref<2xi64>)
  %r = bufferization.clone %t : memref<2xi64> to memref<2xi64>
  memref.store %v, %r[%i] : memref<2xi64>
  %x = memref.load %t[%i] : memref<2xi64>
  %y = memref.load %r[%i] : memref<2xi64>
  memref.dealloc %t : memref<2xi64>
  memref.dealloc %r : memref<2xi64>
  %sum = arith.addi %x, %y : i64
  return %sum : i64
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

func.func @main() {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v2 = arith.constant 2 : i64
  %v3 = arith.constant 3 : i64
  %in = memref.alloc() : memref<2xi64>
  %out = memref.get_global @square : memref<2xi64>
  linalg.fill ins(%v2 : i64) outs(%in : memref<2xi64>)
  %a = call @source_is_target(%c2, %c2, %v3) : (index, index, i64) -> memref<?x?xi64>
  %x = memref.load %a[%c1, %c1] : memref<?x?xi64>
  call @printI64(%x) : (i64) -> ()
  %b = call @source_is_clone(%c2, %c2, %v3) : (index, index, i64) -> memref<?x?xi64>
  %y = memref.load %b[%c1, %c1] : memref<?x?xi64>
  call @printI64(%y) : (i64) -> ()
  call @printNewline() : () -> ()
  call @target_is_source() : () -> ()
  call @show(%out) : (memref<2xi64>) -> ()
  %c = call @clone_is_source(%in) : (memref<2xi64>) -> memref<2xi64>
  call @show(%c) : (memref<2xi64>) -> ()
  %z = call @clone_is_freed(%in, %c1) : (memref<2xi64>, index) -> i64
  call @printI64(%z) : (i64) -> ()
  call @printNewline() : () -> ()
  %d = call @written_after(%v3, %c1) : (i64, index) -> memref<2xi64>
  call @show(%d) : (memref<2xi64>) -> ()
  %w = call @written_clone(%v3, %c1) : (i64, index) -> i64
  call @printI64(%w) : (i64) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %a : memref<?x?xi64>
  memref.dealloc %b : memref<?x?xi64>
  memref.dealloc %c : memref<2xi64>
  memref.dealloc %d : memref<2xi64>
  memref.dealloc %in : memref<2xi64>
  return
}
