// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check -O0 --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --check --threads=2 | FileCheck %s
// RUN: freehold run %s --check --threads=7 --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --threads=7 --stats | FileCheck %s
// RUN: freehold interpret %s | FileCheck %s
// RUN: freehold opt %s --async-func-to-async-runtime --async-to-async-runtime --async-runtime-ref-counting --async-runtime-ref-counting-opt --convert-async-to-llvm --convert-scf-to-cf --convert-func-to-llvm | freehold run - --check --threads=2 | FileCheck %s

async.func @sum(%m: memref<?xi64>) -> !async.value<i64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %n = memref.dim %m, %c0 : memref<?xi64>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%before = %none) -> i64 {
    %x = memref.load %m[%i] : memref<?xi64>
    %after = arith.addi %before, %x : i64
    scf.yield %after : i64
  }
  return %s : i64
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %m = memref.alloc(%n) : memref<?xi64>
  // More bodies than may wait at a time.
  %g = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %t = async.execute {
      %x = arith.index_cast %i : index to i64
      %inner, %v = async.execute -> !async.value<i64> {
        %y = arith.muli %x, %x : i64
        async.yield %y : i64
      }
      %y = async.await %v : !async.value<i64>
      memref.store %y, %m[%i] : memref<?xi64>
      async.yield
    }
    %r = async.add_to_group %t, %g : !async.token
  }
  async.await_all %g
  // CHECK: 332833500
  %v = async.call @sum(%m) : (memref<?xi64>) -> !async.value<i64>
  %s = async.await %v : !async.value<i64>
  vector.print %s : i64
  // A body on tensors, and one that takes what it yields.
  // CHECK-NEXT: ( 7, 7, 7, 7 )
  %t, %tensor = async.execute -> !async.value<tensor<4xi64>> {
    %x = arith.constant dense<3> : tensor<4xi64>
    async.yield %x : tensor<4xi64>
  }
  %u, %vector = async.execute [%t] (%tensor as %x: !async.value<tensor<4xi64>>) -> !async.value<vector<4xi64>> {
    %four = arith.constant dense<4> : tensor<4xi64>
    %y = arith.addi %x, %four : tensor<4xi64>
    %zero = arith.constant 0 : i64
    %z = vector.transfer_read %y[%c0], %zero : tensor<4xi64>, vector<4xi64>
    async.yield %z : vector<4xi64>
  }
  %w = async.await %vector : !async.value<vector<4xi64>>
  vector.print %w : vector<4xi64>
  return
}
