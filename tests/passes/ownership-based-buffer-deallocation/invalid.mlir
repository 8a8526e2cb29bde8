// RUN: freehold opt %s --ownership-based-buffer-deallocation --split-input-file --verify-diagnostics

func.func @stored(%m: memref<2xf32>, %mm: memref<1xmemref<2xf32>>, %i: index) {
  %a = memref.alloc() : memref<2xf32>
  // expected-error @+2 {{'memref.store' op buffer escapes}}
  // expected-note @+1 {{run with '--dealloc=none'}}
  memref.store %a, %mm[%i] : memref<1xmemref<2xf32>>
  return
}

// -----

func.func @frees_argument(%m: memref<2xf32>) {
  // expected-error @+1 {{memory free side-effect on MemRef value not supported!}}
  memref.dealloc %m : memref<2xf32>
  return
}

// -----

func.func @used_after_free(%i: index) -> f32 {
  // expected-note @+1 {{allocated here}}
  %a = memref.alloc() : memref<2xf32>
  // expected-error @+1 {{buffer is freed here but used afterwards or freed again}}
  memref.dealloc %a : memref<2xf32>
  %x = memref.load %a[%i] : memref<2xf32>
  return %x : f32
}

// -----

func.func @freed_twice(%c: i1) {
  // expected-note @+1 {{allocated here}}
  %a = memref.alloc() : memref<2xf32>
  // expected-error @+1 {{buffer is freed here but used afterwards or freed again}}
  memref.dealloc %a : memref<2xf32>
  scf.if %c {
    memref.dealloc %a : memref<2xf32>
  }
  return
}
