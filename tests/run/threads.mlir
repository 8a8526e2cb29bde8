// Parallel loops on several threads compute what they compute on one.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --threads=4 | FileCheck %s
// RUN: freehold run %s --threads=3 -O0 | FileCheck %s
// RUN: freehold run %s --threads=4 --check=accesses | FileCheck %s
// RUN: freehold run %s --threads=4 --merge-alloc=never --stats=json 2>&1 | FileCheck %s --check-prefixes=CHECK,STATS
// RUN: freehold run %s --threads=4 -g | FileCheck %s
//
// RUN: not freehold run %s --threads=0 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: invalid value '0' for '--threads <THREADS>': expected an integer from 1 to 1024, or auto

func.func private @printI64(i64)
func.func private @printNewline()

// Every thread works on buffers of its own as well.
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %n = arith.constant 1000 : index
  %squares = memref.alloc(%n) : memref<?xi64>
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %own = memref.alloc() : memref<200xindex>
    affine.for %j = 0 to 4 {
      memref.store %i, %own[%j] : memref<200xindex>
    }
    %a = memref.load %own[%c0] : memref<200xindex>
    %b = memref.load %own[%c3] : memref<200xindex>
    %square = arith.muli %a, %b : index
    %value = arith.index_cast %square : index to i64
    memref.store %value, %squares[%i] : memref<?xi64>
  }
  // CHECK: 332833500
  call @sum(%squares) : (memref<?xi64>) -> ()

  // Steps, several dimensions, and a range that is not a multiple of the step.
  %grid = memref.alloc() : memref<40x30xi64>
  %zero = arith.constant 0 : i64
  linalg.fill ins(%zero : i64) outs(%grid : memref<40x30xi64>)
  %c40 = arith.constant 40 : index
  %c30 = arith.constant 30 : index
  scf.parallel (%i, %j) = (%c1, %c0) to (%c40, %c30) step (%c7, %c3) {
    %sum = arith.addi %i, %j : index
    %value = arith.index_cast %sum : index to i64
    memref.store %value, %grid[%i, %j] : memref<40x30xi64>
  }
  %flat = memref.collapse_shape %grid [[0, 1]] : memref<40x30xi64> into memref<1200xi64>
  %any = memref.cast %flat : memref<1200xi64> to memref<?xi64>
  // CHECK-NEXT: 1920
  call @sum(%any) : (memref<?xi64>) -> ()

  // Loops in loops, and loops of other dialects.
  %table = memref.alloc(%n) : memref<?xi64>
  scf.forall (%i) in (10) {
    affine.parallel (%j) = (0) to (100) {
      %at = affine.apply affine_map<(i, j) -> (i * 100 + j)>(%i, %j)
      %value = arith.index_cast %at : index to i64
      memref.store %value, %table[%at] : memref<?xi64>
    }
  }
  // CHECK-NEXT: 499500
  call @sum(%table) : (memref<?xi64>) -> ()

  // Nothing to do.
  scf.parallel (%i) = (%n) to (%c0) step (%c1) {
    memref.store %zero, %table[%i] : memref<?xi64>
  }
  affine.parallel (%i) = (0) to (1000) {
    %x = affine.load %table[%i] : memref<?xi64>
    %y = arith.addi %x, %x : i64
    affine.store %y, %table[%i] : memref<?xi64>
  }
  // CHECK-NEXT: 999000
  // STATS-NEXT: "allocs": 1003, "frees": 1003
  call @sum(%table) : (memref<?xi64>) -> ()
  return
}

func.func @sum(%m: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %n = memref.dim %m, %c0 : memref<?xi64>
  %sum = scf.parallel (%i) = (%c0) to (%n) step (%c1) init (%zero) -> i64 {
    %x = memref.load %m[%i] : memref<?xi64>
    scf.reduce(%x : i64) {
    ^bb0(%a: i64, %b: i64):
      %c = arith.addi %a, %b : i64
      scf.reduce.return %c : i64
    }
  }
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
