// What the verifier says of the structure around operations, in mlir-opt's words.

// RUN: freehold opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

func.func @operand_count(%a: i32) {
  // expected-error @+1 {{'arith.addi' op expected 2 operands, but found 1}}
  %r = "arith.addi"(%a) : (i32) -> i32
  // expected-error @+1 {{'arith.negf' op requires a single operand}}
  %s = "arith.negf"() : () -> f32
  // expected-error @+1 {{'arith.constant' op requires zero operands}}
  %t = "arith.constant"(%a) <{value = 1 : i32}> : (i32) -> i32
  // expected-error @+1 {{'memref.load' op expected 1 or more operands, but found 0}}
  %u = "memref.load"() : () -> f32
  return
}

// -----

func.func @result_count(%a: i32) {
  // expected-error @+1 {{'arith.addi' op requires one result}}
  "arith.addi"(%a, %a) : (i32, i32) -> ()
  // expected-error @+1 {{'arith.addui_extended' op expected 2 results}}
  %r = "arith.addui_extended"(%a, %a) : (i32, i32) -> i32
  // expected-error @+1 {{'cf.assert' op requires zero results}}
  %s = "cf.assert"(%a) <{msg = "m"}> : (i32) -> i32
  return
}

// -----

func.func @types(%f: f32, %m: memref<?xf32>, %a: i32) {
  // expected-error @+1 {{'arith.addi' op operand #0 must be signless-integer-like, but got 'f32'}}
  %r = "arith.addi"(%f, %f) : (f32, f32) -> f32
  // expected-error @+1 {{'memref.load' op operand #0 must be memref of any type values, but got 'f32'}}
  %s = "memref.load"(%f, %a) : (f32, i32) -> f32
  // expected-error @+1 {{'memref.load' op operand #1 must be variadic of index, but got 'i32'}}
  %t = "memref.load"(%m, %a) : (memref<?xf32>, i32) -> f32
  // expected-error @+1 {{'memref.alloc' op result #0 must be memref of any type values, but got 'i32'}}
  %u = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> i32
  return
}

// -----

func.func @same_types(%a: i32, %b: i64, %v: vector<4xi32>, %w: vector<5xi32>) {
  // expected-error @+1 {{'arith.addi' op requires the same type for all operands and results}}
  %r = "arith.addi"(%a, %b) : (i32, i64) -> i32
  // expected-error @+1 {{'arith.addi' op requires the same type for all operands and results}}
  %s = "arith.addi"(%v, %w) : (vector<4xi32>, vector<5xi32>) -> vector<4xi32>
  return
}

// -----

func.func @regions(%c: i1) {
  // expected-error @+1 {{'func.call' op requires zero regions}}
  "func.call"() <{callee = @regions}> ({}) : () -> ()
  // expected-error @+1 {{'scf.if' op expected 2 regions}}
  "scf.if"(%c) ({}) : (i1) -> ()
  return
}

// -----

func.func @attributes() {
  // expected-error @+1 {{'func.call' op requires attribute 'callee'}}
  "func.call"() : () -> ()
  // expected-error @+1 {{'func.call' op attribute 'callee' failed to satisfy constraint: flat symbol reference attribute}}
  "func.call"() {callee = 3} : () -> ()
  return
}

// -----

func.func @optional_group(%m: memref<?xf32>, %i: index) {
  // expected-error @+1 {{'memref.realloc' op operand group starting at #1 requires 0 or 1 element, but found 2}}
  %r = "memref.realloc"(%m, %i, %i) : (memref<?xf32>, index, index) -> memref<4xf32>
  return
}

// -----

func.func @no_terminator() {
  // expected-error @+1 {{block with no terminator, has %0 = "arith.constant"() <{value = 1 : i32}> : () -> i32}}
  %c1 = arith.constant 1 : i32
}

// -----

// An operation that is not registered may be a terminator.
func.func @unregistered_terminator() {
  "x.end"() : () -> ()
}

// -----

// expected-error @+1 {{empty block: expect at least a terminator}}
func.func @empty_block() {
  cf.br ^next
^next:
}

// -----

func.func @return_in_the_middle() {
  // expected-error @+1 {{'func.return' op must be the last operation in the parent block}}
  return
  return
}

// -----

func.func @branch_in_the_middle() {
  // expected-error @+1 {{operation with block successors must terminate its parent block}}
  "x.branch"()[^next] : () -> ()
  cf.br ^next
^next:
  return
}

// -----

func.func @branch_to_entry() {
  // expected-error @+1 {{entry block of region may not have predecessors}}
  "x.op"() ({
  ^entry:
    "x.branch"()[^entry] : () -> ()
  }) : () -> ()
  return
}

// -----

// expected-error @+1 {{'builtin.module' op expects region #0 to have 0 or 1 blocks}}
"builtin.module"() ({
  "x.branch"()[^next] : () -> ()
^next:
  "x.end"() : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{'builtin.module' op region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks}}
"builtin.module"() ({}) : () -> ()

// -----

// expected-error @+1 {{'builtin.module' op region should have no arguments}}
"builtin.module"() ({
^bb0(%x: i32):
  "x.op"() : () -> ()
}) : () -> ()

// -----

// Operations of a known dialect must be known, those of the test dialect need not.
func.func @unknown() {
  // expected-error @+1 {{unregistered operation 'func.unknown' found in dialect ('func') that does not allow unknown operations}}
  "func.unknown"() : () -> ()
  "test.unknown"() : () -> ()
  return
}

// -----

// Of an operation only the first error is reported, of a program all.
module {
  func.func @first(%a: i32) {
    // expected-error @+1 {{'func.call' op 'nobody' does not reference a valid function}}
    call @nobody() : () -> ()
    return
  }
  module @nested {
    func.func @second(%a: i32) -> i64 {
      // expected-error @+1 {{type of return operand 0 ('i32') doesn't match function result type ('i64') in function @second}}
      return %a : i32
    }
  }
  // expected-error @+1 {{'func.func' op symbol declaration cannot have public visibility}}
  func.func @third()
}

// -----

// An operation in the place of a terminator that is wrong itself is reported once.
func.func @wrong_last(%x: f32) {
  // expected-error @+1 {{'memref.dealloc' op operand #0 must be ranked or unranked memref of any type values, but got 'f32'}}
  "memref.dealloc"(%x) : (f32) -> ()
}

// -----

func.func @wrong_last_by_its_rules(%v: !async.value<f32>) {
  // expected-error @+1 {{'async.await' op result type 'f64' does not match async value type 'f32'}}
  %0 = "async.await"(%v) : (!async.value<f32>) -> f64
}
