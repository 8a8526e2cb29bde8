// RUN: freehold opt %s --carry-request-buffers | FileCheck %s
// RUN: freehold opt %s --carry-request-buffers --keep-request-buffers --buffer-deallocation-pipeline --verify-ownership=strict
// RUN: freehold opt %s --carry-request-buffers --keep-request-buffers --hlo-deallocation-pipeline --verify-ownership=strict

// A loop waits for the transfer that the last iteration started, whose buffer is one of that iteration.
// CHECK-LABEL: func.func @loop(
// CHECK:         %[[S:.*]] = mpi.isend(%[[M:.*]], %{{.*}}, %{{.*}}, %{{.*}})
// CHECK:         %[[END:.*]]:2 = scf.for %{{.*}} iter_args(%[[Q:.*]] = %[[S]], %{{.*}} = %[[M]]) -> (!mpi.request, memref<4xf32>)
// CHECK:           mpi.wait(%[[Q]])
// CHECK:           %[[NEW:.*]] = memref.alloc()
// CHECK:           %[[U:.*]] = mpi.isend(%[[NEW]],
// CHECK:           scf.yield %[[U]], %[[NEW]] : !mpi.request, memref<4xf32>
// CHECK:         mpi.wait(%[[END]]#0)
func.func @loop(%n: i32, %i: index, %x: f32, %comm: !mpi.comm) {
  %m = memref.alloc() : memref<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %s = mpi.isend(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  %t = scf.for %j = %i to %i step %i iter_args(%q = %s) -> !mpi.request {
    mpi.wait(%q) : !mpi.request
    %new = memref.alloc() : memref<4xf32>
    memref.store %x, %new[%i] : memref<4xf32>
    %u = mpi.isend(%new, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
    scf.yield %u : !mpi.request
  }
  mpi.wait(%t) : !mpi.request
  return
}

// Buffers of different sizes.
// CHECK-LABEL: func.func @branch(
// CHECK:         %[[R:.*]]:2 = scf.if %{{.*}} -> (!mpi.request, memref<?xf32>)
// CHECK:           memref.cast %{{.*}} : memref<4xf32> to memref<?xf32>
// CHECK:           memref.cast %{{.*}} : memref<8xf32> to memref<?xf32>
// CHECK:         memref.assume_alignment %[[R]]#1, 1
// CHECK:         mpi.wait(%[[R]]#0)
func.func @branch(%c: i1, %n: i32, %comm: !mpi.comm) {
  %r = scf.if %c -> !mpi.request {
    %a = memref.alloc() : memref<4xf32>
    %0 = mpi.irecv(%a, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
    scf.yield %0 : !mpi.request
  } else {
    %b = memref.alloc() : memref<8xf32>
    %1 = mpi.irecv(%b, %n, %n, %comm) : memref<8xf32>, i32, i32 -> !mpi.request
    scf.yield %1 : !mpi.request
  }
  mpi.wait(%r) : !mpi.request
  return
}

// Blocks, which may come again; what the function begins with does not.
// CHECK-LABEL: func.func @blocks(
// CHECK:         cf.cond_br %{{.*}}, ^[[NEXT:.*]](%{{.*}}, %{{.*}} : !mpi.request, memref<4xf32>), ^
// CHECK:       ^[[NEXT]](%[[Q:.*]]: !mpi.request, %{{.*}}: memref<4xf32>):
func.func @blocks(%c: i1, %n: i32, %comm: !mpi.comm) {
  cf.br ^start
^start:
  %m = memref.alloc() : memref<4xf32>
  %r = mpi.irecv(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  cf.cond_br %c, ^next(%r : !mpi.request), ^other
^next(%q: !mpi.request):
  mpi.wait(%q) : !mpi.request
  return
^other:
  mpi.wait(%r) : !mpi.request
  cf.br ^start
}

// The buffer was there before.
// CHECK-LABEL: func.func @outside(
// CHECK:         scf.if %{{.*}} -> (!mpi.request) {
func.func @outside(%c: i1, %n: i32, %comm: !mpi.comm) {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.if %c -> !mpi.request {
    %0 = mpi.irecv(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
    scf.yield %0 : !mpi.request
  } else {
    %1 = mpi.isend(%m, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
    scf.yield %1 : !mpi.request
  }
  mpi.wait(%r) : !mpi.request
  return
}

// Someone hands on the buffer and does nothing with it: it would go.
// CHECK-LABEL: func.func @unused(
// CHECK:         scf.if %{{.*}} -> (!mpi.request, memref<4xf32>, memref<4xf32>)
func.func @unused(%c: i1, %n: i32, %comm: !mpi.comm) {
  %r:2 = scf.if %c -> (!mpi.request, memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    %0 = mpi.irecv(%a, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
    scf.yield %0, %a : !mpi.request, memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    %1 = mpi.irecv(%b, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
    scf.yield %1, %b : !mpi.request, memref<4xf32>
  }
  mpi.wait(%r#0) : !mpi.request
  return
}
