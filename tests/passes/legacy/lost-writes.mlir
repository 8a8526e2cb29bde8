// A write that a copy would lose: through one of two names of a buffer, while the
// other name is read afterwards.
//
// RUN: freehold opt %s --buffer-deallocation --split-input-file --verify-diagnostics
// RUN: freehold opt %s --buffer-deallocation=introduce=copy --split-input-file --verify-diagnostics

// The argument of the loop is the first buffer, and then one of its own.
func.func @through_block_argument(%n: index, %x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi64>
  memref.store %x, %a[%c0] : memref<2xi64>
  // expected-note @+1 {{copied here}}
  cf.br ^head(%c0, %a : index, memref<2xi64>)
^head(%i: index, %p: memref<2xi64>):
  %t = memref.alloc() : memref<2xi64>
  memref.store %x, %t[%c0] : memref<2xi64>
  // expected-error @+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
  memref.store %x, %p[%c0] : memref<2xi64>
  %j = arith.addi %i, %c1 : index
  %c = arith.cmpi ult, %j, %n : index
  cf.cond_br %c, ^head(%j, %t : index, memref<2xi64>), ^end
^end:
  // expected-note @+1 {{read here}}
  %v = memref.load %a[%c0] : memref<2xi64>
  return %v : i64
}

// -----

// The other way round, through a view, with an operation on all elements.
func.func @through_original(%c: i1, %x: i64, %y: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<4xi64>)
  %r = scf.if %c -> (memref<4xi64>) {
    // expected-note @+1 {{copied here}}
    scf.yield %a : memref<4xi64>
  } else {
    %b = memref.alloc() : memref<4xi64>
    linalg.fill ins(%x : i64) outs(%b : memref<4xi64>)
    scf.yield %b : memref<4xi64>
  }
  %view = memref.subview %a[0] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1]>>
  // expected-error @+1 {{'linalg.fill' op writes through one of two names of a buffer}}
  linalg.fill ins(%y : i64) outs(%view : memref<2xi64, strided<[1]>>)
  // expected-note @+1 {{read here}}
  %v = memref.load %r[%c0] : memref<4xi64>
  return %v : i64
}

// -----

// A loop that begins with a buffer that is still read behind it.
func.func @through_iteration_argument(%n: index, %x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi64>
  memref.store %x, %a[%c0] : memref<2xi64>
  // expected-note @+1 {{copied here}}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a) -> (memref<2xi64>) {
    // expected-error @+1 {{'memref.store' op writes through one of two names of a buffer}}
    memref.store %x, %p[%c0] : memref<2xi64>
    %t = memref.alloc() : memref<2xi64>
    memref.store %x, %t[%c0] : memref<2xi64>
    scf.yield %t : memref<2xi64>
  }
  // expected-note @+1 {{read here}}
  %v = memref.load %a[%c0] : memref<2xi64>
  return %v : i64
}

// -----

// Nothing is lost: an element that is not read, one that is written again first, a buffer that each
// iteration makes, the first name after the last read of the second one, and a copy to itself.
func.func @nothing_lost(%n: index, %c: i1, %x: i64) -> (i64, i64, i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi64>
  %d = memref.alloc() : memref<2xi64>
  %e = memref.alloc() : memref<2xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<2xi64>)
  linalg.fill ins(%x : i64) outs(%d : memref<2xi64>)
  linalg.fill ins(%x : i64) outs(%e : memref<2xi64>)
  %r:3 = scf.if %c -> (memref<2xi64>, memref<2xi64>, memref<2xi64>) {
    scf.yield %a, %d, %e : memref<2xi64>, memref<2xi64>, memref<2xi64>
  } else {
    %f = memref.alloc() : memref<2xi64>
    %g = memref.alloc() : memref<2xi64>
    %h = memref.alloc() : memref<2xi64>
    linalg.fill ins(%x : i64) outs(%f : memref<2xi64>)
    linalg.fill ins(%x : i64) outs(%g : memref<2xi64>)
    linalg.fill ins(%x : i64) outs(%h : memref<2xi64>)
    scf.yield %f, %g, %h : memref<2xi64>, memref<2xi64>, memref<2xi64>
  }
  memref.store %x, %r#0[%c1] : memref<2xi64>
  %v = memref.load %a[%c0] : memref<2xi64>
  memref.store %x, %r#1[%c0] : memref<2xi64>
  memref.store %x, %d[%c0] : memref<2xi64>
  %w = memref.load %d[%c0] : memref<2xi64>
  memref.copy %r#2, %e : memref<2xi64> to memref<2xi64>
  %y = memref.load %r#2[%c0] : memref<2xi64>
  memref.store %x, %e[%c0] : memref<2xi64>
  %first = memref.alloc() : memref<2xi64>
  linalg.fill ins(%x : i64) outs(%first : memref<2xi64>)
  %z = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (memref<2xi64>) {
    memref.store %x, %p[%c0] : memref<2xi64>
    %t = memref.alloc() : memref<2xi64>
    linalg.fill ins(%x : i64) outs(%t : memref<2xi64>)
    %u = memref.load %t[%c0] : memref<2xi64>
    scf.yield %t : memref<2xi64>
  }
  %l = memref.load %z[%c0] : memref<2xi64>
  return %v, %w, %y, %l : i64, i64, i64, i64
}

