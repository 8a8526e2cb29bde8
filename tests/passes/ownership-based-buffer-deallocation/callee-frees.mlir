// Functions that free buffers themselves, under conditions, return what they do not own: their callers have to free as well.
//
// RUN: freehold opt %s --split-input-file --verify-diagnostics --ownership-based-buffer-deallocation
// RUN: freehold opt %s --split-input-file --verify-diagnostics --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true
// RUN: freehold opt %s --split-input-file --verify-diagnostics --hlo-deallocation-pipeline
// RUN: freehold opt %s --split-input-file --verify-diagnostics --native-pipeline=dealloc=copy

func.func private @argument(%m: memref<4xi64>, %c: i1) -> memref<4xi64> attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  scf.if %c {
    // expected-note @+1 {{the callee frees here}}
    memref.dealloc %a : memref<4xi64>
  }
  %s = arith.select %c, %m, %a : memref<4xi64>
  return %s : memref<4xi64>
}

// What is returned in any case is the question of the next caller.
func.func private @handed_on(%m: memref<4xi64>, %c: i1) -> memref<4xi64> attributes {no_inline} {
  %r = call @argument(%m, %c) : (memref<4xi64>, i1) -> memref<4xi64>
  return %r : memref<4xi64>
}

func.func @main(%m: memref<4xi64>, %c: i1, %i: index) -> i64 {
  // expected-error @+1 {{'func.call' op may return a buffer that the callee does not own: functions that free buffers themselves need callers that do}}
  %r = call @handed_on(%m, %c) : (memref<4xi64>, i1) -> memref<4xi64>
  %v = memref.load %r[%i] : memref<4xi64>
  return %v : i64
}

// -----

func.func private @argument(%m: memref<4xi64>, %c: i1) -> memref<4xi64> attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  scf.if %c {
    // expected-note @+1 {{the callee frees here}}
    memref.dealloc %a : memref<4xi64>
  }
  %s = arith.select %c, %m, %a : memref<4xi64>
  return %s : memref<4xi64>
}

// By address, and returned under a condition only.
func.func @main(%m: memref<4xi64>, %c: i1, %i: index) -> (memref<4xi64>) {
  %f = func.constant @argument : (memref<4xi64>, i1) -> memref<4xi64>
  // expected-error @+1 {{op may return a buffer that the callee does not own}}
  %r = func.call_indirect %f(%m, %c) : (memref<4xi64>, i1) -> memref<4xi64>
  cf.cond_br %c, ^one, ^two
^one:
  return %r : memref<4xi64>
^two:
  %b = memref.alloc() : memref<4xi64>
  return %b : memref<4xi64>
}
