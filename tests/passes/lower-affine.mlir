// RUN: freehold opt %s --lower-affine | FileCheck %s
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT

// CHECK-LABEL: func.func @access
// CHECK:         arith.muli
// CHECK:         arith.addi
// CHECK:         memref.load
// CHECK:         arith.andi
// CHECK:         memref.store
func.func @access(%m: memref<?xi64>, %i: index) {
  %v = affine.load %m[%i * 2 + 1] : memref<?xi64>
  affine.store %v, %m[%i mod 8] : memref<?xi64>
  return
}

func.func private @printI64(i64)
func.func private @printNewline()

// Sums over a triangle, an even-odd condition, and a parallel reduction.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     affine.
// OUT: 45
// OUT-NEXT: 20
// OUT-NEXT: 10
func.func @main() {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 10 : index
  %triangle = affine.for %i = 0 to %n iter_args(%a = %zero) -> (i64) {
    %row = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%b = %a) -> (i64) {
      %next = arith.addi %b, %one : i64
      affine.yield %next : i64
    }
    affine.yield %row : i64
  }
  func.call @printI64(%triangle) : (i64) -> ()
  func.call @printNewline() : () -> ()
  %evens = affine.for %i = 0 to 10 iter_args(%a = %zero) -> (i64) {
    %r = affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) -> i64 {
      %v = arith.index_cast %i : index to i64
      affine.yield %v : i64
    } else {
      affine.yield %zero : i64
    }
    %next = arith.addi %a, %r : i64
    affine.yield %next : i64
  }
  func.call @printI64(%evens) : (i64) -> ()
  func.call @printNewline() : () -> ()
  %sum = affine.parallel (%i, %j) = (0, 0) to (5, 2) reduce ("addi") -> i64 {
    affine.yield %one : i64
  }
  func.call @printI64(%sum) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
