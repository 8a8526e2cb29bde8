// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s | freehold opt - | FileCheck %s
// RUN: freehold opt --mlir-print-op-generic %s | freehold opt - | FileCheck %s
// RUN: freehold opt --emit-bytecode %s | freehold opt - | FileCheck %s

// All operations of MLIR 22, and two that are newer, with and without what functions of MPI return.

// CHECK-LABEL: func.func @all(
// CHECK-SAME:      %[[M:.*]]: memref<100xf32>, %[[TAG:.*]]: i32, %[[PEER:.*]]: i32)
func.func @all(%m: memref<100xf32>, %tag: i32, %peer: i32) -> i1 {
  // CHECK-NEXT: mpi.init{{$}}
  // CHECK-NEXT: mpi.init : !mpi.retval
  mpi.init
  %0 = mpi.init : !mpi.retval
  // CHECK-NEXT: %[[COMM:.*]] = mpi.comm_world : !mpi.comm{{$}}
  %comm = mpi.comm_world : !mpi.comm
  // CHECK-NEXT: mpi.comm_rank(%[[COMM]]) : i32{{$}}
  // CHECK-NEXT: mpi.comm_rank(%[[COMM]]) : !mpi.retval, i32{{$}}
  %rank = mpi.comm_rank(%comm) : i32
  %1:2 = mpi.comm_rank(%comm) : !mpi.retval, i32
  // CHECK-NEXT: mpi.comm_size(%[[COMM]]) : i32{{$}}
  // CHECK-NEXT: mpi.comm_size(%[[COMM]]) : !mpi.retval, i32{{$}}
  %size = mpi.comm_size(%comm) : i32
  %2:2 = mpi.comm_size(%comm) : !mpi.retval, i32
  // CHECK-NEXT: mpi.comm_split(%[[COMM]], %[[TAG]], %[[PEER]]) : !mpi.comm{{$}}
  // CHECK-NEXT: mpi.comm_split(%[[COMM]], %[[TAG]], %[[PEER]]) : !mpi.retval, !mpi.comm{{$}}
  %split = mpi.comm_split(%comm, %tag, %peer) : !mpi.comm
  %3:2 = mpi.comm_split(%comm, %tag, %peer) : !mpi.retval, !mpi.comm
  // CHECK-NEXT: mpi.send(%[[M]], %[[TAG]], %[[PEER]], %[[COMM]]) : memref<100xf32>, i32, i32{{$}}
  // CHECK-NEXT: %[[CODE:.*]] = mpi.send(%[[M]], %[[TAG]], %[[PEER]], %[[COMM]]) : memref<100xf32>, i32, i32 -> !mpi.retval
  mpi.send(%m, %tag, %peer, %comm) : memref<100xf32>, i32, i32
  %code = mpi.send(%m, %tag, %peer, %comm) : memref<100xf32>, i32, i32 -> !mpi.retval
  // CHECK-NEXT: mpi.recv(%[[M]], %[[TAG]], %[[PEER]], %[[COMM]]) : memref<100xf32>, i32, i32{{$}}
  // CHECK-NEXT: mpi.recv(%[[M]], %[[TAG]], %[[PEER]], %[[COMM]]) : memref<100xf32>, i32, i32 -> !mpi.retval
  mpi.recv(%m, %tag, %peer, %comm) : memref<100xf32>, i32, i32
  %4 = mpi.recv(%m, %tag, %peer, %comm) : memref<100xf32>, i32, i32 -> !mpi.retval
  // CHECK-NEXT: %[[R0:.*]] = mpi.isend(%[[M]], %[[TAG]], %[[PEER]], %[[COMM]]) : memref<100xf32>, i32, i32 -> !mpi.request{{$}}
  // CHECK-NEXT: %[[R1:.*]]:2 = mpi.irecv(%[[M]], %[[TAG]], %[[PEER]], %[[COMM]]) : memref<100xf32>, i32, i32 -> !mpi.retval, !mpi.request{{$}}
  %r0 = mpi.isend(%m, %tag, %peer, %comm) : memref<100xf32>, i32, i32 -> !mpi.request
  %r1:2 = mpi.irecv(%m, %tag, %peer, %comm) : memref<100xf32>, i32, i32 -> !mpi.retval, !mpi.request
  // CHECK-NEXT: mpi.wait(%[[R0]]) : !mpi.request{{$}}
  // CHECK-NEXT: mpi.wait(%[[R1]]#1) : !mpi.request -> !mpi.retval
  mpi.wait(%r0) : !mpi.request
  %5 = mpi.wait(%r1#1) : !mpi.request -> !mpi.retval
  // CHECK-NEXT: mpi.barrier(%[[COMM]]){{$}}
  // CHECK-NEXT: mpi.barrier(%[[COMM]]) -> !mpi.retval
  mpi.barrier(%comm)
  %6 = mpi.barrier(%comm) -> !mpi.retval
  // CHECK-NEXT: mpi.allreduce(%[[M]], %[[M]], MPI_SUM, %[[COMM]]) : memref<100xf32>, memref<100xf32>{{$}}
  // CHECK-NEXT: mpi.allreduce(%[[M]], %[[M]], MPI_MAX, %[[COMM]]) : memref<100xf32>, memref<100xf32> -> !mpi.retval
  mpi.allreduce(%m, %m, MPI_SUM, %comm) : memref<100xf32>, memref<100xf32>
  %7 = mpi.allreduce(%m, %m, MPI_MAX, %comm) : memref<100xf32>, memref<100xf32> -> !mpi.retval
  // CHECK-NEXT: mpi.allgather(%[[M]], %[[M]], %[[COMM]]) : memref<100xf32>, memref<100xf32>{{$}}
  // CHECK-NEXT: mpi.reduce_scatter_block(%[[M]], %[[M]], MPI_MIN, %[[COMM]]) : memref<100xf32>, memref<100xf32>{{$}}
  mpi.allgather(%m, %m, %comm) : memref<100xf32>, memref<100xf32>
  mpi.reduce_scatter_block(%m, %m, MPI_MIN, %comm) : memref<100xf32>, memref<100xf32>
  // CHECK-NEXT: %[[OK:.*]] = mpi.retval_check %[[CODE]] = <MPI_SUCCESS> : i1{{$}}
  // CHECK-NEXT: mpi.error_class %[[CODE]] : !mpi.retval
  %ok = mpi.retval_check %code = <MPI_SUCCESS> : i1
  %class = mpi.error_class %code : !mpi.retval
  // CHECK-NEXT: mpi.finalize{{$}}
  // CHECK-NEXT: mpi.finalize : !mpi.retval
  mpi.finalize
  %8 = mpi.finalize : !mpi.retval
  // CHECK-NEXT: return %[[OK]]
  return %ok : i1
}

// Types and the attribute.
// CHECK-LABEL: func.func private @types(!mpi.comm, !mpi.request, !mpi.retval, !mpi.status) attributes {a = #mpi.errclass<MPI_ERR_COMM>}
func.func private @types(!mpi.comm, !mpi.request, !mpi.retval, !mpi.status) attributes {a = #mpi.errclass<MPI_ERR_COMM>}
