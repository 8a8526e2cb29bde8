// The operations of the builtin dialect.

// RUN: freehold opt %s --allow-unregistered-dialect | freehold opt --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-op-generic | freehold opt --allow-unregistered-dialect | FileCheck %s

// CHECK:      module @outer attributes {other.attr = 1 : i64} {
module @outer attributes {other.attr = 1} {
  // CHECK-NEXT: module {
  // CHECK-NEXT: }
  module {}
  // CHECK-NEXT: module @"in ner" attributes {sym_visibility = "private"} {
  // CHECK-NEXT:   func.func private @f()
  // CHECK-NEXT: }
  builtin.module @"in ner" attributes {sym_visibility = "private"} {
    func.func private @f()
  }
  // CHECK-NEXT: func.func @casts(%[[A:.*]]: i32, %[[B:.*]]: i64)
  func.func @casts(%a: i32, %b: i64) {
    // CHECK-NEXT: builtin.unrealized_conversion_cast %[[A]], %[[B]] : i32, i64 to f32, f64
    %0:2 = builtin.unrealized_conversion_cast %a, %b : i32, i64 to f32, f64
    // CHECK-NEXT: builtin.unrealized_conversion_cast to f32 {other.attr}
    %1 = builtin.unrealized_conversion_cast to f32 {other.attr}
    return
  }
}
