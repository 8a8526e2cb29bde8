// RUN: not freehold interpret %s -e zero --input=i32=7 --input=i32=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not freehold interpret %s -e zero --input=i32=-2147483648 --input=i32=-1 2>&1 | FileCheck %s --check-prefix=LEAST
// RUN: freehold interpret %s -e zero --input=i32=-7 --input=i32=2 | FileCheck %s --check-prefix=SEVEN
// RUN: not freehold interpret %s -e shift --input=i32=32 2>&1 | FileCheck %s --check-prefix=SHIFT
// RUN: not freehold interpret %s -e nsw --input=i8=100 2>&1 | FileCheck %s --check-prefix=NSW
// RUN: freehold interpret %s -e unused --input=i8=100 | FileCheck %s --check-prefix=UNUSED
// RUN: not freehold interpret %s -e assertion 2>&1 | FileCheck %s --check-prefix=ASSERT
// RUN: freehold run --interpret %s -e halves --input=f16=0.1 | FileCheck %s --check-prefix=HALVES
// RUN: freehold interpret %s -e scans | FileCheck %s --check-prefix=SCAN
// RUN: not freehold interpret %s -e rank 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not freehold interpret %s -e endless --max-steps=1000 2>&1 | FileCheck %s --check-prefix=ENDLESS
// RUN: not freehold interpret %s -e deep 2>&1 | FileCheck %s --check-prefix=DEEP
// RUN: not freehold interpret %s -e large --max-memory=1000 2>&1 | FileCheck %s --check-prefix=LARGE

// ZERO: numbers.mlir:[[@LINE+4]]:{{[0-9]+}}: error: undefined behaviour: division by zero: 7 / 0
// LEAST: error: undefined behaviour: overflow of a signed division: -2147483648 / -1
// SEVEN: result #0: i32 = -3
func.func @zero(%a: i32, %b: i32) -> i32 {
  %q = arith.divsi %a, %b : i32
  return %q : i32
}

// A shift past the width is poison, which a result may not be.
// SHIFT: error: undefined behaviour: result #0 is poison
// SHIFT: numbers.mlir:[[@LINE+2]]:{{[0-9]+}}: note: shift of 32 bits by 32
func.func @shift(%n: i32) -> i32 {
  %x = arith.shli %n, %n : i32
  return %x : i32
}

// NSW: error: undefined behaviour: an index is poison
// NSW: note: signed overflow of nsw: 100 + 100 in 8 bits
func.func @nsw(%n: i8) -> i8 {
  %x = arith.addi %n, %n overflow<nsw> : i8
  %i = arith.index_cast %x : i8 to index
  %m = memref.alloc() : memref<400xi8>
  %y = memref.load %m[%i] : memref<400xi8>
  return %y : i8
}

// Poison that nothing looks at does not matter.
// UNUSED: result #0: i8 = 100
func.func @unused(%n: i8) -> i8 {
  %false = arith.constant false
  %x = arith.addi %n, %n overflow<nsw> : i8
  %y = arith.select %false, %x, %n : i8
  return %y : i8
}

// ASSERT: numbers.mlir:[[@LINE+3]]:{{[0-9]+}}: error: assertion failed: it is not
func.func @assertion() {
  %false = arith.constant false
  cf.assert %false, "it is not"
  return
}

// Each operation rounds once.
// HALVES: result #0: f16 = 0.009995
func.func @halves(%x: f16) -> f16 {
  %y = arith.mulf %x, %x : f16
  return %y : f16
}

// ENDLESS: error: more than 1000 operations
func.func @endless() {
  cf.br ^again
^again:
  cf.br ^again
}

// DEEP: error: calls and regions are nested too deeply
func.func @deep() {
  func.call @deep() : () -> ()
  return
}

// LARGE: error: allocation of 4000 bytes: more than 1000 bytes at the same time
func.func @large() {
  %m = memref.alloc() : memref<1000xi32>
  return
}

// An inclusive scan begins with the first element alone; the second result is the last slice of the first.
// SCAN: {{\[\[}}10, 11, 13, 16]]
// SCAN: result #1: 1xi32 = [16]
// SCAN: {{\[\[}}1, 3, 6, 10]]
// SCAN: result #3: 1xi32 = [10]
func.func @scans() -> (vector<1x4xi32>, vector<1xi32>, vector<1x4xi32>, vector<1xi32>) {
  %v = arith.constant dense<[[1, 2, 3, 4]]> : vector<1x4xi32>
  %i = arith.constant dense<10> : vector<1xi32>
  %e:2 = vector.scan <add>, %v, %i {inclusive = false, reduction_dim = 1 : i64} : vector<1x4xi32>, vector<1xi32>
  %n:2 = vector.scan <add>, %v, %i {inclusive = true, reduction_dim = 1 : i64} : vector<1x4xi32>, vector<1xi32>
  return %e#0, %e#1, %n#0, %n#1 : vector<1x4xi32>, vector<1xi32>, vector<1x4xi32>, vector<1xi32>
}

// RANK: error: undefined behaviour: result #0 is poison
// RANK: note: a memref of rank 1 becomes one of rank 2
func.func @rank() -> memref<?x4xf32> {
  %m = memref.alloc() : memref<1xf32>
  %u = memref.cast %m : memref<1xf32> to memref<*xf32>
  %r = memref.cast %u : memref<*xf32> to memref<?x4xf32>
  return %r : memref<?x4xf32>
}
