// What is wrong with functions and calls, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{custom op 'func.func' expected non-empty function body}}
func.func @empty_body() {}

// -----

// expected-error @+1 {{custom op 'func.func' expected type instead of SSA identifier}}
func.func @mixed(i64, %a: i32) { return }

// -----

// expected-error @+1 {{custom op 'func.func' expected SSA identifier}}
func.func @mixed(%a: i32, i64) { return }

// -----

// expected-error @+1 {{custom op 'func.func' 'sym_name' is an inferred attribute and should not be specified in the explicit attribute dictionary}}
func.func @inferred() attributes {sym_name = "other"} { return }

// -----

// expected-error @+1 {{'func.func' op symbol declaration cannot have public visibility}}
func.func @public_declaration()

// -----

// expected-error @+1 {{'func.func' op visibility expected to be one of ["public", "private", "nested"], but got "hidden"}}
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "hidden"}> ({}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op requires attribute 'sym_name'}}
"func.func"() <{function_type = () -> ()}> ({}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op requires attribute 'function_type'}}
"func.func"() <{sym_name = "f"}> ({}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op attribute 'function_type' failed to satisfy constraint: type attribute of function type}}
"func.func"() <{function_type = i32, sym_name = "f"}> ({}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op requires one region}}
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private"}> ({}, {}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op attribute 'arg_attrs' failed to satisfy constraint: Array of dictionary attributes}}
"func.func"() <{function_type = (i32) -> (), sym_name = "f", sym_visibility = "private", arg_attrs = [3]}> ({}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op expects argument attribute array to have the same number of elements as the number of function arguments, got 1, but expected 0}}
"func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private", arg_attrs = [{}]}> ({}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op arguments may only have dialect attributes}}
func.func private @argument_attribute(i32 {plain})

// -----

// expected-error @+1 {{'func.func' op results may only have dialect attributes}}
func.func private @result_attribute() -> (i32 {plain})

// -----

// expected-error @+1 {{'func.func' op entry block must have 1 arguments to match function signature}}
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
  func.return
}) : () -> ()

// -----

// expected-error @+1 {{'func.func' op type of entry block argument #0('i64') must match the type of the corresponding argument in function signature('i32')}}
"func.func"() <{function_type = (i32) -> (), sym_name = "f"}> ({
^bb0(%a: i64):
  func.return
}) : () -> ()

// -----

func.func @return_count(%a: i64) {
  // expected-error @+1 {{'func.return' op has 1 operands, but enclosing function (@return_count) returns 0}}
  return %a : i64
}

// -----

func.func @return_type(%a: i64) -> i32 {
  // expected-error @+1 {{type of return operand 0 ('i64') doesn't match function result type ('i32') in function @return_type}}
  return %a : i64
}

// -----

func.func @return_in_region(%c: i1) {
  scf.if %c {
    // expected-error @+1 {{'func.return' op expects parent op 'func.func'}}
    func.return
  }
  return
}

// -----

func.func private @callee(i32) -> (i32, f32)
func.func @calls(%a: i32, %b: i64) {
  // expected-error @+1 {{'func.call' op 'nobody' does not reference a valid function}}
  call @nobody() : () -> ()
  // expected-error @+1 {{'func.call' op incorrect number of operands for callee}}
  call @callee() : () -> ()
  // expected-error @+1 {{'func.call' op operand type mismatch: expected operand type 'i32', but provided 'i64' for operand number 0}}
  call @callee(%b) : (i64) -> ()
  // expected-error @+1 {{'func.call' op incorrect number of results for callee}}
  call @callee(%a) : (i32) -> ()
  // expected-error @+3 {{'func.call' op result type mismatch at index 1}}
  // expected-note @+2 {{      op result types: 'i32', 'i32'}}
  // expected-note @+1 {{function result types: 'i32', 'f32'}}
  %r:2 = call @callee(%a) : (i32) -> (i32, i32)
  return
}

// -----

// Functions of a nested module are not seen from outside, nor the other way.
module @inner {
  func.func private @inside()
  func.func @calls_outside() {
    // expected-error @+1 {{'func.call' op 'outside' does not reference a valid function}}
    call @outside() : () -> ()
    return
  }
}
func.func private @outside()
func.func @calls_inside() {
  // expected-error @+1 {{'func.call' op 'inside' does not reference a valid function}}
  call @inside() : () -> ()
  return
}

// -----

// A symbol that is no function.
memref.global @data : memref<4xf32>
func.func @calls_data() {
  // expected-error @+1 {{'func.call' op 'data' does not reference a valid function}}
  call @data() : () -> ()
  return
}

// -----

func.func @call_syntax(%a: i32) {
  // expected-error @+1 {{custom op 'func.call' 1 operands present, but expected 0}}
  call @call_syntax(%a) : () -> ()
  return
}

// -----

func.func @call_nested_symbol() {
  // expected-error @+1 {{custom op 'func.call' invalid kind of attribute specified}}
  call @a::@b() : () -> ()
  return
}

// -----

func.func @constants() {
  // expected-error @+1 {{'func.constant' op reference to undefined function 'nobody'}}
  %f = constant @nobody : () -> ()
  // expected-error @+1 {{'func.constant' op reference to function with mismatched type}}
  %g = constant @constants : (i32) -> ()
  return
}

// -----

func.func @indirect(%f: (i64) -> i32, %a: i32, %b: i64) {
  // expected-error @+1 {{'func.call_indirect' op failed to verify that callee input types match argument types}}
  %r = "func.call_indirect"(%f, %a) : ((i64) -> i32, i32) -> i32
  // expected-error @+1 {{'func.call_indirect' op failed to verify that callee result types match result types}}
  %s = "func.call_indirect"(%f, %b) : ((i64) -> i32, i64) -> i64
  // expected-error @+1 {{'func.call_indirect' op operand #0 must be function type, but got 'i32'}}
  "func.call_indirect"(%a) : (i32) -> ()
  return
}
