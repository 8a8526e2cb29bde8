// RUN: freehold opt %s --split-input-file --verify-diagnostics --verify-returned-buffers
// RUN: freehold opt %s --split-input-file --verify-diagnostics --native-pipeline=dealloc=clone
// RUN: freehold opt %s --split-input-file --verify-diagnostics --native-pipeline="workspace=argument dealloc=none"

// A view beside its buffer.
func.func private @view() -> (memref<4xi64>, memref<2xi64, strided<[?], offset: ?>>) attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  %v = memref.subview %a[1] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 1>>
  %c = memref.cast %v : memref<2xi64, strided<[1], offset: 1>> to memref<2xi64, strided<[?], offset: ?>>
  return %a, %c : memref<4xi64>, memref<2xi64, strided<[?], offset: ?>>
}

func.func @main(%x: i64, %i: index) -> i64 {
  // expected-note @+1 {{copied here}}
  %r:2 = call @view() : () -> (memref<4xi64>, memref<2xi64, strided<[?], offset: ?>>)
  // expected-error @+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
  memref.store %x, %r#0[%i] : memref<4xi64>
  // expected-note @+1 {{read here}}
  %v = memref.load %r#1[%i] : memref<2xi64, strided<[?], offset: ?>>
  return %v : i64
}

// -----

// One of two, or the argument; written by a callee, read under another name of the argument.
func.func private @one(%a: memref<4xi64>, %c: i1) -> memref<4xi64> attributes {no_inline} {
  %n = memref.alloc() : memref<4xi64>
  %r = arith.select %c, %a, %n : memref<4xi64>
  return %r : memref<4xi64>
}

func.func private @write(%a: memref<4xi64>, %x: i64) attributes {no_inline} {
  linalg.fill ins(%x : i64) outs(%a : memref<4xi64>)
  return
}

func.func @main(%c: i1, %x: i64, %i: index) -> i64 {
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<4xi64>)
  %d = memref.cast %a : memref<4xi64> to memref<?xi64>
  // expected-note @+1 {{copied here}}
  %r = call @one(%a, %c) : (memref<4xi64>, i1) -> memref<4xi64>
  // expected-error @+1 {{'func.call' op writes through one of two names of a buffer that has to be copied}}
  call @write(%r, %x) : (memref<4xi64>, i64) -> ()
  // expected-note @+1 {{read here}}
  %v = memref.load %d[%i] : memref<?xi64>
  return %v : i64
}

// -----

// Callees that get both names see what they write, and what comes to the same as copies is let alone.
func.func private @view() -> (memref<4xi64>, memref<2xi64, strided<[?], offset: ?>>) attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  %v = memref.subview %a[1] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 1>>
  %c = memref.cast %v : memref<2xi64, strided<[1], offset: 1>> to memref<2xi64, strided<[?], offset: ?>>
  return %a, %c : memref<4xi64>, memref<2xi64, strided<[?], offset: ?>>
}

func.func private @both(%a: memref<4xi64>, %v: memref<2xi64, strided<[?], offset: ?>>, %x: i64, %i: index) -> i64 attributes {no_inline} {
  memref.store %x, %a[%i] : memref<4xi64>
  %y = memref.load %v[%i] : memref<2xi64, strided<[?], offset: ?>>
  return %y : i64
}

func.func @main(%x: i64, %i: index) -> i64 {
  // expected-note @+1 {{copied here}}
  %r:2 = call @view() : () -> (memref<4xi64>, memref<2xi64, strided<[?], offset: ?>>)
  // expected-note @+2 {{read here}}
  // expected-error @+1 {{'func.call' op writes through one of two names of a buffer that has to be copied}}
  %v = call @both(%r#0, %r#1, %x, %i) : (memref<4xi64>, memref<2xi64, strided<[?], offset: ?>>, i64, index) -> i64
  return %v : i64
}

// -----

func.func private @view() -> (memref<4xi64>, memref<2xi64, strided<[?], offset: ?>>) attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  %v = memref.subview %a[1] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 1>>
  %c = memref.cast %v : memref<2xi64, strided<[1], offset: 1>> to memref<2xi64, strided<[?], offset: ?>>
  return %a, %c : memref<4xi64>, memref<2xi64, strided<[?], offset: ?>>
}

func.func @reads_only(%i: index) -> i64 {
  %r:2 = call @view() : () -> (memref<4xi64>, memref<2xi64, strided<[?], offset: ?>>)
  %a = memref.load %r#0[%i] : memref<4xi64>
  %b = memref.load %r#1[%i] : memref<2xi64, strided<[?], offset: ?>>
  %v = arith.addi %a, %b : i64
  return %v : i64
}

// -----

// Callers see what is written to their buffers, and would not see this.
func.func private @either(%a: memref<4xi64>, %c: i1) -> memref<4xi64> attributes {no_inline} {
  %b = memref.alloc() : memref<4xi64>
  %r = arith.select %c, %a, %b : memref<4xi64>
  return %r : memref<4xi64>
}

func.func @for_callers(%a: memref<4xi64>, %c: i1, %x: i64, %i: index) {
  // expected-note @+1 {{copied here}}
  %r = call @either(%a, %c) : (memref<4xi64>, i1) -> memref<4xi64>
  // expected-error @+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied}}
  memref.store %x, %r[%i] : memref<4xi64>
  // expected-note @+1 {{read here}}
  return
}

func.func @to_callers(%c: i1, %x: i64, %i: index) -> memref<4xi64> {
  %a = memref.alloc() : memref<4xi64>
  // expected-note @+1 {{copied here}}
  %r = call @either(%a, %c) : (memref<4xi64>, i1) -> memref<4xi64>
  // expected-error @+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied}}
  memref.store %x, %a[%i] : memref<4xi64>
  // expected-note @+1 {{read here}}
  return %r : memref<4xi64>
}

// Nobody has the other name any more.
func.func @alone(%c: i1, %x: i64, %i: index) -> memref<4xi64> {
  %a = memref.alloc() : memref<4xi64>
  %r = call @either(%a, %c) : (memref<4xi64>, i1) -> memref<4xi64>
  memref.store %x, %r[%i] : memref<4xi64>
  return %r : memref<4xi64>
}
