// Bodies hand values to others that go on behind the iteration, and wait for groups of their iteration: each iteration has
// its own.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --threads=2 | FileCheck %s
// RUN: freehold run %s --threads=4 --check -O0 | FileCheck %s
// RUN: freehold opt %s --run-async-in-order=threads=2 | freehold interpret - | FileCheck %s
// RUN: freehold opt %s --run-async-in-order=threads=2 | FileCheck %s --check-prefix=WAITS
//
// CHECK: 0
// CHECK: 500
// WAITS:     async.add_to_group
// WAITS-DAG: async.await
// WAITS-DAG: async.await
// WAITS:     async.await_all

func.func @values() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 500 : index
  %none = arith.constant 0 : i64
  %m = memref.alloc() : memref<500xi64>
  linalg.fill ins(%none : i64) outs(%m : memref<500xi64>)
  %g = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %t, %v = async.execute -> !async.value<i64> {
      %x = arith.index_cast %i : index to i64
      async.yield %x : i64
    }
    %u = async.execute (%v as %x: !async.value<i64>) {
      memref.store %x, %m[%i] : memref<500xi64>
      async.yield
    }
    %r = async.add_to_group %u, %g : !async.token
  }
  async.await_all %g
  %n_wrong = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> i64 {
    %x = memref.load %m[%i] : memref<500xi64>
    %y = arith.index_cast %i : index to i64
    %is_wrong = arith.cmpi ne, %x, %y : i64
    %one = arith.extui %is_wrong : i1 to i64
    %after = arith.addi %before, %one : i64
    scf.yield %after : i64
  }
  return %n_wrong : i64
}

func.func @groups() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 500 : index
  %none = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %m = memref.alloc() : memref<500xi64>
  linalg.fill ins(%none : i64) outs(%m : memref<500xi64>)
  %all = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %own = async.create_group %c1 : !async.group
    %t, %v = async.execute -> !async.value<i64> {
      async.yield %one : i64
    }
    %r = async.add_to_group %v, %own : !async.value<i64>
    %w = async.execute {
      async.await_all %own
      memref.store %one, %m[%i] : memref<500xi64>
      async.yield
    }
    %r2 = async.add_to_group %w, %all : !async.token
  }
  async.await_all %all
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> i64 {
    %x = memref.load %m[%i] : memref<500xi64>
    %after = arith.addi %before, %x : i64
    scf.yield %after : i64
  }
  return %sum : i64
}

func.func @main() {
  %n_wrong = call @values() : () -> i64
  vector.print %n_wrong : i64
  %sum = call @groups() : () -> i64
  vector.print %sum : i64
  return
}
