// What ends the program elsewhere ends it in a body; groups that get more than their size end it, too.

// RUN: not freehold run %s -e assert --threads=2 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: not freehold run %s -e assert 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: not freehold run %s -e full --threads=2 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not freehold run %s -e full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not freehold interpret %s -e full 2>&1 | FileCheck %s --check-prefix=INTERPRETED
// ASSERT: async-failures.mlir:[[@LINE+9]]:5: error: assertion failed: wrong
// FULL: assertion failed: async.add_to_group: more is added to the group than its size says
// INTERPRETED: async-failures.mlir:[[@LINE+21]]:8: error: {{.*}}more is added to the group than its size says
// The last group gets less, which one thread can tell.
// RUN: not freehold run %s -e waits 2>&1 | FileCheck %s --check-prefix=LESS
// LESS: assertion failed: async.await_all: less is added to the group than its size says
func.func @assert() {
  %t = async.execute {
    %false = arith.constant false
    cf.assert %false, "wrong"
    async.yield
  }
  async.await %t : !async.token
  return
}

func.func @full() {
  %c1 = arith.constant 1 : index
  %g = async.create_group %c1 : !async.group
  %t = async.execute {
    async.yield
  }
  %r = async.add_to_group %t, %g : !async.token
  %s = async.add_to_group %t, %g : !async.token
  async.await_all %g
  return
}

func.func @waits() {
  %c2 = arith.constant 2 : index
  %g = async.create_group %c2 : !async.group
  %t = async.execute {
    async.yield
  }
  %r = async.add_to_group %t, %g : !async.token
  async.await_all %g
  return
}
