// Every operation in custom form: printed as mlir-opt prints it, and the same
// after a detour through the generic form.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// Declarations: visibility, attributes of arguments, of results, of the function.
// CHECK:      func.func private @declared(i32 {x.y = 1 : i64}, memref<?xf32>) -> (i32 {x.z}) attributes {a.b = "c"}
// GENERIC:    "func.func"() <{arg_attrs = [{x.y = 1 : i64}, {}], function_type = (i32, memref<?xf32>) -> i32, res_attrs = [{x.z}], sym_name = "declared", sym_visibility = "private"}> ({
// GENERIC-NEXT: }) {a.b = "c"} : () -> ()
func.func private @declared(i32 {x.y = 1}, memref<?xf32>) -> (i32 {x.z}) attributes {a.b = "c"}
// CHECK-NEXT: func.func private @no_results()
func.func private @no_results() -> ()
// CHECK-NEXT: func.func nested @"strange name"()
func.func nested @"strange name"()
// A lone result of function type needs parentheses, several results do anyway.
// CHECK-NEXT: func.func private @returns_function() -> ((i32) -> i32)
func.func private @returns_function() -> ((i32) -> i32)
// CHECK-NEXT: func.func private @returns_two(i1) -> (i32, f32)
func.func private @returns_two(i1) -> (i32, f32)

// CHECK-LABEL: func.func public @also_defined(%{{.*}}: i1) {
func.func public @also_defined(%c: i1) {
  return
}

// Definitions.
// CHECK-LABEL: func.func @defined
// CHECK-SAME:  (%[[A:.*]]: i32 {x.first}, %[[M:.*]]: memref<?xf32>) -> i32 attributes {llvm.emit_c_interface} {
// CHECK-NEXT:    %[[R:.*]] = call @declared(%[[A]], %[[M]]) {note} : (i32, memref<?xf32>) -> i32
// CHECK-NEXT:    call @no_results() : () -> ()
// CHECK-NEXT:    %{{.*}} = ub.poison : i1
// CHECK-NEXT:    %{{.*}}:2 = call @returns_two(%{{.*}}) : (i1) -> (i32, f32)
// CHECK-NEXT:    return {note} %[[R]] : i32
// GENERIC:     "func.call"(%{{.*}}) <{callee = @declared}> {note} : (i32, memref<?xf32>) -> i32
// GENERIC:     "func.return"(%{{.*}}) {note} : (i32) -> ()
func.func @defined(%a: i32 {x.first}, %m: memref<?xf32> loc("m")) -> i32 attributes {llvm.emit_c_interface} {
  %r = call @declared(%a, %m) {note} : (i32, memref<?xf32>) -> i32
  func.call @no_results() : () -> ()
  %c = ub.poison : i1
  %two:2 = func.call @returns_two(%c) : (i1) -> (i32, f32)
  return {note} %r : i32
}

// Functions as values. Other regions do not imply the dialect.
// CHECK-LABEL: func.func @indirect
// CHECK-NEXT:    %f = constant @defined : (i32, memref<?xf32>) -> i32
// CHECK-NEXT:    %[[R:.*]] = call_indirect %f(%{{.*}}, %{{.*}}) {note} : (i32, memref<?xf32>) -> i32
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      func.call @no_results() : () -> ()
// CHECK:         return
// GENERIC:     %{{.*}} = "func.constant"() <{value = @defined}> : () -> ((i32, memref<?xf32>) -> i32)
// GENERIC:     "func.call_indirect"(%{{.*}}, %{{.*}}, %{{.*}}) {note} : ((i32, memref<?xf32>) -> i32, i32, memref<?xf32>) -> i32
func.func @indirect(%a: i32, %m: memref<?xf32>, %c: i1) {
  %f = func.constant @defined : (i32, memref<?xf32>) -> i32
  %r = func.call_indirect %f(%a, %m) {note} : (i32, memref<?xf32>) -> i32
  scf.if %c {
    func.call @no_results() : () -> ()
  }
  return
}

// Nested modules have names of their own.
// CHECK:       module @inner {
// CHECK-NEXT:    func.func @defined() {
// CHECK-NEXT:      call @defined() : () -> ()
module @inner {
  func.func @defined() {
    call @defined() : () -> ()
    return
  }
}
