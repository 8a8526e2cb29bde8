// RUN: freehold opt %s --use-workspace="mode=static" --split-input-file --verify-diagnostics

func.func @returned() -> memref<4xf32> {
  // expected-error @+1 {{'memref.alloc' op cannot be part of a workspace: it leaves the function or the iteration of the loop}}
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// -----

func.func @carried(%first: memref<4xf32>, %c0: index, %c1: index) {
  %last = scf.for %i = %c0 to %c1 step %c1 iter_args(%old = %first) -> (memref<4xf32>) {
    // expected-error @+1 {{cannot be part of a workspace: it leaves the function or the iteration of the loop}}
    %new = memref.alloc() : memref<4xf32>
    scf.yield %new : memref<4xf32>
  }
  return
}

// -----

func.func @unknown_size(%sizes: memref<2xindex>, %x: f32) {
  %c0 = arith.constant 0 : index
  %n = memref.load %sizes[%c0] : memref<2xindex>
  // expected-error @+1 {{'memref.alloc' op cannot be part of a workspace: its size is not known when the function begins}}
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

func.func @grows(%n: index) {
  // expected-error @+1 {{'memref.alloc' op cannot be part of a workspace}}
  %a = memref.alloc() : memref<4xf32>
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  // expected-error @+1 {{'memref.realloc' op cannot be part of a workspace: it grows}}
  %b = memref.realloc %c(%n) : memref<?xf32> to memref<?xf32>
  // expected-error @+1 {{'memref.dealloc' op frees memory that is not of the workspace}}
  memref.dealloc %b : memref<?xf32>
  return
}

// -----

func.func @freed(%x: memref<4xf32>) {
  // expected-error @+1 {{'memref.dealloc' op frees memory that is not of the workspace}}
  memref.dealloc %x : memref<4xf32>
  return
}

// -----

func.func @parallel(%x: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  // expected-error @+1 {{is made by iterations that run at the same time}}
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %a = memref.alloc() : memref<4xf32>
    %v = memref.load %x[%i] : memref<8xf32>
    memref.store %v, %a[%c0] : memref<4xf32>
    %w = memref.load %a[%c0] : memref<4xf32>
    memref.store %w, %x[%i] : memref<8xf32>
    memref.dealloc %a : memref<4xf32>
  }
  return
}

// -----

func.func private @again(%n: index, %x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  // expected-error @+1 {{'func.call' op is a call in a circle: the workspace of function 'again' has no size}}
  call @again(%n, %x) : (index, memref<4xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{function 'run_time' needs memory of a size of run time, so it has no static workspace}}
func.func @run_time(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xf32>
  memref.store %x, %a[%c0] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return
}

// -----

// expected-error @+1 {{function 'by_address' is called by its address, so it may run while it runs}}
func.func @by_address(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

func.func private @hidden() -> ((memref<4xf32>) -> ()) {
  %f = func.constant @by_address : (memref<4xf32>) -> ()
  return %f : (memref<4xf32>) -> ()
}

// -----

func.func @one(%x: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.copy %x, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %x : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  return
}

func.func private @between(%x: memref<4xf32>) {
  call @one(%x) : (memref<4xf32>) -> ()
  return
}

func.func @at_once(%x: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    // expected-error @+1 {{is made by iterations that run at the same time, and the static workspace of function 'between' is for one}}
    func.call @between(%x) : (memref<4xf32>) -> ()
  }
  return
}
