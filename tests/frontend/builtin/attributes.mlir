// Every kind of attribute but the dense ones, as written and as printed back.

// RUN: freehold opt %s --allow-unregistered-dialect | freehold opt --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-op-generic | freehold opt --allow-unregistered-dialect | FileCheck %s

// The sign of what is printed is that of the type; signless counts as signed.
// CHECK-LABEL: "attrs.integers"
// CHECK-SAME:  a = 5 : i64, b = -1 : i8, c = -1 : i8, d = 3 : index, e = -3 : si16, f = 200 : ui8, g = 255 : i32,
// CHECK-SAME:  h = -1 : i128, i = -170141183460469231731687303715884105728 : i128, j = 340282366920938463463374607431768211455 : ui128,
// CHECK-SAME:  k = 5 : i256, l = -5 : i256, m = 0 : i0
"attrs.integers"() {
  a = 5, b = 255 : i8, c = -1 : i8, d = 3 : index, e = -3 : si16, f = 200 : ui8, g = 0xFF : i32,
  h = 340282366920938463463374607431768211455 : i128, i = -170141183460469231731687303715884105728 : i128,
  j = 340282366920938463463374607431768211455 : ui128, k = 5 : i256, l = -5 : i256, m = 0 : i0
} : () -> ()

// CHECK-LABEL: "attrs.bools"
// CHECK-SAME:  a = true, b = true, c = true, d = false
"attrs.bools"() {a = true, b = 1 : i1, c = -1 : i1, d = 0 : i1} : () -> ()

// Six digits if that is the number, else as many as it takes, else its bits.
// CHECK-LABEL: "attrs.floats"
// CHECK-SAME:  a = 1.000000e+00 : f64, b = 1.000000e-01 : f32, c = 3.14159265358979 : f64, d = -0.000000e+00 : f32, e = 0x7FC00000 : f32,
// CHECK-SAME:  f = 0x7F800000 : f32, g = 1.000000e+10 : f32, h = 1.500010e-40 : f32, i = 0x7FF0000000000000 : f64, j = 0x7F800000 : f32,
// CHECK-SAME:  k = 0x4B800000 : f32, l = 1.234500e-04 : f64, m = 1234.5678901230001 : f64, n = 2.9802322387695313E-8 : f64
"attrs.floats"() {
  a = 1.0, b = 0.1 : f32, c = 3.14159265358979 : f64, d = -0.0 : f32, e = 0x7FC00000 : f32, f = 0x7F800000 : f32,
  g = 1.e10 : f32, h = 1.5e-40 : f32, i = 1.0e309, j = 1.0e400 : f32, k = 16777216.0 : f32, l = 0.00012345,
  m = 1234.567890123, n = 2.98023223876953125e-8
} : () -> ()

// Ties go to the even neighbour; formats without infinities have only NaN.
// CHECK-LABEL: "attrs.other_floats"
// CHECK-SAME:  a = 1.099610e+00 : f16, b = 1.101560e+00 : bf16, c = 1.015630e+00 : bf16, d = 1.099610e+00 : tf32,
// CHECK-SAME:  e = 1.10000000000000008882 : f80, f = 1.10000000000000008881784197001252323 : f128, g = 0x3FFF8000000000000001 : f80,
// CHECK-SAME:  h = 1.000000e+00 : f8E5M2, i = 1.125000e+00 : f8E4M3FN, j = 0x7F : f8E4M3FN, k = 0x7C : f8E5M2, l = 0x80 : f8E4M3FNUZ, m = 0.000000e+00 : f8E4M3FNUZ
"attrs.other_floats"() {
  a = 1.1 : f16, b = 1.1 : bf16, c = 1.015625 : bf16, d = 1.1 : tf32, e = 1.1 : f80, f = 1.1 : f128,
  g = 0x3FFF8000000000000001 : f80, h = 1.1 : f8E5M2, i = 1.1 : f8E4M3FN, j = 1000.0 : f8E4M3FN, k = 1.e6 : f8E5M2,
  l = 0x80 : f8E4M3FNUZ, m = -0.0 : f8E4M3FNUZ
} : () -> ()

// In arrays the type of what is an f64 goes without saying, but not of its bits.
// CHECK-LABEL: "attrs.bits"
// CHECK-SAME:  a = 0x7FF0000000000001 : f64, b = [0x7FF0000000000001 : f64, 0x7FF8000000000000 : f64, 1.000000e+00]
"attrs.bits"() {a = 0x7FF0000000000001 : f64, b = [0x7FF0000000000001 : f64, 0x7FF8000000000000 : f64, 1.0]} : () -> ()

// CHECK-LABEL: "attrs.strings"
// CHECK-SAME:  a = "abc\0A\09\22\\ \00 \C3\A9", b = "abc" : i32, c, d, "needs quotes" = 1 : i64
"attrs.strings"() {a = "abc\n\t\"\\ \00 é", b = "abc" : i32, c, d = unit, "needs quotes" = 1} : () -> ()

// CHECK-LABEL: "attrs.containers"
// CHECK-SAME:  a = [1, 2 : i32, "x", 1.000000e+00, [], {}, {a, b = 2 : i64}], b = {c = {d = {}}}
"attrs.containers"() {a = [1, 2 : i32, "x", 1.0, [], {}, {a, b = 2}], b = {c = {d = {}}}} : () -> ()

// CHECK-LABEL: "attrs.symbols"
// CHECK-SAME:  a = @foo, b = @foo::@bar::@"we ird", c = @a.b
"attrs.symbols"() {a = @foo, b = @foo::@bar::@"we ird", c = @"a.b"} : () -> ()

// CHECK-LABEL: "attrs.layouts"
// CHECK-SAME:  a = strided<[1, ?, -3], offset: ?>, b = strided<[]>, c = strided<[1]>, d = strided<[2], offset: 4>
"attrs.layouts"() {a = strided<[1, ?, -3], offset: ?>, b = strided<[]>, c = strided<[1], offset: 0>, d = strided<[2], offset: 4>} : () -> ()

// Flags are put into their order; other text stays.
// CHECK-LABEL: "attrs.dialects"
// CHECK-SAME:  a = #linalg.iterator_type<parallel>, b = #arith.fastmath<fast>, c = #vector.kind<add>, d = #arith.fastmath<nnan,contract>,
// CHECK-SAME:  e = #arith.fastmath<none>, f = #arith.overflow<nsw, nuw>, g = #arith.overflow<none>, h = #arith.fastmath<fast>,
// CHECK-SAME:  i = #other.a, j = #other.b, k = #other.c<x> : i32, l = #other<"text"> : tensor<4xi32>
"attrs.dialects"() {
  a = #linalg.iterator_type<parallel>, b = #arith.fastmath<fast>, c = #vector.kind<add>,
  d = #arith.fastmath< contract , nnan >, e = #arith<fastmath<none>>, f = #arith.overflow<nuw, nsw>,
  g = #arith.overflow< none >, h = #arith.fastmath<reassoc,nnan,ninf,nsz,arcp,contract,afn>,
  i = #other.a, j = #other<b>, k = #other.c<x> : i32, l = #other<"text"> : tensor<4xi32>
} : () -> ()

// CHECK-LABEL: "attrs.distinct"
// CHECK-SAME:  a = #distinct, b = distinct[1]<>, c = #distinct
"attrs.distinct"() {a = distinct[0]<42 : i32>, b = distinct[1]<>, c = distinct[0]<42 : i32>} : () -> ()
