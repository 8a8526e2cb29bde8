// RUN: freehold opt %s --delay-mpi-waits | FileCheck %s

// What was received is read later than what is computed meanwhile; the buffer that is sent is read, but not written.
// CHECK-LABEL: func.func @later(
// CHECK:         %[[R:.*]] = mpi.irecv
// CHECK:         %[[S:.*]] = mpi.isend
// CHECK-NEXT:    memref.load %{{.*}}[%{{.*}}] : memref<8xf32>
// CHECK-NEXT:    mpi.wait(%[[R]])
// CHECK-NEXT:    memref.load %{{.*}} : memref<4xf32>
// CHECK-NEXT:    mpi.wait(%[[S]])
// CHECK-NEXT:    memref.store
func.func @later(%x: f32, %n: i32, %comm: !mpi.comm) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %own = memref.alloc() : memref<8xf32>
  %halo = memref.alloc() : memref<4xf32>
  %r = mpi.irecv(%halo, %n, %n, %comm) : memref<4xf32>, i32, i32 -> !mpi.request
  %s = mpi.isend(%own, %n, %n, %comm) : memref<8xf32>, i32, i32 -> !mpi.request
  mpi.wait(%r) : !mpi.request
  mpi.wait(%s) : !mpi.request
  %y = memref.load %own[%c0] : memref<8xf32>
  %z = memref.load %halo[%c0] : memref<4xf32>
  memref.store %x, %own[%c0] : memref<8xf32>
  return %y, %z : f32, f32
}

func.func private @unknown()

// Nobody knows what a function does.
// CHECK-LABEL: func.func @call(
// CHECK:         mpi.wait
// CHECK-NEXT:    call @unknown
func.func @call(%m: memref<8xf32>, %n: i32, %comm: !mpi.comm) {
  %s = mpi.isend(%m, %n, %n, %comm) : memref<8xf32>, i32, i32 -> !mpi.request
  mpi.wait(%s) : !mpi.request
  call @unknown() : () -> ()
  return
}
