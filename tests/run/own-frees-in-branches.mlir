// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check -O0 | FileCheck %s
// RUN: freehold run %s --check --merge-alloc | FileCheck %s
// RUN: freehold run %s --check --dealloc=clone | FileCheck %s
// RUN: freehold run %s --check --dealloc=clone -O0 | FileCheck %s
// RUN: freehold run %s --check --dealloc=copy -O0 | FileCheck %s
// RUN: freehold run %s --check --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --check --dealloc=hlo -O0 | FileCheck %s
// RUN: freehold run %s --check --dealloc=none | FileCheck %s

// Programs that free a buffer under conditions, or return it where they do not, are right as they are.

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @print(%x: i64) {
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// What replaces the buffer is allocated where the buffer is freed, and nowhere else.
func.func private @replaced_or_returned(%c: i1, %n: index) -> memref<?xi64> attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %x = arith.constant 7 : i64
  %y = arith.constant 8 : i64
  %a = memref.alloc(%n) : memref<?xi64>
  memref.store %x, %a[%c0] : memref<?xi64>
  %r = scf.if %c -> memref<?xi64> {
    memref.dealloc %a : memref<?xi64>
    %b = memref.alloc(%n) : memref<?xi64>
    memref.store %y, %b[%c0] : memref<?xi64>
    scf.yield %b : memref<?xi64>
  } else {
    scf.yield %a : memref<?xi64>
  }
  return %r : memref<?xi64>
}

// Freed here or there, by the value of a flag.
func.func private @one_of_two_places(%c: i1) -> i64 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %x = arith.constant 9 : i64
  %a = memref.alloc() : memref<2xi64>
  memref.store %x, %a[%c0] : memref<2xi64>
  scf.if %c {
    memref.dealloc %a : memref<2xi64>
  }
  %v = scf.if %c -> (i64) {
    scf.yield %zero : i64
  } else {
    %w = memref.load %a[%c0] : memref<2xi64>
    memref.dealloc %a : memref<2xi64>
    scf.yield %w : i64
  }
  return %v : i64
}

// Two selects of one condition free both buffers.
func.func private @selected(%c: i1) -> i64 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %x = arith.constant 10 : i64
  %y = arith.constant 11 : i64
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  memref.store %x, %a[%c0] : memref<2xi64>
  memref.store %y, %b[%c0] : memref<2xi64>
  %s = arith.select %c, %a, %b : memref<2xi64>
  %t = arith.select %c, %b, %a : memref<2xi64>
  memref.dealloc %s : memref<2xi64>
  %v = memref.load %t[%c0] : memref<2xi64>
  memref.dealloc %t : memref<2xi64>
  return %v : i64
}

// In the branch of each iteration that does not take it, nothing is allocated.
func.func private @in_each_iteration(%c: i1, %n: index) -> i64 attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 12 : i64
  %zero = arith.constant 0 : i64
  cf.br ^bb1(%c0, %zero : index, i64)
^bb1(%i: index, %sum: i64):
  %a = memref.alloc() : memref<2000xi64>
  memref.store %x, %a[%c0] : memref<2000xi64>
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  cf.br ^bb4(%a : memref<2000xi64>)
^bb3:
  %b = memref.alloc() : memref<2000xi64>
  memref.store %x, %b[%c0] : memref<2000xi64>
  memref.dealloc %a : memref<2000xi64>
  cf.br ^bb4(%b : memref<2000xi64>)
^bb4(%y: memref<2000xi64>):
  %r = memref.load %y[%c0] : memref<2000xi64>
  memref.dealloc %y : memref<2000xi64>
  %new_sum = arith.addi %sum, %r : i64
  %next = arith.addi %i, %c1 : index
  %again = arith.cmpi ult, %next, %n : index
  cf.cond_br %again, ^bb1(%next, %new_sum : index, i64), ^bb5
^bb5:
  return %new_sum : i64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %n = arith.constant 3 : index
  %true = arith.constant true
  %false = arith.constant false
  // CHECK: 8
  %r0 = call @replaced_or_returned(%true, %n) : (i1, index) -> memref<?xi64>
  %v0 = memref.load %r0[%c0] : memref<?xi64>
  call @print(%v0) : (i64) -> ()
  memref.dealloc %r0 : memref<?xi64>
  // CHECK-NEXT: 7
  %r1 = call @replaced_or_returned(%false, %n) : (i1, index) -> memref<?xi64>
  %v1 = memref.load %r1[%c0] : memref<?xi64>
  call @print(%v1) : (i64) -> ()
  memref.dealloc %r1 : memref<?xi64>
  // CHECK-NEXT: 0
  %v2 = call @one_of_two_places(%true) : (i1) -> i64
  call @print(%v2) : (i64) -> ()
  // CHECK-NEXT: 9
  %v3 = call @one_of_two_places(%false) : (i1) -> i64
  call @print(%v3) : (i64) -> ()
  // CHECK-NEXT: 11
  %v4 = call @selected(%true) : (i1) -> i64
  call @print(%v4) : (i64) -> ()
  // CHECK-NEXT: 10
  %v5 = call @selected(%false) : (i1) -> i64
  call @print(%v5) : (i64) -> ()
  // CHECK-NEXT: 36
  %v6 = call @in_each_iteration(%true, %n) : (i1, index) -> i64
  call @print(%v6) : (i64) -> ()
  // CHECK-NEXT: 36
  %v7 = call @in_each_iteration(%false, %n) : (i1, index) -> i64
  call @print(%v7) : (i64) -> ()
  return
}
