// What a body does before anybody has waited for it, races with what the program does meanwhile.

// RUN: not freehold interpret %s -e race 2>&1 | FileCheck %s --check-prefix=RACE
// RUN: not freehold interpret %s -e free 2>&1 | FileCheck %s --check-prefix=FREE
// RUN: freehold interpret %s -e ordered | FileCheck %s --check-prefix=ORDERED
// RACE: interpret-async.mlir:[[@LINE+13]]:{{.*}}race with a body of async.execute: 8 bytes at byte 8 of 32 bytes
// RACE: interpret-async.mlir:[[@LINE+9]]:{{.*}}the body writes here
// FREE: race with a body of async.execute: 32 bytes at byte 0 of 32 bytes
// ORDERED: 5

func.func @race() {
  %c1 = arith.constant 1 : index
  %x = arith.constant 5 : i64
  %m = memref.alloca() : memref<4xi64>
  %t = async.execute {
    memref.store %x, %m[%c1] : memref<4xi64>
    async.yield
  }
  %y = memref.load %m[%c1] : memref<4xi64>
  async.await %t : !async.token
  return
}

func.func @free() {
  %c1 = arith.constant 1 : index
  %x = arith.constant 5 : i64
  %m = memref.alloc() : memref<4xi64>
  %t = async.execute {
    memref.store %x, %m[%c1] : memref<4xi64>
    async.yield
  }
  memref.dealloc %m : memref<4xi64>
  async.await %t : !async.token
  return
}

func.func @ordered() {
  %c1 = arith.constant 1 : index
  %x = arith.constant 5 : i64
  %m = memref.alloca() : memref<4xi64>
  %t = async.execute {
    memref.store %x, %m[%c1] : memref<4xi64>
    async.yield
  }
  %u = async.execute [%t] {
    memref.store %x, %m[%c1] : memref<4xi64>
    async.yield
  }
  async.await %u : !async.token
  %y = memref.load %m[%c1] : memref<4xi64>
  vector.print %y : i64
  return
}
