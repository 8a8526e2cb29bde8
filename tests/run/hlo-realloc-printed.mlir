// The printed pipeline frees what `run --dealloc=hlo` frees: reallocations are expanded first in both.

// RUN: freehold run %s --dealloc=hlo --check=accesses | FileCheck %s
// RUN: freehold opt %s --hlo-deallocation-pipeline | freehold run - --dealloc=none --check=accesses | FileCheck %s

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @grow(%c: i1, %n: index, %i: index) -> i64 attributes {no_inline} {
  %c2 = arith.constant 2 : index
  %v = arith.constant 42 : i64
  %a = memref.alloc(%c2) : memref<?xi64>
  linalg.fill ins(%v : i64) outs(%a : memref<?xi64>)
  %r = scf.if %c -> memref<?xi64> {
    %0 = memref.realloc %a(%n) : memref<?xi64> to memref<?xi64>
    scf.yield %0 : memref<?xi64>
  } else {
    scf.yield %a : memref<?xi64>
  }
  %x = memref.load %a[%i] : memref<?xi64>
  %y = memref.load %r[%i] : memref<?xi64>
  %s = arith.addi %x, %y : i64
  return %s : i64
}

// CHECK:      84
// CHECK-NEXT: 84
func.func @main() {
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000 : index
  %t = arith.constant true
  %f = arith.constant false
  %a = call @grow(%t, %n, %c1) : (i1, index, index) -> i64
  call @printI64(%a) : (i64) -> ()
  call @printNewline() : () -> ()
  %b = call @grow(%f, %n, %c1) : (i1, index, index) -> i64
  call @printI64(%b) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
