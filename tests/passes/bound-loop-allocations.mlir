// RUN: freehold opt %s --bound-loop-allocations | FileCheck %s
// RUN: freehold opt %s --bound-loop-allocations=always | FileCheck %s --check-prefix=ALWAYS
// RUN: freehold opt %s --bound-loop-allocations --merge-alloc=never-grow | FileCheck %s --check-prefix=MERGED

// Rows times columns are 0, 32*32, 32*64 and 4*96: the third iteration has the largest panel, of 8,192 bytes.
// CHECK-LABEL: func.func @panel
// CHECK:         scf.for
// CHECK:           %[[BYTES:.*]] = memref.alloc() {alignment = 64 : i64, freehold.no_arena} : memref<8192xi8>
// CHECK:           %[[PANEL:.*]] = memref.view %[[BYTES]][%{{.*}}][%{{.*}}, %arg{{.*}}] : memref<8192xi8> to memref<?x?xf32>
// CHECK:           memref.store %{{.*}}, %[[PANEL]]
// CHECK:           memref.dealloc %[[BYTES]] : memref<8192xi8>
// MERGED-LABEL: func.func @panel
// MERGED:         memref.alloc() {alignment = 64 : i64} : memref<8192xi8>
// MERGED-NEXT:    scf.for
// MERGED-NOT:     freehold.no_arena
func.func @panel(%x: f32) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c32 {
    %rest = arith.subi %c100, %i : index
    %rows = arith.minsi %rest, %c32 : index
    %panel = memref.alloc(%rows, %i) {alignment = 64 : i64} : memref<?x?xf32>
    %some = arith.cmpi sgt, %i, %c0 : index
    scf.if %some {
      memref.store %x, %panel[%c0, %c0] : memref<?x?xf32>
    }
    memref.dealloc %panel : memref<?x?xf32>
  }
  return
}

// One grows while the other one shrinks: the largest of both together are 72 bytes more than are ever taken at once, and
// more than what is allocated behind the loop.
// CHECK-LABEL: func.func @both
// CHECK-NOT:     memref.view
// ALWAYS-LABEL: func.func @both
// ALWAYS-COUNT-2: memref.alloc() {alignment = 8 : i64, freehold.no_arena} : memref<80xi8>
func.func @both(%x: f64) -> memref<18xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %rows = arith.addi %i, %c1 : index
    %rest = arith.subi %c10, %i : index
    %a = memref.alloc(%rows) : memref<?xf64>
    %b = memref.alloc(%rest) : memref<?xf64>
    memref.store %x, %a[%c0] : memref<?xf64>
    memref.store %x, %b[%c0] : memref<?xf64>
    memref.dealloc %a : memref<?xf64>
    memref.dealloc %b : memref<?xf64>
  }
  %behind = memref.alloc() : memref<18xf64>
  return %behind : memref<18xf64>
}

// As much is allocated behind this loop.
// CHECK-LABEL: func.func @both_below_peak
// CHECK-COUNT-2: memref.view
func.func @both_below_peak(%x: f64) -> memref<20xf64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %rows = arith.addi %i, %c1 : index
    %rest = arith.subi %c10, %i : index
    %a = memref.alloc(%rows) : memref<?xf64>
    %b = memref.alloc(%rest) : memref<?xf64>
    memref.store %x, %a[%c0] : memref<?xf64>
    memref.store %x, %b[%c0] : memref<?xf64>
    memref.dealloc %a : memref<?xf64>
    memref.dealloc %b : memref<?xf64>
  }
  %behind = memref.alloc() : memref<20xf64>
  return %behind : memref<20xf64>
}

// It is not known how often this loop runs, how large that buffer is, who frees this one, or what the call allocates.
// CHECK-LABEL: func.func @unknown
// CHECK-NOT:     memref.view
// ALWAYS-LABEL: func.func @unknown
// ALWAYS-NOT:     memref.view
// CHECK-LABEL: func.func @calls
// CHECK-NOT:     memref.view
// ALWAYS-LABEL: func.func @calls
// ALWAYS:         memref.view
func.func private @other()
func.func @unknown(%x: f64, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%i) : memref<?xf64>
    memref.dealloc %a : memref<?xf64>
  }
  scf.for %i = %c0 to %c10 step %c1 {
    %rows = arith.addi %i, %n : index
    %a = memref.alloc(%rows) : memref<?xf64>
    memref.store %x, %a[%c0] : memref<?xf64>
    memref.dealloc %a : memref<?xf64>
  }
  %first = memref.alloc(%n) : memref<?xf64>
  %last = scf.for %i = %c0 to %c10 step %c1 iter_args(%old = %first) -> memref<?xf64> {
    memref.dealloc %old : memref<?xf64>
    %a = memref.alloc(%i) : memref<?xf64>
    scf.yield %a : memref<?xf64>
  }
  memref.dealloc %last : memref<?xf64>
  return
}

func.func @calls(%x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %a = memref.alloc(%i) : memref<?xf64>
    func.call @other() : () -> ()
    memref.dealloc %a : memref<?xf64>
  }
  return
}

// Sizes below zero are for others to report.
// CHECK-LABEL: func.func @negative
// CHECK-NOT:     memref.view
func.func @negative(%x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %rows = arith.subi %c5, %i : index
    %a = memref.alloc(%rows) : memref<?xf64>
    memref.dealloc %a : memref<?xf64>
  }
  return
}

// What is reallocated stays an allocation of its own.
// ALWAYS-LABEL: func.func @reallocated
// ALWAYS-NOT:     memref.view
func.func @reallocated(%x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    %a = memref.alloc(%i) : memref<?xf64>
    %b = memref.realloc %a(%c10) : memref<?xf64> to memref<?xf64>
    memref.dealloc %b : memref<?xf64>
  }
  return
}
