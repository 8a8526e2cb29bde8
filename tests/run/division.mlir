// Division never traps: the least number divided by -1 wraps around, and a divisor of zero is taken for
// one, so that the quotient is the dividend and the remainder zero. Constants and values agree, with
// optimizations and without.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s

func.func private @i32(%a: i32, %b: i32) attributes {passthrough = ["noinline"]} {
  %0 = arith.divsi %a, %b : i32
  vector.print %0 : i32
  %1 = arith.floordivsi %a, %b : i32
  vector.print %1 : i32
  %2 = arith.ceildivsi %a, %b : i32
  vector.print %2 : i32
  %3 = arith.remsi %a, %b : i32
  vector.print %3 : i32
  %4 = arith.divui %a, %b : i32
  vector.print %4 : i32
  %5 = arith.ceildivui %a, %b : i32
  vector.print %5 : i32
  %6 = arith.remui %a, %b : i32
  vector.print %6 : i32
  return
}

func.func private @i64(%a: i64, %b: i64) attributes {passthrough = ["noinline"]} {
  %0 = arith.divsi %a, %b : i64
  vector.print %0 : i64
  %1 = arith.floordivsi %a, %b : i64
  vector.print %1 : i64
  %2 = arith.ceildivsi %a, %b : i64
  vector.print %2 : i64
  %3 = arith.remsi %a, %b : i64
  vector.print %3 : i64
  return
}

func.func private @i8(%a: i8, %b: i8) attributes {passthrough = ["noinline"]} {
  %0 = arith.divsi %a, %b : i8
  vector.print %0 : i8
  %1 = arith.floordivsi %a, %b : i8
  vector.print %1 : i8
  %2 = arith.ceildivsi %a, %b : i8
  vector.print %2 : i8
  %3 = arith.remsi %a, %b : i8
  vector.print %3 : i8
  return
}

func.func private @i5(%a: i5, %b: i5) attributes {passthrough = ["noinline"]} {
  %0 = arith.divsi %a, %b : i5
  vector.print %0 : i5
  %1 = arith.floordivsi %a, %b : i5
  vector.print %1 : i5
  %2 = arith.ceildivsi %a, %b : i5
  vector.print %2 : i5
  %3 = arith.remsi %a, %b : i5
  vector.print %3 : i5
  return
}

func.func private @index(%a: index, %b: index) attributes {passthrough = ["noinline"]} {
  %0 = index.divs %a, %b
  vector.print %0 : index
  %1 = index.floordivs %a, %b
  vector.print %1 : index
  %2 = index.ceildivs %a, %b
  vector.print %2 : index
  %3 = index.rems %a, %b
  vector.print %3 : index
  %4 = index.divu %a, %b
  vector.print %4 : index
  %5 = index.ceildivu %a, %b
  vector.print %5 : index
  %6 = index.remu %a, %b
  vector.print %6 : index
  return
}

func.func private @vectors(%a: vector<4xi32>, %b: vector<4xi32>) attributes {passthrough = ["noinline"]} {
  %0 = arith.divsi %a, %b : vector<4xi32>
  vector.print %0 : vector<4xi32>
  %1 = arith.remsi %a, %b : vector<4xi32>
  vector.print %1 : vector<4xi32>
  %2 = arith.divui %a, %b : vector<4xi32>
  vector.print %2 : vector<4xi32>
  %3 = arith.remui %a, %b : vector<4xi32>
  vector.print %3 : vector<4xi32>
  return
}

func.func @main() {
  %i32_min = arith.constant -2147483648 : i32
  %i32_minus = arith.constant -1 : i32
  %i32_zero = arith.constant 0 : i32
  %i32_seven = arith.constant -7 : i32

  // Overflow. Unsigned, -1 is a large number.
  // CHECK: {{^}}-2147483648
  // CHECK-NEXT: -2147483648
  // CHECK-NEXT: -2147483648
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 1
  // CHECK-NEXT: -2147483648
  call @i32(%i32_min, %i32_minus) : (i32, i32) -> ()

  // CHECK-NEXT: -7
  // CHECK-NEXT: -7
  // CHECK-NEXT: -7
  // CHECK-NEXT: 0
  // CHECK-NEXT: -7
  // CHECK-NEXT: -7
  // CHECK-NEXT: 0
  call @i32(%i32_seven, %i32_zero) : (i32, i32) -> ()

  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  call @i32(%i32_zero, %i32_zero) : (i32, i32) -> ()

  // The same on constants.
  // CHECK-NEXT: -2147483648
  // CHECK-NEXT: 0
  // CHECK-NEXT: -2147483648
  // CHECK-NEXT: -7
  // CHECK-NEXT: 0
  // CHECK-NEXT: -7
  // CHECK-NEXT: -7
  %over = arith.divsi %i32_min, %i32_minus : i32
  vector.print %over : i32
  %over_rem = arith.remsi %i32_min, %i32_minus : i32
  vector.print %over_rem : i32
  %over_floor = arith.floordivsi %i32_min, %i32_minus : i32
  vector.print %over_floor : i32
  %by_zero = arith.divsi %i32_seven, %i32_zero : i32
  vector.print %by_zero : i32
  %by_zero_rem = arith.remui %i32_seven, %i32_zero : i32
  vector.print %by_zero_rem : i32
  %by_zero_ceil = arith.ceildivui %i32_seven, %i32_zero : i32
  vector.print %by_zero_ceil : i32
  %by_zero_floor = arith.floordivsi %i32_seven, %i32_zero : i32
  vector.print %by_zero_floor : i32

  // Other widths.
  // CHECK-NEXT: -9223372036854775808
  // CHECK-NEXT: -9223372036854775808
  // CHECK-NEXT: -9223372036854775808
  // CHECK-NEXT: 0
  %i64_min = arith.constant -9223372036854775808 : i64
  %i64_minus = arith.constant -1 : i64
  call @i64(%i64_min, %i64_minus) : (i64, i64) -> ()

  // CHECK-NEXT: -128
  // CHECK-NEXT: -128
  // CHECK-NEXT: -128
  // CHECK-NEXT: 0
  %i8_min = arith.constant -128 : i8
  %i8_minus = arith.constant -1 : i8
  call @i8(%i8_min, %i8_minus) : (i8, i8) -> ()

  // CHECK-NEXT: -16
  // CHECK-NEXT: -16
  // CHECK-NEXT: -16
  // CHECK-NEXT: 0
  %i5_min = arith.constant -16 : i5
  %i5_minus = arith.constant -1 : i5
  call @i5(%i5_min, %i5_minus) : (i5, i5) -> ()

  // CHECK-NEXT: 5
  // CHECK-NEXT: 5
  // CHECK-NEXT: 5
  // CHECK-NEXT: 0
  // CHECK-NEXT: 5
  // CHECK-NEXT: 5
  // CHECK-NEXT: 0
  %five = arith.constant 5 : index
  %none = arith.constant 0 : index
  call @index(%five, %none) : (index, index) -> ()

  // CHECK-NEXT: ( -2147483648, -7, -3, 2 )
  // CHECK-NEXT: ( 0, 0, -1, 1 )
  // CHECK-NEXT: ( 0, -7, 2147483644, 2 )
  // CHECK-NEXT: ( -2147483648, 0, 1, 1 )
  %dividends = arith.constant dense<[-2147483648, -7, -7, 5]> : vector<4xi32>
  %divisors = arith.constant dense<[-1, 0, 2, 2]> : vector<4xi32>
  call @vectors(%dividends, %divisors) : (vector<4xi32>, vector<4xi32>) -> ()
  return
}
