// RUN: freehold opt %s --split-input-file --verify-diagnostics --vectorize-loops=remarks=true -o /dev/null

// What the pass says of innermost loops that stay scalar. Of those in vectors it says nothing.

func.func @in_vectors(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i] : memref<64xf32>
  }
  return
}

// -----

func.func @order(%a: memref<64xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  // expected-remark @below {{loop not vectorized: 'arith.addf' needs the result of the iteration before}}
  %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%before = %zero) -> (f32) {
    %x = memref.load %a[%i] : memref<64xf32>
    // expected-note @below {{here}}
    %next = arith.addf %before, %x : f32
    scf.yield %next : f32
  }
  return %sum : f32
}

// -----

func.func @overlap(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c63 = arith.constant 63 : index
  // expected-remark @below {{loop not vectorized: another iteration may access what 'memref.store' writes}}
  scf.for %i = %c0 to %c63 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    %next = arith.addi %i, %c1 : index
    // expected-note @below {{here}}
    memref.store %x, %a[%next] : memref<64xf32>
  }
  return
}

// -----

func.func @distance(%a: memref<64xf32>, %b: memref<64x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @below {{loop not vectorized: 'memref.store' accesses elements that are not adjacent}}
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xf32>
    // expected-note @below {{here}}
    memref.store %x, %b[%i, %c0] : memref<64x16xf32>
  }
  return
}

// -----

func.func private @f(f32) -> f32

func.func @call(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // Of the loops here, the outer one is not worth a remark.
  scf.for %k = %c0 to %c64 step %c1 {
    // expected-remark @below {{loop not vectorized: 'func.call' may access any memory}}
    scf.for %i = %c0 to %c64 step %c1 {
      %x = memref.load %a[%i] : memref<64xf32>
      // expected-note @below {{here}}
      %y = func.call @f(%x) : (f32) -> f32
      memref.store %y, %a[%i] : memref<64xf32>
    }
  }
  return
}

// -----

func.func @form(%a: memref<64xi64>, %b: memref<64xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // expected-remark @below {{loop not vectorized: 'arith.divsi' has no vector form}}
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %a[%i] : memref<64xi64>
    %y = memref.load %b[%i] : memref<64xi64>
    // expected-note @below {{here}}
    %z = arith.divsi %x, %y : i64
    memref.store %z, %a[%i] : memref<64xi64>
  }
  return
}

// -----

func.func @step(%a: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  // expected-remark @below {{loop not vectorized: its counter is no index with a step of 1}}
  scf.for %i = %c0 to %c64 step %c2 {
    %x = memref.load %a[%i] : memref<64xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i] : memref<64xf32>
  }
  return
}

// -----

func.func @short(%a: memref<3xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // expected-remark @below {{loop not vectorized: it has fewer iterations than a vector has lanes}}
  scf.for %i = %c0 to %c3 step %c1 {
    %x = memref.load %a[%i] : memref<3xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %a[%i] : memref<3xf32>
  }
  return
}

// -----

func.func @bounds(%a: memref<64x64xf32>, %b: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %x = memref.load %b[%i] : memref<64xf32>
    // expected-remark @below {{loop not vectorized: 'memref.store' accesses elements that are not adjacent}}
    scf.for %k = %c0 to %i step %c1 {
      // expected-note @below {{here}}
      memref.store %x, %a[%k, %i] : memref<64x64xf32>
    }
  }
  return
}
