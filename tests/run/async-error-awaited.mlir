// Who waits for a body with an error, and is in none, ends the program.
//
// RUN: not freehold run - < %s 2>&1 | FileCheck %s
// RUN: not freehold interpret %s 2>&1 | FileCheck %s
//
// CHECK: 1
// CHECK: assertion failed: Awaited async operand is in error state

func.func @main() {
  %no = arith.constant false
  %t = async.execute {
    cf.assert %no, "no"
    async.yield
  }
  async.runtime.await %t : !async.token
  %e = async.runtime.is_error %t : !async.token
  vector.print %e : i1
  async.await %t : !async.token
  return
}
