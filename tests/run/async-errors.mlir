// Errors of bodies, in a program that asks for them: a failed assertion ends its body only.
//
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check -O0 --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --check --threads=4 | FileCheck %s
// RUN: freehold interpret %s | FileCheck %s
// RUN: freehold opt %s --async-func-to-async-runtime --async-to-async-runtime --convert-async-to-llvm --convert-scf-to-cf --convert-func-to-llvm | freehold run - --check | FileCheck %s

func.func private @flag(%x: i64) -> i1 {
  %limit = arith.constant 5 : i64
  %good = arith.cmpi slt, %x, %limit : i64
  return %good : i1
}

// A function fails, one of the body that calls it does then, and so does who waits for that in a body.
async.func @half(%x: i64) -> !async.value<i64> {
  %good = func.call @flag(%x) : (i64) -> i1
  cf.assert %good, "too large"
  %two = arith.constant 2 : i64
  %half = arith.divsi %x, %two : i64
  return %half : i64
}
async.func @quarter(%x: i64, %m: memref<4xi64>) -> (!async.token, !async.value<i64>) {
  %c0 = arith.constant 0 : index
  %v = async.call @half(%x) : (i64) -> !async.value<i64>
  %half = async.await %v : !async.value<i64>
  memref.store %half, %m[%c0] : memref<4xi64>
  %w = async.call @half(%half) : (i64) -> !async.value<i64>
  %quarter = async.await %w : !async.value<i64>
  return %quarter : i64
}

func.func @functions(%x: i64) {
  %c0 = arith.constant 0 : index
  %none = arith.constant -1 : i64
  %m = memref.alloc() : memref<4xi64>
  memref.store %none, %m[%c0] : memref<4xi64>
  %t, %v = async.call @quarter(%x, %m) : (i64, memref<4xi64>) -> (!async.token, !async.value<i64>)
  async.runtime.await %v : !async.value<i64>
  %error = async.runtime.is_error %v : !async.value<i64>
  vector.print %error : i1
  %first = memref.load %m[%c0] : memref<4xi64>
  vector.print %first : i64
  scf.if %error {
  } else {
    %quarter = async.await %v : !async.value<i64>
    vector.print %quarter : i64
  }
  return
}

// In loops and branches, and behind them; what was stored before stays, and buffers are freed.
func.func @nested(%n: index, %x: i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %none = arith.constant 0 : i64
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%none : i64) outs(%m : memref<4xi64>)
  %t, %v = async.execute -> !async.value<i64> {
    %end = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> i64 {
      %number = arith.index_cast %i : index to i64
      %own = memref.alloc() : memref<4xi64>
      memref.store %number, %own[%c1] : memref<4xi64>
      %is_odd = arith.trunci %number : i64 to i1
      scf.if %is_odd {
        %y = arith.addi %number, %x : i64
        %good = func.call @flag(%y) : (i64) -> i1
        cf.assert %good, "too large"
        memref.store %y, %m[%c0] : memref<4xi64>
      }
      %z = memref.load %own[%c1] : memref<4xi64>
      %next = arith.addi %sum, %z : i64
      memref.store %next, %m[%c1] : memref<4xi64>
      scf.yield %next : i64
    }
    memref.store %x, %m[%c3] : memref<4xi64>
    async.yield %end : i64
  }
  async.runtime.await %v : !async.value<i64>
  %error = async.runtime.is_error %v : !async.value<i64>
  vector.print %error : i1
  %a = memref.load %m[%c0] : memref<4xi64>
  %b = memref.load %m[%c1] : memref<4xi64>
  %c = memref.load %m[%c3] : memref<4xi64>
  vector.print %a : i64
  vector.print %b : i64
  vector.print %c : i64
  return
}

// A body with what failed among its dependencies does nothing, nor does who waits for a group with it.
func.func @dependent(%good: i1) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %m = memref.alloc() : memref<4xi64>
  memref.store %one, %m[%c0] : memref<4xi64>
  memref.store %one, %m[%c2] : memref<4xi64>
  %g = async.create_group %c2 : !async.group
  %t, %v = async.execute -> !async.value<i64> {
    cf.assert %good, "no"
    async.yield %two : i64
  }
  %u = async.execute (%v as %x: !async.value<i64>) {
    memref.store %x, %m[%c0] : memref<4xi64>
    async.yield
  }
  %r0 = async.add_to_group %v, %g : !async.value<i64>
  %other = async.execute {
    async.yield
  }
  %r1 = async.add_to_group %other, %g : !async.token
  %w = async.execute [%other] {
    async.await_all %g
    %y = memref.load %m[%c2] : memref<4xi64>
    %z = arith.addi %y, %two : i64
    memref.store %z, %m[%c2] : memref<4xi64>
    async.yield
  }
  async.runtime.await %g : !async.group
  async.runtime.await %u : !async.token
  async.runtime.await %w : !async.token
  %e0 = async.runtime.is_error %g : !async.group
  %e1 = async.runtime.is_error %u : !async.token
  %e2 = async.runtime.is_error %w : !async.token
  %e3 = async.runtime.is_error %other : !async.token
  vector.print %e0 : i1
  vector.print %e1 : i1
  vector.print %e2 : i1
  vector.print %e3 : i1
  %x = memref.load %m[%c0] : memref<4xi64>
  vector.print %x : i64
  %y = memref.load %m[%c2] : memref<4xi64>
  vector.print %y : i64
  return
}

func.func @main() {
  // CHECK:      0
  // CHECK-NEXT: 2
  // CHECK-NEXT: 1
  %four = arith.constant 4 : i64
  call @functions(%four) : (i64) -> ()
  // CHECK-NEXT: 1
  // CHECK-NEXT: -1
  %nine = arith.constant 9 : i64
  call @functions(%nine) : (i64) -> ()

  // CHECK-NEXT: 0
  // CHECK-NEXT: 4
  // CHECK-NEXT: 10
  // CHECK-NEXT: 1
  %n = arith.constant 5 : index
  %one = arith.constant 1 : i64
  call @nested(%n, %one) : (index, i64) -> ()
  // CHECK-NEXT: 1
  // CHECK-NEXT: 3
  // CHECK-NEXT: 3
  // CHECK-NEXT: 0
  %two = arith.constant 2 : i64
  call @nested(%n, %two) : (index, i64) -> ()

  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 2
  // CHECK-NEXT: 3
  %yes = arith.constant true
  call @dependent(%yes) : (i1) -> ()
  // CHECK-NEXT: 1
  // CHECK-NEXT: 1
  // CHECK-NEXT: 1
  // CHECK-NEXT: 0
  // CHECK-NEXT: 1
  // CHECK-NEXT: 1
  %no = arith.constant false
  call @dependent(%no) : (i1) -> ()
  return
}
