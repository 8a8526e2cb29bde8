// A body waits for a group that another one adds to: what is started in between, and waits for the first body, does not
// keep it from going on. The second time, the caller has other things to do until all of them wait: only the pool runs
// them.
//
// RUN: freehold run %s --threads=2 --check | FileCheck %s
// RUN: freehold run %s --threads=3 -O0 | FileCheck %s
//
// CHECK: 2{{$}}
// CHECK: 5{{$}}
// CHECK: 12028245{{$}}
// CHECK: 5{{$}}

func.func private @printI64(i64)
func.func private @printNewline()

func.func @waits(%iterations: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %m = memref.alloc() : memref<2xi64>
  %group = async.create_group %c1 : !async.group
  %first = async.execute {
    async.await_all %group
    memref.store %two, %m[%c0] : memref<2xi64>
    async.yield
  }
  %second = async.execute [%first] {
    %x = memref.load %m[%c0] : memref<2xi64>
    %y = arith.addi %x, %three : i64
    memref.store %y, %m[%c1] : memref<2xi64>
    async.yield
  }
  %third = async.execute {
    %inner = async.execute {
      async.yield
    }
    %rank = async.add_to_group %inner, %group : !async.token
    async.yield
  }
  %end = scf.for %i = %c0 to %iterations step %c1 iter_args(%x = %two) -> i64 {
    %shifted = arith.shrui %x, %three : i64
    %mixed = arith.xori %x, %shifted : i64
    %next = arith.addi %mixed, %three : i64
    scf.yield %next : i64
  }
  call @printI64(%end) : (i64) -> ()
  call @printNewline() : () -> ()
  async.await %first : !async.token
  async.await %second : !async.token
  async.await %third : !async.token
  %v = memref.load %m[%c1] : memref<2xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %none = arith.constant 0 : index
  %many = arith.constant 2000000 : index
  call @waits(%none) : (index) -> ()
  call @waits(%many) : (index) -> ()
  return
}
