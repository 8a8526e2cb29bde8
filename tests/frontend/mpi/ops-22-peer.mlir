// mlir-opt-22 reads what is printed here and prints the generic form alike.

// REQUIRES: mlir-opt-22
// RUN: mlir-opt-22 %s --mlir-print-op-generic > %t.theirs
// RUN: freehold opt %s --mlir-version=22 | mlir-opt-22 --mlir-print-op-generic > %t.ours
// RUN: diff %t.theirs %t.ours

func.func @f(%m: memref<100xf32>, %n: i32, %comm: !mpi.comm) {
  %r0:2 = mpi.irecv(%m, %n, %n, %comm) : memref<100xf32>, i32, i32 -> !mpi.retval, !mpi.request
  %r1 = mpi.isend(%m, %n, %n, %comm) : memref<100xf32>, i32, i32 -> !mpi.request
  mpi.init
  %comm_world = mpi.comm_world : !mpi.comm
  %code, %rank = mpi.comm_rank(%comm) : !mpi.retval, i32
  %size = mpi.comm_size(%comm) : i32
  %split = mpi.comm_split(%comm, %n, %n) : !mpi.comm
  mpi.send(%m, %n, %n, %comm) : memref<100xf32>, i32, i32
  mpi.recv(%m, %n, %n, %comm) : memref<100xf32>, i32, i32
  mpi.finalize
  %0 = mpi.wait(%r0#1) : !mpi.request -> !mpi.retval
  mpi.wait(%r1) : !mpi.request
  %1 = mpi.barrier(%comm) -> !mpi.retval
  %2 = mpi.allreduce(%m, %m, MPI_SUM, %comm) : memref<100xf32>, memref<100xf32> -> !mpi.retval
  %3 = mpi.retval_check %2 = <MPI_SUCCESS> : i1
  %4 = mpi.error_class %2 : !mpi.retval
  return
}
