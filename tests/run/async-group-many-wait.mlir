// More bodies than wait to be run at most, for a group that the caller fills afterwards: none runs on the caller's stack.
//
// RUN: freehold run %s --threads=2 | FileCheck %s
// RUN: freehold run %s --threads=4 -O0 --check | FileCheck %s
//
// CHECK: 399
// CHECK: 1

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 400 : index
  %m = memref.alloc() : memref<400xi64>
  %open = async.create_group %c1 : !async.group
  %all = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %t = async.execute {
      async.await_all %open
      %x = arith.index_cast %i : index to i64
      memref.store %x, %m[%i] : memref<400xi64>
      async.yield
    }
    %r = async.add_to_group %t, %all : !async.token
  }
  %u = async.execute {
    async.yield
  }
  %r = async.add_to_group %u, %open : !async.token
  async.await_all %all
  %last = arith.constant 399 : index
  %x = memref.load %m[%last] : memref<400xi64>
  vector.print %x : i64

  // A body in two groups does not have to end to get into the second one.
  %one = arith.constant 1 : i64
  %first = async.create_group %c1 : !async.group
  %second = async.create_group %c1 : !async.group
  %later = async.create_group %c1 : !async.group
  %t = async.execute {
    async.await_all %later
    memref.store %one, %m[%c0] : memref<400xi64>
    async.yield
  }
  %r0 = async.add_to_group %t, %first : !async.token
  %r1 = async.add_to_group %t, %second : !async.token
  %v = async.execute {
    async.yield
  }
  %r2 = async.add_to_group %v, %later : !async.token
  async.await_all %second
  %y = memref.load %m[%c0] : memref<400xi64>
  async.await_all %first
  vector.print %y : i64
  return
}
