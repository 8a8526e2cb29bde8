// Iterations of parallel loops free what calls with several results return: each has arrays of its own for the deallocs,
// whichever lowering makes them.

// RUN: freehold run %s --threads=2 --dealloc-lowering=generic | FileCheck %s
// RUN: freehold run %s --threads=7 --dealloc-lowering=generic -O0 --check | FileCheck %s
// RUN: freehold run %s --threads=2 --dealloc-lowering=runtime -O1 --check | FileCheck %s
// RUN: freehold run %s --threads=7 --dealloc-lowering=runtime -O3 | FileCheck %s
// RUN: freehold run %s --threads=7 --dealloc-lowering=specialized --check | FileCheck %s
// RUN: freehold run %s --threads=2 --check | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=lowering=generic | freehold run - --dealloc=hlo --check | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=lowering=generic | FileCheck %s --check-prefix=BODY
// RUN: freehold opt %s --buffer-deallocation-pipeline=lowering=runtime | FileCheck %s --check-prefix=BODY

// CHECK: 59525550
// CHECK-NEXT: 59525550
// CHECK-NEXT: 59525550

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @six(%v: i64, %t: i1) -> (memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>) attributes {no_inline} {
  %a = memref.alloc() : memref<8xi64>
  %b = memref.alloc() : memref<8xi64>
  linalg.fill ins(%v : i64) outs(%a : memref<8xi64>)
  linalg.fill ins(%v : i64) outs(%b : memref<8xi64>)
  return %a, %b, %a, %b, %b, %a : memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>
}

// BODY-LABEL: func.func @parallel
// BODY-NOT:     memref.alloca
// BODY:         scf.parallel
// BODY:           memref.alloca
func.func @parallel(%n: index, %out: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.parallel (%i) = (%c0) to (%n) step (%c1) {
    %v = arith.index_cast %i : index to i64
    %r = arith.remui %i, %c3 : index
    %t = arith.cmpi eq, %r, %c0 : index
    %s:6 = func.call @six(%v, %t) : (i64, i1) -> (memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>)
    %x = memref.load %s#0[%c1] : memref<8xi64>
    %y = memref.load %s#1[%c1] : memref<8xi64>
    %z = memref.load %s#4[%c1] : memref<8xi64>
    %xy = arith.addi %x, %y : i64
    %xyz = arith.addi %xy, %z : i64
    memref.store %xyz, %out[%i] : memref<?xi64>
    scf.reduce
  }
  return
}

// BODY-LABEL: func.func @forall
// BODY-NOT:     memref.alloca
// BODY:         scf.forall
// BODY:           memref.alloca
func.func @forall(%n: index, %out: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.forall (%i) in (%n) {
    %v = arith.index_cast %i : index to i64
    %r = arith.remui %i, %c3 : index
    %t = arith.cmpi eq, %r, %c0 : index
    %s:6 = func.call @six(%v, %t) : (i64, i1) -> (memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>)
    %x = memref.load %s#0[%c1] : memref<8xi64>
    %y = memref.load %s#1[%c1] : memref<8xi64>
    %z = memref.load %s#4[%c1] : memref<8xi64>
    %xy = arith.addi %x, %y : i64
    %xyz = arith.addi %xy, %z : i64
    memref.store %xyz, %out[%i] : memref<?xi64>
  }
  return
}

// BODY-LABEL: func.func @affine
// BODY-NOT:     memref.alloca
// BODY:         affine.parallel
// BODY:           memref.alloca
func.func @affine(%n: index, %out: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  affine.parallel (%i) = (0) to (symbol(%n)) {
    %v = arith.index_cast %i : index to i64
    %r = arith.remui %i, %c3 : index
    %t = arith.cmpi eq, %r, %c0 : index
    %s:6 = func.call @six(%v, %t) : (i64, i1) -> (memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>, memref<8xi64>)
    %x = memref.load %s#0[%c1] : memref<8xi64>
    %y = memref.load %s#1[%c1] : memref<8xi64>
    %z = memref.load %s#4[%c1] : memref<8xi64>
    %xy = arith.addi %x, %y : i64
    %xyz = arith.addi %xy, %z : i64
    memref.store %xyz, %out[%i] : memref<?xi64>
  }
  return
}

func.func @total(%n: index, %out: memref<?xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i64 {
    %v = memref.load %out[%i] : memref<?xi64>
    %w = arith.addi %s, %v : i64
    scf.yield %w : i64
  }
  call @printI64(%sum) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %n = arith.constant 6300 : index
  %out = memref.alloc(%n) : memref<?xi64>
  call @parallel(%n, %out) : (index, memref<?xi64>) -> ()
  call @total(%n, %out) : (index, memref<?xi64>) -> ()
  call @forall(%n, %out) : (index, memref<?xi64>) -> ()
  call @total(%n, %out) : (index, memref<?xi64>) -> ()
  call @affine(%n, %out) : (index, memref<?xi64>) -> ()
  call @total(%n, %out) : (index, memref<?xi64>) -> ()
  return
}
