// Owners written out: nothing is left to do for this pass, as the code generator
// lowers them all, with or without the passes before it. The program prints
// whose buffer an owner is, with no, one, two and three iterations of its loops.
//
// RUN: freehold opt %s --hlo-deallocation-simplification --hlo-deallocation-to-scf > %t.1
// RUN: freehold opt %t.1 --convert-deallocation-ops-to-llvm > %t.2
// RUN: diff %t.1 %t.2
// RUN: freehold opt --help | FileCheck %s --check-prefix=HELP
// RUN: freehold run %s --dealloc=none --check | FileCheck %s
// RUN: freehold opt %s --convert-deallocation-ops-to-llvm | freehold run --dealloc=none --check - | FileCheck %s
// RUN: freehold opt %s --hlo-deallocation-simplification | freehold run --dealloc=none --check - | FileCheck %s
// RUN: freehold opt %s --hlo-deallocation-to-scf | freehold run --dealloc=none --check - | FileCheck %s
// RUN: freehold run %t.2 --dealloc=none --check | FileCheck %s
// RUN: freehold run %t.2 --dealloc=none --merge-alloc=never --stats=json 2>&1 | FileCheck %s --check-prefix=STATS
//
// HELP: --convert-deallocation-ops-to-llvm {{.*}}the code generator lowers the deallocation dialect
// CHECK: 3049911011001
// CHECK-NEXT: 3044552111011001
// CHECK-NEXT: 3044495529211011001
// CHECK-NEXT: 3044445555291911011001
// STATS: "allocs": 37, "frees": 37,

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @set(%m: memref<2xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  memref.store %v, %m[%c0] : memref<2xi64>
  return
}
func.func private @show(%m: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<2xi64>
  call @printI64(%x) : (i64) -> ()
  return
}

// Whether an owner owns a buffer.
func.func private @owns(%o: !deallocation.ownership, %m: memref<2xi64>) {
  %p = deallocation.get_buffer %o : !deallocation.ownership
  %q = deallocation.get_buffer %m : memref<2xi64>
  %same = arith.cmpi eq, %p, %q : index
  %x = arith.extui %same : i1 to i64
  call @printI64(%x) : (i64) -> ()
  return
}

// Allocated, used and freed.
func.func private @straight(%v: i64) {
  %a = memref.alloc() : memref<2xi64>
  %o = deallocation.own %a : memref<2xi64>
  call @set(%a, %v) : (memref<2xi64>, i64) -> ()
  call @show(%a) : (memref<2xi64>) -> ()
  deallocation.retain() of(%o) : (!deallocation.ownership) -> ()
  return
}

// Without owners there is nothing to own.
func.func private @no_owners(%a: memref<2xi64>) {
  %r = deallocation.retain(%a) of() : (memref<2xi64>) -> !deallocation.ownership
  %p = deallocation.get_buffer %r : !deallocation.ownership
  %x = arith.index_cast %p : index to i64
  call @printI64(%x) : (i64) -> ()
  return
}

