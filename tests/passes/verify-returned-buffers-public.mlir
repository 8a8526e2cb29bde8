// RUN: freehold opt %s --split-input-file --verify-diagnostics --verify-returned-buffers=public=true

// A function that others may call returns a copy of its argument, and a private one hands it on.
func.func @first(%a: memref<4xi64>) -> memref<4xi64> attributes {no_inline} {
  return %a : memref<4xi64>
}

func.func private @second(%a: memref<4xi64>) -> memref<4xi64> attributes {no_inline} {
  %r = call @first(%a) : (memref<4xi64>) -> memref<4xi64>
  return %r : memref<4xi64>
}

func.func @main(%x: i64, %i: index) -> i64 {
  %a = memref.alloc() : memref<4xi64>
  // expected-note @+1 {{copied here}}
  %r = call @second(%a) : (memref<4xi64>) -> memref<4xi64>
  // expected-error @+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied}}
  memref.store %x, %r[%i] : memref<4xi64>
  // expected-note @+1 {{read here}}
  %v = memref.load %a[%i] : memref<4xi64>
  return %v : i64
}

// -----

// The caller frees by conditions of its own, so what it calls keeps its signature, and returns copies.
func.func private @second_twice(%c: i1) -> (memref<4xi64>, memref<4xi64>) attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  %r = arith.select %c, %a, %b : memref<4xi64>
  return %r, %a : memref<4xi64>, memref<4xi64>
}

func.func @main(%x: i64, %i: index, %c: i1) -> i64 {
  // expected-note @+1 {{copied here}}
  %r:2 = call @second_twice(%c) : (i1) -> (memref<4xi64>, memref<4xi64>)
  // expected-error @+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied}}
  memref.store %x, %r#0[%i] : memref<4xi64>
  // expected-note @+1 {{read here}}
  %v = memref.load %r#1[%i] : memref<4xi64>
  %p = memref.extract_aligned_pointer_as_index %r#0 : memref<4xi64> -> index {freehold.allocated}
  %q = memref.extract_aligned_pointer_as_index %r#1 : memref<4xi64> -> index {freehold.allocated}
  %other = arith.cmpi ne, %p, %q : index
  scf.if %other {
    memref.dealloc %r#0 : memref<4xi64>
  }
  memref.dealloc %r#1 : memref<4xi64>
  return %v : i64
}

// -----

// Nobody knows which function this calls.
func.func private @twice() -> (memref<4xi64>, memref<4xi64>) {
  %a = memref.alloc() : memref<4xi64>
  return %a, %a : memref<4xi64>, memref<4xi64>
}

func.func private @other() -> (memref<4xi64>, memref<4xi64>) {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  return %a, %b : memref<4xi64>, memref<4xi64>
}

func.func @main(%x: i64, %i: index, %c: i1) -> i64 {
  %f = func.constant @twice : () -> (memref<4xi64>, memref<4xi64>)
  %g = func.constant @other : () -> (memref<4xi64>, memref<4xi64>)
  %h = arith.select %c, %f, %g : () -> (memref<4xi64>, memref<4xi64>)
  // expected-note @+1 {{copied here}}
  %r:2 = call_indirect %h() : () -> (memref<4xi64>, memref<4xi64>)
  // expected-error @+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied}}
  memref.store %x, %r#0[%i] : memref<4xi64>
  // expected-note @+1 {{read here}}
  %v = memref.load %r#1[%i] : memref<4xi64>
  return %v : i64
}

// -----

// A function that calls itself returns its argument in the end.
func.func @down(%a: memref<4xi64>, %n: index) -> memref<4xi64> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %is_last = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %is_last -> memref<4xi64> {
    scf.yield %a : memref<4xi64>
  } else {
    %less = arith.subi %n, %c1 : index
    %inner = func.call @down(%a, %less) : (memref<4xi64>, index) -> memref<4xi64>
    scf.yield %inner : memref<4xi64>
  }
  return %r : memref<4xi64>
}

func.func @main(%x: i64, %i: index, %n: index) -> i64 {
  %a = memref.alloc() : memref<4xi64>
  // expected-note @+1 {{copied here}}
  %r = call @down(%a, %n) : (memref<4xi64>, index) -> memref<4xi64>
  // expected-error @+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied}}
  memref.store %x, %r[%i] : memref<4xi64>
  // expected-note @+1 {{read here}}
  %v = memref.load %a[%i] : memref<4xi64>
  return %v : i64
}

// -----

// What nobody can tell is let alone.
func.func @first(%a: memref<4xi64>) -> memref<4xi64> attributes {no_inline} {
  return %a : memref<4xi64>
}

func.func private @second(%a: memref<4xi64>) -> memref<4xi64> attributes {no_inline} {
  %r = call @first(%a) : (memref<4xi64>) -> memref<4xi64>
  return %r : memref<4xi64>
}

func.func @main(%x: i64, %i: index) -> i64 {
  %a = memref.alloc() : memref<4xi64>
  memref.store %x, %a[%i] : memref<4xi64>
  %r = call @second(%a) : (memref<4xi64>) -> memref<4xi64>
  %v = memref.load %r[%i] : memref<4xi64>
  %w = memref.load %a[%i] : memref<4xi64>
  %s = arith.addi %v, %w : i64
  return %s : i64
}