// -----

// One buffer goes to two results, which get a copy each.
func.func @two_copies(%n: index, %x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<2xi64>)
  linalg.fill ins(%x : i64) outs(%b : memref<2xi64>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<2xi64>, memref<2xi64>) {
    %t = memref.alloc() : memref<2xi64>
    linalg.fill ins(%x : i64) outs(%t : memref<2xi64>)
    // expected-note @+1 {{copied here}}
    scf.yield %t, %t : memref<2xi64>, memref<2xi64>
  }
  // expected-error @+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
  memref.store %x, %r#0[%c0] : memref<2xi64>
  // expected-note @+1 {{read here}}
  %v = memref.load %r#1[%c0] : memref<2xi64>
  return %v : i64
}

// -----

// What is written through the other name is another element.
func.func @other_element(%n: index, %x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<2xi64>)
  linalg.fill ins(%x : i64) outs(%b : memref<2xi64>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<2xi64>, memref<2xi64>) {
    %t = memref.alloc() : memref<2xi64>
    linalg.fill ins(%x : i64) outs(%t : memref<2xi64>)
    // expected-note @+1 {{copied here}}
    scf.yield %t, %t : memref<2xi64>, memref<2xi64>
  }
  // expected-error @+1 {{'memref.store' op writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
  memref.store %x, %r#0[%c0] : memref<2xi64>
  memref.store %x, %r#1[%c1] : memref<2xi64>
  // expected-note @+1 {{read here}}
  %v = memref.load %r#1[%c0] : memref<2xi64>
  return %v : i64
}

// -----

// It is the same one.
func.func @same_element(%n: index, %x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<2xi64>)
  linalg.fill ins(%x : i64) outs(%b : memref<2xi64>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<2xi64>, memref<2xi64>) {
    %t = memref.alloc() : memref<2xi64>
    linalg.fill ins(%x : i64) outs(%t : memref<2xi64>)
    scf.yield %t, %t : memref<2xi64>, memref<2xi64>
  }
  memref.store %x, %r#0[%c0] : memref<2xi64>
  memref.store %x, %r#1[%c0] : memref<2xi64>
  %v = memref.load %r#1[%c0] : memref<2xi64>
  return %v : i64
}

// -----

// Affine accesses: another element.
func.func @other_affine_element(%n: index, %x: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<2xi64>)
  linalg.fill ins(%x : i64) outs(%b : memref<2xi64>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<2xi64>, memref<2xi64>) {
    %t = memref.alloc() : memref<2xi64>
    linalg.fill ins(%x : i64) outs(%t : memref<2xi64>)
    // expected-note @+1 {{copied here}}
    scf.yield %t, %t : memref<2xi64>, memref<2xi64>
  }
  // expected-error @+1 {{'affine.store' op writes through one of two names of a buffer that has to be copied, and the other one is read afterwards}}
  affine.store %x, %r#0[0] : memref<2xi64>
  affine.store %x, %r#1[1] : memref<2xi64>
  // expected-note @+1 {{read here}}
  %v = memref.load %r#1[%c0] : memref<2xi64>
  return %v : i64
}

// -----

// Affine accesses: the same element is written again, and another one is read.
func.func @same_affine_element(%n: index, %x: i64) -> (i64, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi64>
  %b = memref.alloc() : memref<2xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<2xi64>)
  linalg.fill ins(%x : i64) outs(%b : memref<2xi64>)
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<2xi64>, memref<2xi64>) {
    %t = memref.alloc() : memref<2xi64>
    linalg.fill ins(%x : i64) outs(%t : memref<2xi64>)
    scf.yield %t, %t : memref<2xi64>, memref<2xi64>
  }
  affine.store %x, %r#0[symbol(%c1) - 1] : memref<2xi64>
  %u = affine.load %r#1[1] : memref<2xi64>
  affine.store %x, %r#1[0] : memref<2xi64>
  %v = affine.load %r#1[0] : memref<2xi64>
  return %u, %v : i64, i64
}