// An owner goes through a loop unchanged.
func.func private @through_loop(%n: index, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi64>
  call @set(%a, %v) : (memref<2xi64>, i64) -> ()
  %o = deallocation.own %a : memref<2xi64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %p = %o) -> (memref<2xi64>, !deallocation.ownership) {
    func.call @show(%x) : (memref<2xi64>) -> ()
    scf.yield %x, %p : memref<2xi64>, !deallocation.ownership
  }
  call @show(%r#0) : (memref<2xi64>) -> ()
  deallocation.retain() of(%r#1) : (!deallocation.ownership) -> ()
  return
}

// Each iteration frees what it replaces; the first buffer may be the caller's.
func.func private @replaced_in_loop(%n: index, %c: i1, %in: memref<2xi64>, %v: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %init:2 = scf.if %c -> (memref<2xi64>, !deallocation.ownership) {
    %a = memref.alloc() : memref<2xi64>
    func.call @set(%a, %v) : (memref<2xi64>, i64) -> ()
    %o = deallocation.own %a : memref<2xi64>
    scf.yield %a, %o : memref<2xi64>, !deallocation.ownership
  } else {
    %null = deallocation.null
    scf.yield %in, %null : memref<2xi64>, !deallocation.ownership
  }
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %init#0, %p = %init#1) -> (memref<2xi64>, !deallocation.ownership) {
    func.call @show(%x) : (memref<2xi64>) -> ()
    deallocation.retain() of(%p) : (!deallocation.ownership) -> ()
    %a = memref.alloc() : memref<2xi64>
    func.call @set(%a, %v) : (memref<2xi64>, i64) -> ()
    %o = deallocation.own %a : memref<2xi64>
    scf.yield %a, %o : memref<2xi64>, !deallocation.ownership
  }
  call @show(%r#0) : (memref<2xi64>) -> ()
  deallocation.retain() of(%r#1) : (!deallocation.ownership) -> ()
  return
}

// Three owners change places with their buffers, and nulls do as well.
func.func private @permuted(%n: index, %in: memref<2xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v1 = arith.constant 1 : i64
  %v2 = arith.constant 2 : i64
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  call @set(%a, %v1) : (memref<2xi64>, i64) -> ()
  call @set(%b, %v2) : (memref<2xi64>, i64) -> ()
  %oa = deallocation.own %a : memref<2xi64>
  %ob = deallocation.own %b : memref<2xi64>
  %null = deallocation.null
  %r:7 = scf.while (%x = %a, %y = %b, %z = %in, %p = %oa, %q = %ob, %o = %null, %i = %c0)
      : (memref<2xi64>, memref<2xi64>, memref<2xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, index)
      -> (memref<2xi64>, memref<2xi64>, memref<2xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, index) {
    %more = arith.cmpi ult, %i, %n : index
    scf.condition(%more) %y, %z, %x, %q, %o, %p, %i : memref<2xi64>, memref<2xi64>, memref<2xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, index
  } do {
  ^bb0(%x: memref<2xi64>, %y: memref<2xi64>, %z: memref<2xi64>, %p: !deallocation.ownership, %q: !deallocation.ownership, %o: !deallocation.ownership, %i: index):
    func.call @show(%x) : (memref<2xi64>) -> ()
    %next = arith.addi %i, %c1 : index
    scf.yield %x, %y, %z, %p, %q, %o, %next : memref<2xi64>, memref<2xi64>, memref<2xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, index
  }
  call @show(%r#1) : (memref<2xi64>) -> ()
  deallocation.retain() of(%r#3) : (!deallocation.ownership) -> ()
  deallocation.retain() of(%r#4) : (!deallocation.ownership) -> ()
  deallocation.retain() of(%r#5) : (!deallocation.ownership) -> ()
  return
}

// One buffer of one owner, of two, two of one, and more than that.
func.func private @retained(%in: memref<2xi64>, %v: i64) {
  %null = deallocation.null
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  %c = memref.alloc() : memref<2xi64>
  %d = memref.alloc() : memref<2xi64>
  %view = memref.cast %b : memref<2xi64> to memref<?xi64>
  %oa = deallocation.own %a : memref<2xi64>
  %ob = deallocation.own %view : memref<?xi64>
  %oc = deallocation.own %c : memref<2xi64>
  %od = deallocation.own %d : memref<2xi64>
  %one = deallocation.retain(%a) of(%oa) : (memref<2xi64>, !deallocation.ownership) -> !deallocation.ownership
  call @owns(%one, %a) : (!deallocation.ownership, memref<2xi64>) -> ()
  %two = deallocation.retain(%view) of(%od, %ob) : (memref<?xi64>, !deallocation.ownership, !deallocation.ownership) -> !deallocation.ownership
  call @owns(%two, %b) : (!deallocation.ownership, memref<2xi64>) -> ()
  %pair:2 = deallocation.retain(%in, %a) of(%one) : (memref<2xi64>, memref<2xi64>, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
  call @owns(%pair#0, %in) : (!deallocation.ownership, memref<2xi64>) -> ()
  call @owns(%pair#1, %a) : (!deallocation.ownership, memref<2xi64>) -> ()
  %more:4 = deallocation.retain(%c, %in, %c, %b) of(%pair#1, %null, %two, %oc, %pair#0)
    : (memref<2xi64>, memref<2xi64>, memref<2xi64>, memref<2xi64>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
    -> (!deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
  call @owns(%more#0, %c) : (!deallocation.ownership, memref<2xi64>) -> ()
  call @owns(%more#1, %in) : (!deallocation.ownership, memref<2xi64>) -> ()
  call @owns(%more#2, %c) : (!deallocation.ownership, memref<2xi64>) -> ()
  call @owns(%more#3, %b) : (!deallocation.ownership, memref<2xi64>) -> ()
  deallocation.free %more#0
  deallocation.free %more#2
  deallocation.free %more#3
  return
}

// Everything with this many iterations.
func.func private @round(%n: index, %c: i1, %in: memref<2xi64>) {
  %v3 = arith.constant 3 : i64
  %v4 = arith.constant 4 : i64
  %v5 = arith.constant 5 : i64
  call @straight(%v3) : (i64) -> ()
  call @no_owners(%in) : (memref<2xi64>) -> ()
  call @through_loop(%n, %v4) : (index, i64) -> ()
  call @replaced_in_loop(%n, %c, %in, %v5) : (index, i1, memref<2xi64>, i64) -> ()
  call @permuted(%n, %in) : (index, memref<2xi64>) -> ()
  call @retained(%in, %v3) : (memref<2xi64>, i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %v9 = arith.constant 9 : i64
  %in = memref.alloc() : memref<2xi64>
  call @set(%in, %v9) : (memref<2xi64>, i64) -> ()
  scf.for %n = %c0 to %c4 step %c1 {
    %rest = arith.remui %n, %c2 : index
    %c = arith.cmpi eq, %rest, %c1 : index
    func.call @round(%n, %c, %in) : (index, i1, memref<2xi64>) -> ()
  }
  memref.dealloc %in : memref<2xi64>
  return
}
