// Subscripts and places with sizes that are numbers, and loops that compare without a sign.

// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s --check=accesses | FileCheck %s
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s
// RUN: freehold run %s --dealloc=clone --check | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline --lower-affine --convert-scf-to-cf | freehold run - --dealloc=none --check | FileCheck %s

func.func private @printI64(i64)
func.func private @printNewline()
func.func private @opaque(%a: index, %b: index) -> (index, index) attributes {no_inline} {
  return %a, %b : index, index
}
func.func @main() {
  // CHECK: 2
  // CHECK-NEXT: 2
  // CHECK-NEXT: 3
  // CHECK-NEXT: 7
  // CHECK-NEXT: 4
  // CHECK-NEXT: 53
  // CHECK-NEXT: 126
  // CHECK-NEXT: 128
  // CHECK-NEXT: 130
  // CHECK-NEXT: 384
  // CHECK-NEXT: 768
  // CHECK-NEXT: 2
  // CHECK-NEXT: 1
  // CHECK-NEXT: 2

  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = arith.constant 53 : index
  %0:3 = affine.delinearize_index %n into (9, %c4, 5) : index, index, index
  %1:2 = affine.delinearize_index %n into (7) : index, index
  %2 = affine.linearize_index disjoint [%0#0, %0#1, %0#2] by (%c4, 5) : index
  %all:6 = scf.execute_region -> (index, index, index, index, index, index) {
    scf.yield %0#0, %0#1, %0#2, %1#0, %1#1, %2 : index, index, index, index, index, index
  }
  %p0 = arith.index_cast %all#0 : index to i64
  call @printI64(%p0) : (i64) -> ()
  call @printNewline() : () -> ()
  %p1 = arith.index_cast %all#1 : index to i64
  call @printI64(%p1) : (i64) -> ()
  call @printNewline() : () -> ()
  %p2 = arith.index_cast %all#2 : index to i64
  call @printI64(%p2) : (i64) -> ()
  call @printNewline() : () -> ()
  %p3 = arith.index_cast %all#3 : index to i64
  call @printI64(%p3) : (i64) -> ()
  call @printNewline() : () -> ()
  %p4 = arith.index_cast %all#4 : index to i64
  call @printI64(%p4) : (i64) -> ()
  call @printNewline() : () -> ()
  %p5 = arith.index_cast %all#5 : index to i64
  call @printI64(%p5) : (i64) -> ()
  call @printNewline() : () -> ()
  // From 126 to 131 as numbers without a sign.
  %from = arith.constant 126 : i8
  %to = arith.constant -125 : i8
  %step = arith.constant 2 : i8
  %sum = arith.constant 0 : i64
  %t = scf.for unsigned %i = %from to %to step %step iter_args(%s = %sum) -> (i64) : i8 {
    %x = arith.extui %i : i8 to i64
    func.call @printI64(%x) : (i64) -> ()
    func.call @printNewline() : () -> ()
    %r = arith.addi %s, %x : i64
    scf.yield %r : i64
  }
  call @printI64(%t) : (i64) -> ()
  call @printNewline() : () -> ()
  %b = memref.alloc() : memref<4xi64>
  scf.for unsigned %i = %c0 to %c4 step %c1 {
    memref.store %t, %b[%i] : memref<4xi64>
  }
  linalg.map ins(%b : memref<4xi64>) outs(%b : memref<4xi64>)
    (%in: i64, %out: i64) {
      %twice = arith.addi %in, %out : i64
      linalg.yield %twice : i64
    }
  %y = memref.load %b[%c1] : memref<4xi64>
  call @printI64(%y) : (i64) -> ()
  call @printNewline() : () -> ()
  // Sizes of run time, and none for the outermost subscript.
  %n47 = arith.constant 47 : index
  %c5 = arith.constant 5 : index
  %inner:2 = call @opaque(%c4, %c5) : (index, index) -> (index, index)
  %3:3 = affine.delinearize_index %n47 into (%inner#0, %inner#1) : index, index, index
  %q0 = arith.index_cast %3#0 : index to i64
  call @printI64(%q0) : (i64) -> ()
  call @printNewline() : () -> ()
  %q1 = arith.index_cast %3#1 : index to i64
  call @printI64(%q1) : (i64) -> ()
  call @printNewline() : () -> ()
  %q2 = arith.index_cast %3#2 : index to i64
  call @printI64(%q2) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
