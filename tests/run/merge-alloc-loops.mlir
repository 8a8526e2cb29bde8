// Loops that hand buffers on from one iteration to the next: those from outside of the loop may be part of
// an arena, those of an iteration are not.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --merge-alloc --check=accesses | FileCheck %s
// RUN: freehold run %s --merge-alloc=always --check=accesses | FileCheck %s
// RUN: freehold run %s --merge-alloc=always --check --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --merge-alloc=always --check --dealloc=clone | FileCheck %s
// RUN: freehold opt %s --merge-alloc --buffer-deallocation-pipeline --verify-ownership
// RUN: freehold opt %s --buffer-deallocation-pipeline --merge-alloc --verify-ownership | FileCheck %s --check-prefix=AFTER
// RUN: freehold opt %s --buffer-deallocation-pipeline --merge-alloc | freehold run - --dealloc=none --check | FileCheck %s

func.func private @printI64(i64)
func.func private @printNewline()

func.func @print(%v: i64) {
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// Two buffers change places in each iteration; a third one has room after the loop only.
// CHECK: 13
// CHECK: 8
// CHECK: 5
// AFTER-LABEL: func.func @ping_pong
// AFTER:         memref.alloc() {{.*}} : memref<128xi8>
// AFTER-NOT:     memref.alloc
// AFTER-LABEL: func.func @replaced
func.func @ping_pong(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %five = arith.constant 5 : i64
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  linalg.fill ins(%one : i64) outs(%a : memref<2xi64>)
  // Fibonacci numbers: (x0, x1) becomes (x0 + x1, x0).
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b)
      -> (memref<2xi64>, memref<2xi64>) {
    %x0 = memref.load %x[%c0] : memref<2xi64>
    %x1 = memref.load %x[%c1] : memref<2xi64>
    %sum = arith.addi %x0, %x1 : i64
    memref.store %sum, %y[%c0] : memref<2xi64>
    memref.store %x0, %y[%c1] : memref<2xi64>
    scf.yield %y, %x : memref<2xi64>, memref<2xi64>
  }
  %s0 = memref.load %r#0[%c0] : memref<2xi64>
  %s1 = memref.load %r#0[%c1] : memref<2xi64>
  call @print(%s0) : (i64) -> ()
  call @print(%s1) : (i64) -> ()
  %d = memref.alloc() : memref<2xi64>
  linalg.fill ins(%five : i64) outs(%d : memref<2xi64>)
  %t = memref.load %d[%c1] : memref<2xi64>
  call @print(%t) : (i64) -> ()
  return
}

// Each iteration makes the buffer that the next one reads: two are there at once.
// CHECK: 64
func.func @replaced(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i64
  %a = memref.alloc() : memref<2xi64>
  linalg.fill ins(%one : i64) outs(%a : memref<2xi64>)
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (memref<2xi64>) {
    %y = memref.alloc() : memref<2xi64>
    linalg.add ins(%x, %x : memref<2xi64>, memref<2xi64>) outs(%y : memref<2xi64>)
    scf.yield %y : memref<2xi64>
  }
  %s = memref.load %r[%c1] : memref<2xi64>
  call @print(%s) : (i64) -> ()
  return
}

// A while loop with two buffers; another one lives inside of an iteration.
// CHECK: 729
func.func @while_loop() {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : i64
  %one = arith.constant 1 : i64
  %limit = arith.constant 500 : i64
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  linalg.fill ins(%one : i64) outs(%a : memref<2xi64>)
  %r:2 = scf.while (%x = %a, %y = %b)
      : (memref<2xi64>, memref<2xi64>) -> (memref<2xi64>, memref<2xi64>) {
    %v = memref.load %x[%c0] : memref<2xi64>
    %more = arith.cmpi slt, %v, %limit : i64
    scf.condition(%more) %x, %y : memref<2xi64>, memref<2xi64>
  } do {
  ^bb0(%x: memref<2xi64>, %y: memref<2xi64>):
    %t = memref.alloc() : memref<2xi64>
    linalg.fill ins(%three : i64) outs(%t : memref<2xi64>)
    linalg.mul ins(%x, %t : memref<2xi64>, memref<2xi64>) outs(%y : memref<2xi64>)
    scf.yield %y, %x : memref<2xi64>, memref<2xi64>
  }
  %s = memref.load %r#0[%c0] : memref<2xi64>
  call @print(%s) : (i64) -> ()
  return
}

// One of two buffers comes out of each branch, and out of a branch in a loop.
// CHECK: 7
// CHECK: 9
func.func @branches(%c: i1, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i64
  %nine = arith.constant 9 : i64
  %r = scf.if %c -> memref<2xi64> {
    %a = memref.alloc() : memref<2xi64>
    linalg.fill ins(%seven : i64) outs(%a : memref<2xi64>)
    scf.yield %a : memref<2xi64>
  } else {
    %b = memref.alloc() : memref<2xi64>
    linalg.fill ins(%nine : i64) outs(%b : memref<2xi64>)
    scf.yield %b : memref<2xi64>
  }
  %last = memref.alloc() : memref<2xi64>
  %v = memref.load %r[%c1] : memref<2xi64>
  linalg.fill ins(%v : i64) outs(%last : memref<2xi64>)
  scf.for %i = %c0 to %n step %c1 {
    %even = arith.cmpi eq, %i, %c0 : index
    %s = scf.if %even -> memref<2xi64> {
      %a = memref.alloc() : memref<2xi64>
      memref.copy %last, %a : memref<2xi64> to memref<2xi64>
      scf.yield %a : memref<2xi64>
    } else {
      %b = memref.alloc() : memref<2xi64>
      memref.copy %last, %b : memref<2xi64> to memref<2xi64>
      scf.yield %b : memref<2xi64>
    }
    memref.copy %s, %last : memref<2xi64> to memref<2xi64>
  }
  %w = memref.load %last[%c0] : memref<2xi64>
  call @print(%w) : (i64) -> ()
  return
}

func.func @main() {
  %n = arith.constant 6 : index
  %n5 = arith.constant 5 : index
  %true = arith.constant true
  %false = arith.constant false
  call @ping_pong(%n5) : (index) -> ()
  call @replaced(%n) : (index) -> ()
  call @while_loop() : () -> ()
  call @branches(%true, %n) : (i1, index) -> ()
  call @branches(%false, %n) : (i1, index) -> ()
  return
}
