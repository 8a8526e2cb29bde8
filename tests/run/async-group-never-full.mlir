// A group that nobody can fill any more ends the program, however many threads there are and whoever waits.
//
// RUN: not freehold run - -e alone < %s 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not freehold run - -e alone --threads=2 < %s 2>&1 | FileCheck %s
// RUN: not freehold run - -e bodies --threads=4 < %s 2>&1 | FileCheck %s
// RUN: not freehold run - -e inner --threads=3 -O0 < %s 2>&1 | FileCheck %s
//
// ONE:   less is added to the group than its size says
// CHECK: assertion failed: async.await_all: less is added to the group than its size says, and all threads wait

func.func @alone() {
  %c2 = arith.constant 2 : index
  %g = async.create_group %c2 : !async.group
  %t = async.execute {
    async.yield
  }
  %r = async.add_to_group %t, %g : !async.token
  async.await_all %g
  return
}

// Bodies wait, and their caller for them.
func.func @bodies() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 20 : index
  %c2 = arith.constant 2 : index
  %g = async.create_group %c2 : !async.group
  %one = async.execute {
    async.yield
  }
  %r0 = async.add_to_group %one, %g : !async.token
  %all = async.create_group %n : !async.group
  scf.for %i = %c0 to %n step %c1 {
    %t = async.execute {
      async.await_all %g
      async.yield
    }
    %r = async.add_to_group %t, %all : !async.token
  }
  async.await_all %all
  return
}

// The group is one of a body.
func.func @inner() {
  %c2 = arith.constant 2 : index
  %outer = async.execute {
    %g = async.create_group %c2 : !async.group
    %first = async.execute {
      async.yield
    }
    %t = async.execute {
      %r = async.add_to_group %first, %g : !async.token
      async.yield
    }
    async.await_all %g
    async.yield
  }
  async.await %outer : !async.token
  return
}
