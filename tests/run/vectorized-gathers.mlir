// Loops that gather compute what they computed one by one, at the ends of tables and of loops as well.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s --vector-bits=128 | FileCheck %s
// RUN: freehold run %s --vector-bits=256 | FileCheck %s

// CHECK: 4950
// CHECK: -2
// CHECK: 14850
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c99 = arith.constant 99 : index
  %c100 = arith.constant 100 : index
  %c7 = arith.constant 7 : i32
  %minus = arith.constant -150 : i32
  %f = arith.constant 0.0 : f32
  %zero = arith.constant 0 : i64
  %table = memref.alloc() : memref<100xf32>
  %places = memref.alloc() : memref<100xi32>
  %wide = memref.alloc() : memref<100x3xi64>
  %out = memref.alloc() : memref<100xf32>
  %sums = memref.alloc() : memref<100xi64>
  // A permutation of all places, and rows of three.
  scf.for %i = %c0 to %c100 step %c1 {
    %n = arith.index_cast %i : index to i32
    %x = arith.sitofp %n : i32 to f32
    memref.store %x, %table[%i] : memref<100xf32>
    %k = arith.muli %i, %c3 : index
    %r = arith.remui %k, %c100 : index
    %p = arith.index_cast %r : index to i32
    memref.store %p, %places[%i] : memref<100xi32>
    scf.for %j = %c0 to %c3 step %c1 {
      %t = arith.addi %k, %j : index
      %w = arith.index_cast %t : index to i64
      memref.store %w, %wide[%i, %j] : memref<100x3xi64>
    }
  }
  scf.for %i = %c0 to %c100 step %c1 {
    %p = memref.load %places[%i] : memref<100xi32>
    %k = arith.index_cast %p : i32 to index
    %x = memref.load %table[%k] : memref<100xf32>
    memref.store %x, %out[%i] : memref<100xf32>
  }
  %a = scf.for %i = %c0 to %c100 step %c1 iter_args(%s = %f) -> (f32) {
    %x = memref.load %out[%i] : memref<100xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  vector.print %a : f32
  // Clamped at both ends: seven times the place, less 150.
  scf.for %i = %c0 to %c100 step %c1 {
    %p = memref.load %places[%i] : memref<100xi32>
    %q = arith.muli %p, %c7 : i32
    %r = arith.addi %q, %minus : i32
    %k = arith.index_cast %r : i32 to index
    %low = arith.maxsi %k, %c0 : index
    %last = arith.minsi %low, %c99 : index
    %x = memref.load %table[%last] : memref<100xf32>
    %y = memref.load %table[%i] : memref<100xf32>
    %z = arith.subf %x, %y : f32
    memref.store %z, %out[%i] : memref<100xf32>
  }
  %b = memref.load %out[%c2] : memref<100xf32>
  vector.print %b : f32
  // Each row at the column that its place has modulo 3: rows and columns in lanes, elements of 64 bits.
  scf.for %i = %c0 to %c100 step %c1 {
    %p = memref.load %places[%i] : memref<100xi32>
    %two = arith.constant 1 : i32
    %r = arith.andi %p, %two : i32
    %k = arith.index_cast %r : i32 to index
    %x = memref.load %wide[%i, %k] : memref<100x3xi64>
    %w = arith.extsi %r : i32 to i64
    %y = arith.subi %x, %w : i64
    memref.store %y, %sums[%i] : memref<100xi64>
  }
  %c = scf.for %i = %c0 to %c100 step %c1 iter_args(%s = %zero) -> (i64) {
    %x = memref.load %sums[%i] : memref<100xi64>
    %t = arith.addi %s, %x : i64
    scf.yield %t : i64
  }
  vector.print %c : i64
  memref.dealloc %table : memref<100xf32>
  memref.dealloc %places : memref<100xi32>
  memref.dealloc %wide : memref<100x3xi64>
  memref.dealloc %out : memref<100xf32>
  memref.dealloc %sums : memref<100xi64>
  return
}
