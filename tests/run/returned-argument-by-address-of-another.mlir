// Who calls a function by name that hands on what a call by address returned has a copy, too: a write through it that the
// program would have seen in the original is an error.
//
// RUN: not freehold run %s -e none 2>&1 | FileCheck %s
// RUN: freehold opt %s --verify-returned-buffers=borrowed-results=true --verify-diagnostics
//
// CHECK: error: 'memref.store' op writes through one of two names of a buffer that has to be copied

func.func private @same(%c: i1, %m: memref<4xi64>) -> memref<4xi64> {
  return %m : memref<4xi64>
}
func.func private @other(%c: i1, %m: memref<4xi64>) -> memref<4xi64> {
  %a = memref.alloc() : memref<4xi64>
  memref.copy %m, %a : memref<4xi64> to memref<4xi64>
  return %a : memref<4xi64>
}
func.func private @chosen(%c: i1, %m: memref<4xi64>) -> memref<4xi64> {
  %f = func.constant @same : (i1, memref<4xi64>) -> memref<4xi64>
  %g = func.constant @other : (i1, memref<4xi64>) -> memref<4xi64>
  %h = arith.select %c, %f, %g : (i1, memref<4xi64>) -> memref<4xi64>
  %r = func.call_indirect %h(%c, %m) : (i1, memref<4xi64>) -> memref<4xi64>
  return %r : memref<4xi64>
}
func.func private @handed_on(%c: i1, %m: memref<4xi64>) -> memref<4xi64> {
  %r = func.call @chosen(%c, %m) : (i1, memref<4xi64>) -> memref<4xi64>
  return %r : memref<4xi64>
}
func.func @none() {
  return
}
func.func @lost(%c: i1) -> i64 {
  %i = arith.constant 2 : index
  %nine = arith.constant 9 : i64
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%nine : i64) outs(%m : memref<4xi64>)
  // expected-note @+1 {{copied here}}
  %r = func.call @handed_on(%c, %m) : (i1, memref<4xi64>) -> memref<4xi64>
  // expected-error @+1 {{writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
  memref.store %nine, %r[%i] : memref<4xi64>
  // expected-note @+1 {{read here}}
  %v = memref.load %m[%i] : memref<4xi64>
  return %v : i64
}
// Nothing is lost.
func.func @read(%c: i1) -> i64 {
  %i = arith.constant 2 : index
  %nine = arith.constant 9 : i64
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%nine : i64) outs(%m : memref<4xi64>)
  %r = func.call @handed_on(%c, %m) : (i1, memref<4xi64>) -> memref<4xi64>
  %v = memref.load %r[%i] : memref<4xi64>
  return %v : i64
}
// What is called by address is not what is returned.
func.func private @own(%c: i1, %m: memref<4xi64>, %n: memref<4xi64>) -> memref<4xi64> {
  %r = func.call @chosen(%c, %n) : (i1, memref<4xi64>) -> memref<4xi64>
  %i = arith.constant 2 : index
  %v = memref.load %r[%i] : memref<4xi64>
  memref.store %v, %m[%i] : memref<4xi64>
  return %m : memref<4xi64>
}
func.func @kept(%c: i1) -> i64 {
  %i = arith.constant 2 : index
  %nine = arith.constant 9 : i64
  %m = memref.alloc() : memref<4xi64>
  %n = memref.alloc() : memref<4xi64>
  linalg.fill ins(%nine : i64) outs(%m : memref<4xi64>)
  linalg.fill ins(%nine : i64) outs(%n : memref<4xi64>)
  %r = func.call @own(%c, %m, %n) : (i1, memref<4xi64>, memref<4xi64>) -> memref<4xi64>
  memref.store %nine, %r[%i] : memref<4xi64>
  %v = memref.load %m[%i] : memref<4xi64>
  return %v : i64
}
// The next iteration has the copy.
func.func @carried(%c: i1, %n: index) -> i64 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nine = arith.constant 9 : i64
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%nine : i64) outs(%m : memref<4xi64>)
  %f = func.constant @same : (i1, memref<4xi64>) -> memref<4xi64>
  %l = scf.for %i = %zero to %n step %one iter_args(%x = %m) -> memref<4xi64> {
    // expected-note @+1 {{copied here}}
    %r = func.call_indirect %f(%c, %x) : (i1, memref<4xi64>) -> memref<4xi64>
    // expected-error @+1 {{writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
    memref.store %nine, %x[%i] : memref<4xi64>
    scf.yield %r : memref<4xi64>
  }
  // expected-note @+1 {{read here}}
  %v = memref.load %m[%zero] : memref<4xi64>
  return %v : i64
}
// Only the copy is used.
func.func @carried_alone(%c: i1, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nine = arith.constant 9 : i64
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%nine : i64) outs(%m : memref<4xi64>)
  %f = func.constant @same : (i1, memref<4xi64>) -> memref<4xi64>
  %l = scf.for %i = %zero to %n step %one iter_args(%x = %m) -> memref<4xi64> {
    %r = func.call_indirect %f(%c, %x) : (i1, memref<4xi64>) -> memref<4xi64>
    %v = memref.load %r[%i] : memref<4xi64>
    %w = arith.addi %v, %nine : i64
    memref.store %w, %r[%i] : memref<4xi64>
    scf.yield %r : memref<4xi64>
  }
  return
}
