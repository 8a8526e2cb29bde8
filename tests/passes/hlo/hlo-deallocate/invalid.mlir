// What a program may not free itself.
//
// RUN: freehold opt %s --hlo-deallocate --split-input-file --verify-diagnostics --allow-unregistered-dialect

// A loop runs any number of times.
func.func @dealloc_in_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi32>
  // expected-error @+1 {{can't implicitly capture across loop boundaries; use an explicit iter arg instead}}
  scf.for %i = %c0 to %n step %c1 {
    memref.dealloc %a : memref<2xi32>
  }
  return
}

// -----

// The same in a choice in the loop.
func.func @realloc_in_loop(%n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xi32>
  // expected-error @+1 {{can't implicitly capture across loop boundaries; use an explicit iter arg instead}}
  scf.for %i = %c0 to %n step %c1 {
    %r = scf.if %c -> (memref<?xi32>) {
      %b = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
      scf.yield %b : memref<?xi32>
    } else {
      scf.yield %a : memref<?xi32>
    }
  }
  return
}

// -----

// Arguments belong to the caller.
func.func @argument(%n: index, %a: memref<?xi32>) {
  // expected-error @+1 {{unable to find ownership indicator for operand}}
  %b = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
  return
}

// -----

// One of the two belongs to the caller.
func.func @selected_argument(%c: i1, %a: memref<2xi32>) {
  %b = memref.alloc() : memref<2xi32>
  %s = arith.select %c, %a, %b : memref<2xi32>
  // expected-error @+1 {{unable to find ownership indicator for operand}}
  memref.dealloc %s : memref<2xi32>
  return
}

// -----

// Of too many, none is picked.
func.func @picked_too_deep(%c: i1) {
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  %s0 = arith.select %c, %a, %b : memref<2xi32>
  %s1 = arith.select %c, %s0, %b : memref<2xi32>
  %s2 = arith.select %c, %a, %s1 : memref<2xi32>
  %s3 = arith.select %c, %s2, %b : memref<2xi32>
  %s4 = arith.select %c, %a, %s3 : memref<2xi32>
  // expected-error @+1 {{unable to find ownership indicator for operand}}
  memref.dealloc %s4 : memref<2xi32>
  return
}

// -----

// expected-error @+1 {{invalid realloc of memref}}
func.func @twice(%n: index) {
  %a = memref.alloc(%n) : memref<?xi32>
  %b = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
  %c = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
  return
}

// -----

// expected-error @+1 {{invalid realloc of memref}}
func.func @twice_in_choices(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xi32>
  %r = scf.if %c -> (memref<?xi32>) {
    %b = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
    scf.yield %b : memref<?xi32>
  } else {
    scf.yield %a : memref<?xi32>
  }
  %s = scf.if %c -> (memref<?xi32>) {
    %b = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
    scf.yield %b : memref<?xi32>
  } else {
    scf.yield %a : memref<?xi32>
  }
  return
}

// -----

func.func @twice_in_branch(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xi32>
  // expected-error @+1 {{same value released twice}}
  %r = scf.if %c -> (memref<?xi32>) {
    memref.dealloc %a : memref<?xi32>
    %b = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
    scf.yield %b : memref<?xi32>
  } else {
    scf.yield %a : memref<?xi32>
  }
  return
}

// -----

// The original does not look at what comes after.
func.func @used_afterwards(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  // expected-note @+1 {{allocated here}}
  %a = memref.alloc(%n) : memref<?xi32>
  // expected-error @+1 {{buffer is freed here but used afterwards or freed again}}
  %b = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
  %v = memref.load %a[%c0] : memref<?xi32>
  return %v : i32
}

// -----

// A loop that may carry a buffer of the caller must not free it.
func.func @maybe_argument(%n: index, %init: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> (memref<?xi32>) {
    // expected-error @+1 {{memref free side-effect on MemRef value not supported!}}
    %b = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
    scf.yield %b : memref<?xi32>
  }
  return
}
