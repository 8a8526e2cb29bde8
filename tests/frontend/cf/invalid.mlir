// What is wrong with branches, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

func.func @assert_condition(%a: i32) {
  // expected-error @+1 {{'cf.assert' op operand #0 must be 1-bit signless integer, but got 'i32'}}
  "cf.assert"(%a) <{msg = "m"}> : (i32) -> ()
  return
}

// -----

func.func @assert_message(%c: i1) {
  // expected-error @+1 {{'cf.assert' op requires attribute 'msg'}}
  "cf.assert"(%c) : (i1) -> ()
  return
}

// -----

func.func @br_count(%a: i32) {
  // expected-error @+1 {{branch has 1 operands for successor #0, but target block has 0}}
  cf.br ^next(%a : i32)
^next:
  return
}

// -----

func.func @br_type(%a: i32) {
  // expected-error @+1 {{type mismatch for bb argument #0 of successor #0}}
  cf.br ^next(%a : i32)
^next(%x: f32):
  return
}

// -----

func.func @br_successors() {
  // expected-error @+1 {{'cf.br' op requires 1 successor but found 2}}
  "cf.br"()[^next, ^next] : () -> ()
^next:
  return
}

// -----

func.func @br_nowhere() {
  // expected-error @+1 {{reference to an undefined block}}
  cf.br ^nowhere
}

// -----

func.func @cond_br_count(%c: i1, %a: i32) {
  // expected-error @+1 {{branch has 0 operands for successor #1, but target block has 1}}
  cf.cond_br %c, ^next(%a : i32), ^next
^next(%x: i32):
  return
}

// -----

func.func @cond_br_condition(%a: i32) {
  // expected-note @-1 {{prior use here}}
  // expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i1' vs 'i32'}}
  cf.cond_br %a, ^next, ^next
^next:
  return
}

// -----

func.func @cond_br_segments(%c: i1) {
  // expected-error @+1 {{'cf.cond_br' op operand count (1) does not match with the total size (2) specified in attribute 'operandSegmentSizes'}}
  "cf.cond_br"(%c)[^next, ^next] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1) -> ()
^next:
  return
}

// -----

func.func @cond_br_negative_segment(%c: i1) {
  // expected-error @+1 {{'cf.cond_br' op 'operandSegmentSizes' attribute cannot have negative elements}}
  "cf.cond_br"(%c)[^next, ^next] <{operandSegmentSizes = array<i32: 1, -1, 1>}> : (i1) -> ()
^next:
  return
}

// -----

// mlir-opt takes the condition for an operand of the first successor here.
func.func @cond_br_without_condition(%c: i1) {
  // expected-error @+1 {{'cf.cond_br' op operand group starting at #0 requires 1 element, but found 0}}
  "cf.cond_br"(%c)[^next, ^next] <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (i1) -> ()
^next(%x: i1):
  return
}

// -----

func.func @switch_flag(%f: f32) {
  // expected-error @+1 {{custom op 'cf.switch' invalid kind of type specified}}
  cf.switch %f : f32, [ default: ^next ]
^next:
  return
}

// -----

func.func @switch_index_flag(%i: index) {
  // expected-error @+1 {{'cf.switch' op operand #0 must be integer, but got 'index'}}
  "cf.switch"(%i)[^next] <{case_operand_segments = array<i32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (index) -> ()
^next:
  return
}

// -----

func.func @switch_operands(%a: i32) {
  // expected-error @+1 {{branch has 1 operands for successor #2, but target block has 0}}
  cf.switch %a : i32, [
    default: ^next,
    1: ^next,
    2: ^next(%a : i32)
  ]
^next:
  return
}

// -----

func.func @switch_case_segments(%a: i32) {
  // expected-error @+1 {{'cf.switch' op caseOperands count (0) does not match with the total size (1) specified in attribute 'case_operand_segments'}}
  "cf.switch"(%a)[^next, ^next] <{case_operand_segments = array<i32: 1>, case_values = dense<3> : vector<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^next:
  return
}

// -----

func.func @switch_value_type(%a: i32) {
  // expected-error @+1 {{'cf.switch' op 'flag' type ('i32') should match case value type ('i64')}}
  "cf.switch"(%a)[^next, ^next] <{case_operand_segments = array<i32: 0>, case_values = dense<3> : vector<1xi64>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^next:
  return
}

// -----

func.func @switch_value_count(%a: i32) {
  // expected-error @+1 {{'cf.switch' op number of case values (2) should match number of case destinations (1)}}
  "cf.switch"(%a)[^next, ^next] <{case_operand_segments = array<i32: 0>, case_values = dense<[3, 4]> : vector<2xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
^next:
  return
}
