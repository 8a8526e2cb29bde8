// RUN: freehold opt %s --split-input-file --verify-diagnostics

// expected-note @+1 {{see existing symbol definition here}}
func.func private @twice(i32)
// expected-error @+1 {{redefinition of symbol named 'twice'}}
func.func private @twice(i64)

// -----

// Any kind of symbol counts; every other one is reported.
// expected-note @+2 {{see existing symbol definition here}}
// expected-note @+1 {{see existing symbol definition here}}
func.func private @many()
// expected-error @+1 {{redefinition of symbol named 'many'}}
module @many {}
// expected-error @+1 {{redefinition of symbol named 'many'}}
memref.global @many : memref<4xf32>

// -----

// Other tables are other names.
func.func private @name()
module @inner {
  func.func private @name()
}

// -----

func.func @outer() {
  // expected-error @+1 {{'func.func' op symbol's parent must have the SymbolTable trait}}
  func.func private @inside()
  return
}
