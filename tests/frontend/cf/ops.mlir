// Every operation in custom form: printed as mlir-opt prints it, and the same
// after a detour through the generic form.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @branches
// CHECK-SAME:      (%[[C:.*]]: i1, %[[A:.*]]: i32, %[[F:.*]]: f32)
// CHECK-NEXT:    cf.assert %[[C]], "said \22so\22\0A" {note}
// CHECK-NEXT:    cf.br ^bb1(%[[A]], %[[F]] : i32, f32) {note}
// CHECK-NEXT:  ^bb1(%[[X:.*]]: i32, %[[Y:.*]]: f32):  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:    cf.cond_br %[[C]], ^bb2, ^bb3(%[[X]] : i32) {note}
// CHECK-NEXT:  ^bb2:  // pred: ^bb1
// CHECK-NEXT:    cf.cond_br %[[C]], ^bb1(%[[X]], %[[Y]] : i32, f32), ^bb4
// CHECK-NEXT:  ^bb3(%{{.*}}: i32):  // pred: ^bb1
// CHECK-NEXT:    cf.br ^bb4
// GENERIC:     "cf.assert"(%{{.*}}) <{msg = "said \22so\22\0A"}> {note} : (i1) -> ()
// GENERIC:     "cf.br"(%{{.*}}, %{{.*}})[^bb1] {note} : (i32, f32) -> ()
// GENERIC:     "cf.cond_br"(%{{.*}}, %{{.*}})[^bb2, ^bb3] <{operandSegmentSizes = array<i32: 1, 0, 1>}> {note} : (i1, i32) -> ()
func.func @branches(%c: i1, %a: i32, %f: f32) {
  cf.assert %c, "said \"so\"\n" {note}
  cf.br ^first(%a, %f : i32, f32) {note}
^first(%x: i32, %y: f32):
  cf.cond_br %c, ^second, ^third(%x : i32) {note}
^second:
  cf.cond_br %c, ^first(%x, %y : i32, f32), ^last
^third(%z: i32):
  cf.br ^last
^last:
  return
}

// Case values are written without sign, as mlir-opt does, and read with or without.
// CHECK-LABEL: func.func @switches
// CHECK-SAME:      (%[[FLAG:.*]]: i32, %[[X:.*]]: f32, %[[LONG:.*]]: i64)
// CHECK-NEXT:    cf.switch %[[FLAG]] : i32, [
// CHECK-NEXT:      default: ^bb1(%[[X]] : f32),
// CHECK-NEXT:      42: ^bb2,
// CHECK-NEXT:      4294967293: ^bb1(%[[X]] : f32),
// CHECK-NEXT:      2147483648: ^bb3(%[[FLAG]], %[[X]] : i32, f32)
// CHECK-NEXT:    ] {note}
// CHECK:         cf.switch %[[FLAG]] : i32, [
// CHECK-NEXT:      default: ^bb2]
// CHECK:         cf.switch %[[LONG]] : i64, [
// CHECK-NEXT:      default: ^bb2,
// CHECK-NEXT:      18446744073709551615: ^bb2,
// CHECK-NEXT:      9223372036854775808: ^bb2
// CHECK-NEXT:    ]
// GENERIC:     "cf.switch"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})[^bb1, ^bb2, ^bb1, ^bb3] <{case_operand_segments = array<i32: 0, 1, 2>, case_values = dense<[42, -3, -2147483648]> : vector<3xi32>, operandSegmentSizes = array<i32: 1, 1, 3>}> {note} : (i32, f32, f32, i32, f32) -> ()
// GENERIC:     "cf.switch"(%{{.*}})[^bb2] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
func.func @switches(%flag: i32, %x: f32, %long: i64) {
  cf.switch %flag : i32, [
    default: ^first(%x : f32),
    42: ^second,
    -3: ^first(%x : f32),
    2147483648: ^third(%flag, %x : i32, f32)
  ] {note}
^first(%y: f32):
  cf.switch %flag : i32, [
    default: ^second
  ]
^second:
  cf.switch %long : i64, [
    default: ^second,
    18446744073709551615: ^second,
    9223372036854775808: ^second
  ]
^third(%z: i32, %w: f32):
  return
}
