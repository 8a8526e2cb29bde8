// RUN: freehold opt %s --split-input-file --verify-requests --verify-diagnostics

func.func @written(%m: memref<4xf32>, %x: f32, %n: i32, %i: index, %comm: !mpi.comm) {
  // expected-note @+1 {{the request is started here}}
  %r = mpi.isend(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  // Reading is allowed.
  %y = memref.load %m[%i] : memref<4xf32>
  // expected-error @+1 {{buffer is written before its request was waited for}}
  memref.store %x, %m[%i] : memref<4xf32>
  mpi.wait(%r) : !mpi.request
  return
}

// -----

func.func @read(%m: memref<4xf32>, %n: i32, %i: index, %comm: !mpi.comm) -> f32 {
  // expected-note @+1 {{the request is started here}}
  %r = mpi.irecv(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  %v = memref.cast %m : memref<4xf32> to memref<?xf32>
  // expected-error @+1 {{buffer is read before its request was waited for}}
  %y = memref.load %v[%i] : memref<?xf32>
  mpi.wait(%r) : !mpi.request
  return %y : f32
}

// -----

func.func @twice(%m: memref<4xf32>, %n: i32, %i: index, %comm: !mpi.comm) {
  // expected-note @+1 {{it is started here}}
  %r = mpi.irecv(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  scf.for %j = %i to %i step %i {
    // expected-error @+1 {{request is waited for a second time}}
    mpi.wait(%r) : !mpi.request
  }
  return
}

// -----

// Other parts of a buffer may be used.
func.func @parts(%m: memref<4x4xf32>, %x: f32, %n: i32, %i: index, %comm: !mpi.comm) {
  %row = memref.subview %m[0, 0] [1, 4] [1, 1] : memref<4x4xf32> to memref<4xf32>
  %r = mpi.isend(%row, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  memref.store %x, %m[%i, %i] : memref<4x4xf32>
  mpi.wait(%r) : !mpi.request
  return
}
