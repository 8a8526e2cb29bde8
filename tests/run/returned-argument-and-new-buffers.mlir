// A call may return a copy of its argument, which is a buffer of an earlier iteration. What is written to the buffer that
// this iteration made is not lost.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline | freehold run - --dealloc=none | FileCheck %s
// RUN: freehold run %s --dealloc=hlo | FileCheck %s

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @choose(%c: i1, %m: memref<4xi64>, %n: memref<4xi64>) -> memref<4xi64> attributes {passthrough = ["noinline"]} {
  %r = arith.select %c, %m, %n : memref<4xi64>
  return %r : memref<4xi64>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %first = memref.alloc() : memref<4xi64>
  %seven = arith.constant 7 : i64
  memref.store %seven, %first[%c1] : memref<4xi64>
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%m = %first) -> (memref<4xi64>) {
    %even = arith.remui %i, %c4 : index
    %c = arith.cmpi eq, %even, %c0 : index
    %r = func.call @choose(%c, %m, %first) : (i1, memref<4xi64>, memref<4xi64>) -> memref<4xi64>
    %a = memref.load %r[%c1] : memref<4xi64>
    %new = memref.alloc() : memref<4xi64>
    %n = arith.index_cast %i : index to i64
    memref.store %n, %new[%c1] : memref<4xi64>
    %b = memref.load %r[%c1] : memref<4xi64>
    %sum = arith.addi %a, %b : i64
    func.call @printI64(%sum) : (i64) -> ()
    func.call @printNewline() : () -> ()
    scf.yield %new : memref<4xi64>
  }
  %x = memref.load %last[%c1] : memref<4xi64>
  func.call @printI64(%x) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
// CHECK: 14
// CHECK-NEXT: 14
// CHECK-NEXT: 14
// CHECK-NEXT: 14
// CHECK-NEXT: 3
