// Buffers in nested parallel loops: each iteration has its own, whatever is merged.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --merge-alloc --check=accesses | FileCheck %s
// RUN: freehold run %s --merge-alloc=always --check=accesses | FileCheck %s
// RUN: freehold run %s --merge-alloc=always -O0 | FileCheck %s
// RUN: freehold run %s --merge-alloc --threads=4 --check | FileCheck %s
// RUN: freehold run %s --merge-alloc=always --threads=4 --check | FileCheck %s
// RUN: freehold run %s --merge-alloc=always --threads=4 | FileCheck %s

func.func private @printI64(i64)
func.func private @printNewline()

func.func @print_sum(%m: memref<16x4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %c16 step %c1 iter_args(%outer = %zero) -> (i64) {
    %row = scf.for %j = %c0 to %c4 step %c1 iter_args(%s = %outer) -> (i64) {
      %x = memref.load %m[%i, %j] : memref<16x4xi64>
      %t = arith.addi %s, %x : i64
      scf.yield %t : i64
    }
    scf.yield %row : i64
  }
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// A sequential loop between parallel ones: sum over i < 16, j < 4 of 2 (10 i + j) + 1.
// CHECK: 9856
func.func @loop_between(%out: memref<16x4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  scf.forall (%i) in (16) {
    scf.for %l = %c0 to %c2 step %c1 {
      scf.forall (%j) in (4) {
        %b = memref.alloc() : memref<2xi64>
        %i10 = arith.muli %i, %c10 : index
        %ij = arith.addi %i10, %j : index
        scf.forall (%k) in (2) {
          %v = arith.addi %ij, %k : index
          %x = arith.index_cast %v : index to i64
          memref.store %x, %b[%k] : memref<2xi64>
        }
        %x0 = memref.load %b[%c0] : memref<2xi64>
        %x1 = memref.load %b[%c1] : memref<2xi64>
        %x = arith.addi %x0, %x1 : i64
        memref.store %x, %out[%i, %j] : memref<16x4xi64>
      }
    }
  }
  call @print_sum(%out) : (memref<16x4xi64>) -> ()
  return
}

// Two buffers one after the other, of different sizes, in sibling loops whose iterations may meet; and
// one of the function, used in a loop in between.
// CHECK: 5632
func.func @siblings(%out: memref<16x4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %seven = arith.constant 7 : i64
  %f = memref.alloc() : memref<4xi64>
  linalg.fill ins(%seven : i64) outs(%f : memref<4xi64>)
  scf.forall (%i) in (16) {
    %a = memref.alloc() : memref<2xi64>
    %x = arith.index_cast %i : index to i64
    scf.forall (%k) in (2) {
      memref.store %x, %a[%k] : memref<2xi64>
    }
    %a1 = memref.load %a[%c1] : memref<2xi64>
    %b = memref.alloc() : memref<4xi64>
    scf.forall (%j) in (4) {
      %y = memref.load %f[%j] : memref<4xi64>
      %z = arith.muli %y, %a1 : i64
      memref.store %z, %b[%j] : memref<4xi64>
    }
    %c = memref.alloc() : memref<4xi64>
    memref.copy %b, %c : memref<4xi64> to memref<4xi64>
    scf.forall (%j) in (4) {
      %y = memref.load %c[%j] : memref<4xi64>
      %n = memref.load %f[%c3] : memref<4xi64>
      %z = arith.addi %y, %n : i64
      %w = arith.addi %z, %a1 : i64
      %v = arith.addi %w, %seven : i64
      %u = arith.addi %v, %seven : i64
      %t = arith.addi %u, %n : i64
      memref.store %t, %out[%i, %j] : memref<16x4xi64>
    }
  }
  call @print_sum(%out) : (memref<16x4xi64>) -> ()
  return
}

// The same with scf.parallel, sizes of run time, and elementwise operations.
// CHECK: 3840
func.func @run_time(%out: memref<16x4xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  scf.parallel (%i) = (%c0) to (%c16) step (%c1) {
    %x = arith.index_cast %i : index to i64
    %a = memref.alloc(%n) : memref<?xi64>
    linalg.fill ins(%x : i64) outs(%a : memref<?xi64>)
    %b = memref.alloc(%n) : memref<?xi64>
    linalg.add ins(%a, %a : memref<?xi64>, memref<?xi64>) outs(%b : memref<?xi64>)
    %n2 = arith.addi %n, %n : index
    %c = memref.alloc(%n) : memref<2x?xi64>
    linalg.fill ins(%x : i64) outs(%c : memref<2x?xi64>)
    %d = memref.alloc(%n) : memref<?xi64>
    linalg.add ins(%b, %b : memref<?xi64>, memref<?xi64>) outs(%d : memref<?xi64>)
    scf.for %j = %c0 to %c4 step %c1 {
      %y = memref.load %d[%j] : memref<?xi64>
      %z = memref.load %c[%c1, %j] : memref<2x?xi64>
      %w = memref.load %c[%c0, %j] : memref<2x?xi64>
      %s = arith.addi %y, %z : i64
      %t = arith.addi %s, %w : i64
      %q = memref.load %b[%j] : memref<?xi64>
      %r = arith.addi %t, %q : i64
      memref.store %r, %out[%i, %j] : memref<16x4xi64>
    }
  }
  call @print_sum(%out) : (memref<16x4xi64>) -> ()
  return
}

// A loop with bounds of run time between two with constant ones, all parallel.
// CHECK: 4832
func.func @run_time_between(%out: memref<16x4xi64>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.forall (%i) in (16) {
    scf.forall (%m) in (%n) {
      scf.forall (%j) in (1) {
        %b = memref.alloc() : memref<2xi64>
        %i10 = arith.muli %i, %c10 : index
        %im = arith.addi %i10, %m : index
        scf.forall (%k) in (2) {
          %v = arith.subi %im, %k : index
          %x = arith.index_cast %v : index to i64
          memref.store %x, %b[%k] : memref<2xi64>
        }
        %x1 = memref.load %b[%c1] : memref<2xi64>
        %a = memref.alloc() : memref<4xi64>
        linalg.fill ins(%x1 : i64) outs(%a : memref<4xi64>)
        %x = memref.load %a[%m] : memref<4xi64>
        memref.store %x, %out[%i, %m] : memref<16x4xi64>
      }
    }
  }
  call @print_sum(%out) : (memref<16x4xi64>) -> ()
  return
}

func.func @main() {
  %n = arith.constant 4 : index
  %out = memref.alloc() : memref<16x4xi64>
  call @loop_between(%out) : (memref<16x4xi64>) -> ()
  call @siblings(%out) : (memref<16x4xi64>) -> ()
  call @run_time(%out, %n) : (memref<16x4xi64>, index) -> ()
  call @run_time_between(%out, %n) : (memref<16x4xi64>, index) -> ()
  return
}
