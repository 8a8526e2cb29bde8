// RUN: freehold opt %s --split-input-file --keep-request-buffers --verify-diagnostics | FileCheck %s

// On one path nobody waits.
// CHECK-LABEL: func.func @lost(
// CHECK:         memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
func.func @lost(%c: i1, %n: i32, %comm: !mpi.comm) {
  %m = memref.alloc() : memref<4xf32>
  // expected-warning @+1 {{request is not waited for on every path: its buffer is never freed}}
  %r = mpi.isend(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  scf.if %c {
    mpi.wait(%r) : !mpi.request
  }
  // expected-note @+1 {{it is lost here}}
  return
}

// -----

// The same condition twice is one path or the other, a loop waits for what the last iteration started, and a callee
// waits as well.
// CHECK-LABEL: func.func @awaited(
// CHECK-NOT:     manual_deallocation
func.func private @callee(!mpi.request)
func.func @awaited(%c: i1, %n: i32, %i: index, %comm: !mpi.comm) {
  %m = memref.alloc() : memref<4xf32>
  %r = mpi.isend(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  scf.if %c {
    mpi.wait(%r) : !mpi.request
  }
  scf.if %c {
  } else {
    func.call @callee(%r) : (!mpi.request) -> ()
  }
  %s = mpi.isend(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  %t = scf.for %j = %i to %i step %i iter_args(%q = %s) -> !mpi.request {
    mpi.wait(%q) : !mpi.request
    %u = mpi.isend(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
    scf.yield %u : !mpi.request
  }
  mpi.wait(%t) : !mpi.request
  return
}

// -----

// The caller knows nothing of the request.
func.func @argument(%m: memref<4xf32>, %n: i32, %comm: !mpi.comm) {
  // expected-error @+1 {{request is neither waited for on every path nor returned, and others free its buffer}}
  %r = mpi.isend(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  // expected-note @+1 {{it is lost here}}
  return
}

// -----

// The buffer is one of the branch.
// CHECK-LABEL: func.func @branch(
// CHECK:         memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
// CHECK:         memref.alloc() {bufferization.manual_deallocation} : memref<8xf32>
func.func @branch(%c: i1, %n: i32, %comm: !mpi.comm) {
  %r = scf.if %c -> !mpi.request {
    %a = memref.alloc() : memref<4xf32>
    // expected-warning @+1 {{request is handed on without its buffer, which is never freed}}
    %0 = mpi.irecv(%a, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
    // expected-note @+1 {{it is handed on here}}
    scf.yield %0 : !mpi.request
  } else {
    %b = memref.alloc() : memref<8xf32>
    // expected-warning @+1 {{request is handed on without its buffer, which is never freed}}
    %1 = mpi.irecv(%b, %n, %n, %comm) : memref<8xf32>, i32, i32 -> !mpi.request
    // expected-note @+1 {{it is handed on here}}
    scf.yield %1 : !mpi.request
  }
  mpi.wait(%r) : !mpi.request
  return
}
