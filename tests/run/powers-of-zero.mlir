// A power of zero with a negative exponent is zero, like those of all numbers but 1 and -1, and no division.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s
// RUN: freehold interpret %s | FileCheck %s
// RUN: freehold opt %s --inline --canonicalize | FileCheck %s --check-prefix=FOLDED

func.func @power(%base: i32, %exponent: i32) -> i32 {
  %r = math.ipowi %base, %exponent : i32
  return %r : i32
}

// FOLDED-LABEL: func.func @main
// FOLDED-NOT:     math.ipowi
// CHECK:      0
// CHECK-NEXT: 0
// CHECK-NEXT: -1
// CHECK-NEXT: 1
func.func @main() {
  %zero = arith.constant 0 : i32
  %minus_one = arith.constant -1 : i32
  %minus_two = arith.constant -2 : i32
  %minus_three = arith.constant -3 : i32
  %0 = func.call @power(%zero, %minus_one) : (i32, i32) -> i32
  vector.print %0 : i32
  %1 = func.call @power(%zero, %minus_two) : (i32, i32) -> i32
  vector.print %1 : i32
  %2 = func.call @power(%minus_one, %minus_three) : (i32, i32) -> i32
  vector.print %2 : i32
  %3 = func.call @power(%zero, %zero) : (i32, i32) -> i32
  vector.print %3 : i32
  return
}
