// The generic form of any operation, known or not.

// RUN: freehold opt %s --allow-unregistered-dialect | freehold opt --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-op-generic | freehold opt --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// Results are bound in groups; `#` picks one of a group.
// CHECK-LABEL: func.func @results
// CHECK-NEXT:    %[[A:.*]]:3 = "other.three"() : () -> (i1, i2, i3)
// CHECK-NEXT:    %[[B:.*]]:2 = "other.two"(%[[A]]#2, %[[A]]#0) : (i3, i1) -> (i4, i5)
// CHECK-NEXT:    "other.use"(%[[A]]#1, %[[B]]#1) : (i2, i5) -> ()
func.func @results() {
  %a, %b:2 = "other.three"() : () -> (i1, i2, i3)
  %c:2 = "other.two"(%b#1, %a) : (i3, i1) -> (i4, i5)
  "other.use"(%b#0, %c#1) : (i2, i5) -> ()
  return
}

// Properties of an operation that nobody knows are kept apart from its attributes.
// CHECK-LABEL: func.func @properties
// CHECK-NEXT:    "other.op"() <{a = 1 : i64}> {b = 2 : i64} : () -> ()
// CHECK-NEXT:    "other.op"() <"text"> : () -> ()
func.func @properties() {
  "other.op"() <{a = 1}> {b = 2} : () -> ()
  "other.op"() <"text"> : () -> ()
  return
}

// Those of known ones are its inherent attributes, which may also be written
// among the others.
// CHECK-LABEL: func.func @inherent
// CHECK-NEXT:    memref.load %{{.*}}[] {nontemporal = true, other.b = 2 : i64} : memref<f32>
// CHECK-NEXT:    memref.load %{{.*}}[] {nontemporal = true} : memref<f32>
// GENERIC:       "memref.load"(%{{.*}}) <{nontemporal = true}> {other.b = 2 : i64} : (memref<f32>) -> f32
// GENERIC-NEXT:  %{{.*}} = "memref.load"(%{{.*}}) <{nontemporal = true}> : (memref<f32>) -> f32
func.func @inherent(%m: memref<f32>) {
  %0 = "memref.load"(%m) <{nontemporal = true}> {other.b = 2} : (memref<f32>) -> f32
  %1 = "memref.load"(%m) {nontemporal = true} : (memref<f32>) -> f32
  return
}

// Regions, blocks with arguments and successors.
// CHECK-LABEL: func.func @regions
// CHECK-NEXT:    "other.loop"() ({
// CHECK-NEXT:    ^bb0(%[[X:.*]]: i32):
// CHECK-NEXT:      "other.jump"(%[[X]])[^bb1, ^bb2] : (i32) -> ()
// CHECK-NEXT:    ^bb1:  // 2 preds: ^bb0, ^bb2
// CHECK-NEXT:      "other.end"() : () -> ()
// CHECK-NEXT:    ^bb2:  // pred: ^bb0
// CHECK-NEXT:      "other.jump"()[^bb1] : () -> ()
// CHECK-NEXT:    ^bb3:  // no predecessors
// CHECK-NEXT:      "other.end"() : () -> ()
// CHECK-NEXT:    }, {
// CHECK-NEXT:    }) {a} : () -> ()
func.func @regions() {
  "other.loop"() ({
  ^entry(%x: i32):
    "other.jump"(%x)[^one, ^two] : (i32) -> ()
  ^one:
    "other.end"() : () -> ()
  ^two:
    "other.jump"()[^one] : () -> ()
  ^three:
    "other.end"() : () -> ()
  }, {}) {a} : () -> ()
  return
}

// Values of a graph region, as that of a module, may be used before they are defined.
// CHECK:       "other.use"(%[[LATE:.*]]#1) : (i32) -> ()
// CHECK-NEXT:  %[[LATE]]:2 = "other.def"(%[[LATE]]#0) : (i32) -> (i32, i32)
"other.use"(%late#1) : (i32) -> ()
%late:2 = "other.def"(%late#0) : (i32) -> (i32, i32)
