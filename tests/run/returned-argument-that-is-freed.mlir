// Who frees itself what a call returned has a copy of what the call did not own: a write through it that the program
// would have seen in the original is an error.
//
// RUN: not freehold run %s -e none 2>&1 | FileCheck %s
// RUN: not freehold run %s -e none --dealloc=hlo 2>&1 | FileCheck %s
// RUN: freehold opt %s --verify-returned-buffers=borrowed-results=true --verify-diagnostics
//
// CHECK: error: 'memref.store' op writes through one of two names of a buffer that has to be copied

func.func private @same(%c: i1, %m: memref<4xi64>) -> memref<4xi64> {
  %a = memref.alloc() : memref<4xi64>
  %s = arith.select %c, %m, %a : memref<4xi64>
  return %s : memref<4xi64>
}
func.func @result(%c: i1) -> i64 {
  %i = arith.constant 2 : index
  %nine = arith.constant 9 : i64
  %m = memref.alloc() : memref<4xi64>
  // expected-note @+1 {{copied here}}
  %r = func.call @same(%c, %m) : (i1, memref<4xi64>) -> memref<4xi64>
  // expected-error @+1 {{writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
  memref.store %nine, %r[%i] : memref<4xi64>
  // expected-note @+1 {{read here}}
  %v = memref.load %m[%i] : memref<4xi64>
  memref.dealloc %r : memref<4xi64>
  return %v : i64
}
// So it is with who frees what it passed.
func.func private @passed(%c: i1, %m: memref<4xi64>) -> memref<4xi64> {
  %a = memref.alloc() : memref<4xi64>
  %s = arith.select %c, %m, %a : memref<4xi64>
  return %s : memref<4xi64>
}
func.func @argument(%c: i1) -> i64 {
  %i = arith.constant 2 : index
  %nine = arith.constant 9 : i64
  %m = memref.alloc() : memref<4xi64>
  // expected-note @+1 {{copied here}}
  %r = func.call @passed(%c, %m) : (i1, memref<4xi64>) -> memref<4xi64>
  // expected-error @+1 {{writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
  memref.store %nine, %r[%i] : memref<4xi64>
  // expected-note @+1 {{read here}}
  %v = memref.load %m[%i] : memref<4xi64>
  memref.dealloc %m : memref<4xi64>
  return %v : i64
}
// Another function says who owns what it returns, and whoever frees buffers of its own only has no copy.
func.func private @told(%c: i1, %m: memref<4xi64>) -> memref<4xi64> {
  %a = memref.alloc() : memref<4xi64>
  %s = arith.select %c, %m, %a : memref<4xi64>
  return %s : memref<4xi64>
}
func.func @others(%c: i1) -> i64 {
  %i = arith.constant 2 : index
  %nine = arith.constant 9 : i64
  %m = memref.alloc() : memref<4xi64>
  %r = func.call @told(%c, %m) : (i1, memref<4xi64>) -> memref<4xi64>
  memref.store %nine, %r[%i] : memref<4xi64>
  %v = memref.load %m[%i] : memref<4xi64>
  %own = memref.alloc() : memref<4xi64>
  memref.dealloc %own : memref<4xi64>
  return %v : i64
}
