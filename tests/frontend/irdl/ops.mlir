// The irdl dialect: what is read is printed, in custom and in generic form.
// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt --mlir-print-op-generic %s | freehold opt - | FileCheck %s

// CHECK-LABEL: irdl.dialect @cmath {
irdl.dialect @cmath {
  // CHECK-NEXT: irdl.type @complex {
  irdl.type @complex {
    // CHECK-NEXT: %[[F32:.*]] = irdl.is f32
    %0 = irdl.is f32
    // CHECK-NEXT: %[[F64:.*]] = irdl.is f64
    %1 = irdl.is f64
    // CHECK-NEXT: %[[ANY:.*]] = irdl.any_of(%[[F32]], %[[F64]])
    %2 = irdl.any_of(%0, %1)
    // CHECK-NEXT: irdl.parameters(elem: %[[ANY]])
    irdl.parameters(elem: %2)
  }
  // CHECK: irdl.type @plain
  irdl.type @plain
  // CHECK-NEXT: irdl.attribute @tag {
  irdl.attribute @tag {
    %0 = irdl.any
    irdl.parameters(value: %0)
  }
  // CHECK: irdl.operation @norm attributes {freehold.effects = {}} {
  irdl.operation @norm attributes {freehold.effects = {}} {
    // CHECK-NEXT: %[[T:.*]] = irdl.any
    %0 = irdl.any
    // CHECK-NEXT: %[[C:.*]] = irdl.parametric @cmath::@complex<%[[T]]>
    %1 = irdl.parametric @cmath::@complex<%0>
    // CHECK-NEXT: %[[B:.*]] = irdl.base @cmath::@complex
    %2 = irdl.base @cmath::@complex
    // CHECK-NEXT: %[[M:.*]] = irdl.base "!builtin.memref"
    %3 = irdl.base "!builtin.memref"
    // CHECK-NEXT: %[[ALL:.*]] = irdl.all_of(%[[C]], %[[B]])
    %4 = irdl.all_of(%1, %2)
    // CHECK-NEXT: irdl.operands(in: %[[ALL]], more: variadic %[[T]], rest: optional %[[M]])
    irdl.operands(in: %4, more: variadic %0, rest: optional %3)
    // CHECK-NEXT: irdl.results(out: %[[T]])
    irdl.results(out: %0)
    // CHECK-NEXT: %[[THREE:.*]] = irdl.is 3 : i32
    %5 = irdl.is 3 : i32
    // CHECK-NEXT: irdl.attributes {"x" = %[[THREE]], "y" = %[[T]]}
    irdl.attributes {"x" = %5, "y" = %0}
    // CHECK-NEXT: %[[R0:.*]] = irdl.region(%[[T]], %[[C]])
    %6 = irdl.region(%0, %1)
    // CHECK-NEXT: %[[R1:.*]] = irdl.region with size 1
    %7 = irdl.region with size 1
    // CHECK-NEXT: %[[R2:.*]] = irdl.region()
    %8 = irdl.region()
    // CHECK-NEXT: irdl.regions(body: %[[R0]], rest_of_it: %[[R1]], last: %[[R2]])
    irdl.regions(body: %6, rest_of_it: %7, last: %8)
  }
}
