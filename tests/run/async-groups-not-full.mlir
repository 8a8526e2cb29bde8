// A body waits for a group that another one adds to: what is started in between, and waits for the first body, does not
// keep it from going on.
//
// RUN: freehold run %s --threads=2 --check | FileCheck %s
// RUN: freehold run %s --threads=3 -O0 | FileCheck %s
//
// CHECK: 5{{$}}

func.func private @printI64(i64)

func.func @main() {
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
  async.await %first : !async.token
  async.await %second : !async.token
  async.await %third : !async.token
  %v = memref.load %m[%c1] : memref<2xi64>
  call @printI64(%v) : (i64) -> ()
  return
}
