// What is wrong with tokens, operations, blocks, names and locations, in
// mlir-opt's words; invalid-peer.mlir runs mlir-opt on this file.

// RUN: freehold opt %s --split-input-file --verify-diagnostics

// -----

// expected-error @+1 {{expected non-function type}}
func.func @f( {
 return }

// -----

func.func @f() {
// expected-error @+1 {{expected operation name in quotes}}
 return

// -----

func.func @f() {
// expected-error @+1 {{expected '"' in string literal}}
 %0 = "foo
 return }

// -----

// expected-error @+1 {{expected '"' in string literal}}
"abc

// -----

func.func @f() {
// expected-error @+1 {{invalid SSA name}}
 return %

// -----

// expected-error @+1 {{unexpected character}}
func.func @f() { é }

// -----

func.func @f() {
// expected-error @+1 {{unknown escape in string literal}}
 %0 = arith.constant "a\q" : i32
 return }

// -----

func.func @f() {
// expected-error @+1 {{use of undeclared SSA value name}}
 return %x : i32
}

// -----

func.func @f() {
// expected-error @+1 {{reference to an undefined block}}
 cf.br ^bb1
}

// -----

func.func @f() {
 cf.br ^bb1
^bb1:
 return
// expected-error @+1 {{redefinition of block '^bb1'}}
^bb1:
 return
}

// -----

// expected-error @+2 {{region entry argument '%a' is already in use}}
// expected-note @+1 {{previously referenced here}}
func.func @f(%a: i32, %a: i32) {
 return }

// -----

// expected-note @+1 {{previously defined here}}
func.func @f(%a: i32) {
// expected-error @+1 {{redefinition of SSA value '%a'}}
 %a = arith.constant 1 : i32
 return }

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{operation defines 1 results but was provided 2 to bind}}
 %b:2 = arith.constant 1 : i32
 return }

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected named operation to have at least 1 result}}
 %b:0 = arith.constant 1 : i32
 return }

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{cannot name an operation with no results}}
 %b = func.call @f(%a) : (i32) -> ()
 return }

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected '=' after SSA name}}
 %b arith.constant 1 : i32
 return }

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{cannot name an operation with no results}}
 %b =
 return }

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{reference to invalid result number}}
 func.call @f(%a#1) : (i32) -> ()
 return }

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{invalid SSA value result number}}
 func.call @f(%a#x) : (i32) -> ()
 return }

// -----

// expected-error @+1 {{result number not allowed in argument list}}
func.func @f(%a#1: i32) {
 return }

// -----

// expected-error @+1 {{expected non-function type}}
func.func @f(%a: i32) -> {
 return }

// -----

