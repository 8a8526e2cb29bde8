// Writes to what a function returns of its argument, or of a global, in some cases only or through recursion.
//
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s -O0 --check | FileCheck %s
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s
// RUN: freehold run %s --private-function-dynamic-ownership --check | FileCheck %s
// RUN: freehold interpret %s | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=borrowed-results=true | freehold run --dealloc=none --check - | FileCheck %s
// RUN: freehold opt %s --pass-pipeline='builtin.module(buffer-deallocation-pipeline{borrowed-results=true},verify-ownership)'
//
// CHECK: 9
// CHECK-NEXT: 9
// CHECK-NEXT: 3
// CHECK-NEXT: 9
// CHECK-NEXT: 9
// CHECK-NEXT: 9

func.func private @printI64(i64)
func.func private @printNewline()
memref.global @numbers : memref<4xi64> = dense<3>

// Always its argument, after some calls of itself.
func.func private @down(%m: memref<4xi64>, %n: i64) -> memref<4xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %is_last = arith.cmpi eq, %n, %zero : i64
  %r = scf.if %is_last -> memref<4xi64> {
    scf.yield %m : memref<4xi64>
  } else {
    %less = arith.subi %n, %one : i64
    %q = func.call @down(%m, %less) : (memref<4xi64>, i64) -> memref<4xi64>
    scf.yield %q : memref<4xi64>
  }
  return %r : memref<4xi64>
}

// Its argument, or a new buffer; others may call it.
func.func @maybe(%m: memref<4xi64>, %is_new: i1) -> memref<4xi64> attributes {no_inline} {
  cf.cond_br %is_new, ^new, ^old
^new:
  %a = memref.alloc() : memref<4xi64>
  memref.copy %m, %a : memref<4xi64> to memref<4xi64>
  return %a : memref<4xi64>
^old:
  return %m : memref<4xi64>
}

// Functions that call each other, and may return a buffer of either.
func.func @even(%m: memref<4xi64>, %n: i64) -> memref<4xi64> {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %is_last = arith.cmpi eq, %n, %zero : i64
  cf.cond_br %is_last, ^last, ^more
^last:
  return %m : memref<4xi64>
^more:
  %less = arith.subi %n, %one : i64
  %q = call @odd(%m, %less) : (memref<4xi64>, i64) -> memref<4xi64>
  return %q : memref<4xi64>
}
func.func @odd(%m: memref<4xi64>, %n: i64) -> memref<4xi64> {
  %two = arith.constant 2 : i64
  %one = arith.constant 1 : i64
  %is_new = arith.cmpi sgt, %n, %two : i64
  %b = func.call @maybe(%m, %is_new) : (memref<4xi64>, i1) -> memref<4xi64>
  %less = arith.subi %n, %one : i64
  %q = call @even(%b, %less) : (memref<4xi64>, i64) -> memref<4xi64>
  return %q : memref<4xi64>
}

// A global.
func.func @shared() -> memref<4xi64> attributes {no_inline} {
  %g = memref.get_global @numbers : memref<4xi64>
  return %g : memref<4xi64>
}

// Writes to the second name, reads from the first.
func.func private @tell(%m: memref<4xi64>, %s: memref<4xi64>) {
  %c2 = arith.constant 2 : index
  %nine = arith.constant 9 : i64
  memref.store %nine, %s[%c2] : memref<4xi64>
  %v = memref.load %m[%c2] : memref<4xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
func.func private @threes() -> memref<4xi64> {
  %three = arith.constant 3 : i64
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%three : i64) outs(%m : memref<4xi64>)
  return %m : memref<4xi64>
}
func.func @main() {
  %three = arith.constant 3 : i64
  %two = arith.constant 2 : i64
  %true = arith.constant true
  %false = arith.constant false
  %a = call @threes() : () -> memref<4xi64>
  %ra = call @down(%a, %three) : (memref<4xi64>, i64) -> memref<4xi64>
  call @tell(%a, %ra) : (memref<4xi64>, memref<4xi64>) -> ()

  %b = call @threes() : () -> memref<4xi64>
  %rb = call @maybe(%b, %false) : (memref<4xi64>, i1) -> memref<4xi64>
  call @tell(%b, %rb) : (memref<4xi64>, memref<4xi64>) -> ()

  %c = call @threes() : () -> memref<4xi64>
  %rc = call @maybe(%c, %true) : (memref<4xi64>, i1) -> memref<4xi64>
  call @tell(%c, %rc) : (memref<4xi64>, memref<4xi64>) -> ()

  %d = call @threes() : () -> memref<4xi64>
  %rd = call @even(%d, %two) : (memref<4xi64>, i64) -> memref<4xi64>
  call @tell(%d, %rd) : (memref<4xi64>, memref<4xi64>) -> ()

  %g = memref.get_global @numbers : memref<4xi64>
  %rg = call @shared() : () -> memref<4xi64>
  call @tell(%g, %rg) : (memref<4xi64>, memref<4xi64>) -> ()

  // By an address that is known.
  %f = func.constant @maybe : (memref<4xi64>, i1) -> memref<4xi64>
  %e = call @threes() : () -> memref<4xi64>
  %re = func.call_indirect %f(%e, %false) : (memref<4xi64>, i1) -> memref<4xi64>
  call @tell(%e, %re) : (memref<4xi64>, memref<4xi64>) -> ()
  return
}
