// RUN: freehold opt %s --verify-ownership --verify-diagnostics --split-input-file

func.func @leak() {
  // expected-error @+1 {{buffer allocated here is never freed}}
  %buf = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{no reference to the buffer is left after this}}
  return
}

// -----

// The path is shown: both branches go the same way.
func.func @use_after_free(%c: i1, %x: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{buffer allocated here is used after it is freed}}
  %buf = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{branch taken here: condition is true}}
  scf.if %c {
    // expected-note @+1 {{freed here}}
    memref.dealloc %buf : memref<4xf32>
  }
  // expected-note @+1 {{branch taken here: condition is true}}
  scf.if %c {
    // expected-note @+1 {{used here}}
    memref.store %x, %buf[%c0] : memref<4xf32>
  } else {
    memref.dealloc %buf : memref<4xf32>
  }
  return
}

// -----

// The loop forgets one buffer, and hands one on that two values refer to.
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<4xf32>
  // expected-error @+1 {{buffer allocated here is not freed on every path}}
  %b = memref.alloc() : memref<4xf32>
  // expected-note @+3 {{the loop is entered here}}
  // expected-note @+2 {{no reference to the buffer is left after this}}
  // expected-note @+1 {{the loop is entered here}}
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b)
      -> (memref<4xf32>, memref<4xf32>) {
    // expected-error @+1 {{buffer allocated here is freed twice}}
    %t = memref.alloc() : memref<4xf32>
    memref.dealloc %p : memref<4xf32>
    // expected-note @+1 {{the loop ends here}}
    scf.yield %t, %t : memref<4xf32>, memref<4xf32>
  }
  // expected-note @+1 {{freed here}}
  memref.dealloc %r#0 : memref<4xf32>
  // expected-note @+1 {{freed again here}}
  memref.dealloc %r#1 : memref<4xf32>
  return
}

// -----

// expected-note @+1 {{the memory belongs to the caller of this function}}
func.func @argument(%m: memref<4xf32>) -> memref<4xf32> {
  // expected-error @+1 {{an argument is returned, but the caller frees results}}
  return %m : memref<4xf32>
}

// -----

// An entry whose condition does not hold hides nothing: the second is freed.
// The third is the second again.
func.func @dealloc(%c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  // expected-error @+1 {{buffer allocated here is freed twice}}
  %buf = memref.alloc() : memref<4xf32>
  // expected-note @+1 {{freed here}}
  bufferization.dealloc (%buf, %buf : memref<4xf32>, memref<4xf32>) if (%false, %true)
  // expected-note @+2 {{block argument #0 is true here}}
  // expected-note @+1 {{freed again here}}
  bufferization.dealloc (%buf : memref<4xf32>) if (%c)
  return
}