// expected-error @+1 {{expected operation name in quotes}}
"builtin.module"() ({

// -----

// expected-error @+1 {{expected ')' to end operand list}}
"builtin.module"( ({}) : () -> ()

// -----

// expected-error @+1 {{expected operation name in quotes}}
"builtin.module"() ({ : () -> ()

// -----

// expected-error @+1 {{expected '{' to begin a region}}
"builtin.module"() ({}, : () -> ()

// -----

// expected-error @+1 {{expected ':' followed by operation type}}
"builtin.module"() ({}) () -> ()

// -----

// expected-error @+1 {{expected function type}}
"builtin.module"() ({}) : i32

// -----

// expected-error @+1 {{expected 0 operand types but had 1}}
"builtin.module"() ({}) : (i32) -> ()

// -----

// expected-error @+1 {{empty operation name is invalid}}
""() : () -> ()

// -----

// expected-error @+1 {{expected ',' or ']'}}
"func.return"() [^bb1 : () -> ()

// -----

// expected-error @+1 {{successors in non-terminator}}
"func.call"()[^bb1] : () -> ()

// -----

// expected-error @+1 {{expected '}' in attribute dictionary}}
"func.return"() <{a = 1> : () -> ()

// -----

// expected-error @+1 {{expected '>' to close properties}}
"func.return"() <{a = 1} : () -> ()

// -----

// expected-error @+1 {{integer literal not valid for specified type}}
"func.return"() {a = 1 : () -> ()

// -----

// expected-error @+1 {{custom op 'foo' is unknown (tried 'builtin.foo' as well)}}
foo

// -----

// expected-error @+1 {{expected operation name in quotes}}
12

// -----

// expected-error @+1 {{expected operation name in quotes}}
^bb0:

// -----

// expected-error @+1 {{expected operation name in quotes}}
}

// -----

// expected-error @+1 {{expected operation name in quotes}}
)

// -----

func.func @f() {
// expected-error @+1 {{expected ':' and type for SSA operand}}
^bb0(%a: i32, %b):
 return }

// -----

func.func @f() {
// expected-error @+1 {{expected ':' and type for SSA operand}}
^bb0(%a i32):
 return }

// -----

func.func @f() {
// expected-error @+1 {{expected ')'}}
^bb0(%a: i32
 return }

// -----

func.func @f() {
// expected-error @+1 {{expected ':' after block name}}
^bb0(%a: i32)
 return }

// -----

func.func @f() {
// expected-error @+1 {{expected SSA operand}}
^bb0(:
 return }

// -----

func.func @f() {
// expected-error @+1 {{expected ':' after block name}}
^bb0
 return }

// -----

func.func @f() {
// expected-error @+1 {{invalid block name}}
^
 return }

// -----

func.func @f() {
 return
// expected-error @+1 {{expected operation name in quotes}}
}
}

// -----

func.func @f() {
// expected-error @+1 {{expected location instance}}
 return loc(
}

// -----

func.func @f() {
// expected-error @+1 {{expected '(' in location}}
 return loc
}

// -----

func.func @f() {
// expected-error @+1 {{operation location alias was never defined}}
 return loc(#a)
}

// -----

func.func @f() {
// expected-error @+1 {{expected location, but found '1 : i64'}}
 return loc(#a)
}
#a = 1

// -----

func.func @f() {
// expected-error @+1 {{expected location, but found dialect attribute: '#a.b'}}
 return loc(#a.b)
}

// -----

// expected-error @+1 {{expected ')' in location}}
func.func @f() loc("a":1:1 {
 return
}

// -----

func.func @f() {
// expected-error @+1 {{expected ':'}}
 cf.br ^bb1(%a)
^bb1:
 return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{custom op 'cf.br' 1 operands present, but expected 2}}
 cf.br ^bb1(%a : i32, i32)
^bb1:
 return
}

// -----

// expected-note @+1 {{prior use here}}
func.func @f(%a: i32) {
// expected-error @+1 {{use of value '%a' expects different type than prior uses: 'i64' vs 'i32'}}
 cf.br ^bb1(%a : i64)
^bb1(%b: i64):
 return
}

// -----

func.func @f(%a: i32) {
// expected-error @+1 {{expected block name}}
 cf.br bb1
^bb1(%b: i64):
 return
}

// -----

func.func @f() {
// expected-error @+1 {{expected non-function type}}
 func.call @f() : () -> (i32, )
 return
}

// -----

// expected-error @+1 {{custom op 'func.func' expected valid '@'-identifier for symbol name}}
func.func f() {
 return
}

// -----

func.func @f() {
// expected-error @+1 {{expected SSA operand}}
 scf.if
}

// -----

// expected-error @+1 {{expected '{' to begin a region}}
module @a @b {}

// -----

// expected-error @+1 {{expected operation name in quotes}}
module {

// -----

// expected-error @+1 {{expected '{' to begin a region}}
module }

// -----

module {
 func.func @f() {
  return
// expected-error @+1 {{expected operation name in quotes}}
 }


// -----

// expected-error @+1 {{custom op 'func.func' expected non-empty function body}}
func.func @f() {
  // comment


 }

// -----

func.func @f() {
// expected-error @+1 {{expected operation name in quotes}}
  return // c
  // comment


// -----

// expected-error @+1 {{unexpected character}}
/

// -----

func.func @f() {
// expected-error @+1 {{expected three consecutive dots for an ellipsis}}
  ..
}

// -----

func.func @f() {
// expected-error @+1 {{invalid attribute name}}
  #
}

// -----

func.func @f() {
// expected-error @+1 {{cannot name an operation with no results}}
  %0 = "func.call"() : () -> ()
 return
}

// -----

func.func @f() {
// expected-error @+1 {{operation defines 1 results but was provided 2 to bind}}
  %0, %1 = arith.constant 1 : i32
 return
}

// -----

func.func @f() {
// expected-error @+1 {{expected valid ssa identifier}}
  %0:2, = arith.constant 1 : i32
 return
}

// -----

func.func @f() {
// expected-error @+1 {{expected integer number of results}}
  %0:x = arith.constant 1 : i32
 return
}
