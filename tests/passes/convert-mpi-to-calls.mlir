// RUN: freehold opt %s --convert-mpi-to-calls=implementation=openmpi | FileCheck %s --check-prefixes=CHECK,OPEN
// RUN: freehold opt %s --convert-mpi-to-calls=implementation=mpich | FileCheck %s --check-prefixes=CHECK,MPICH
// RUN: freehold opt %s --convert-mpi-to-calls="implementation=mpich checks=true" | FileCheck %s --check-prefix=WATCHED

// Open MPI has objects, MPICH numbers.
// CHECK-LABEL: func.func @world(
// OPEN:          %[[WORLD:.*]] = memref.get_global @ompi_mpi_comm_world : memref<1xi8>
// OPEN:          memref.extract_aligned_pointer_as_index %[[WORLD]]
// OPEN:          call @MPI_Barrier(%{{.*}}) : (i64) -> i32
// MPICH:         %[[WORLD:.*]] = arith.constant 1140850688 : i32
// MPICH:         arith.extui %[[WORLD]] : i32 to i64
// MPICH:         call @MPI_Barrier(%{{.*}}) : (i32) -> i32
func.func @world() {
  %comm = mpi.comm_world : !mpi.comm
  mpi.barrier(%comm)
  return
}

// A column has gaps: it is sent with a type of MPI, which is given back at once.
// CHECK-LABEL: func.func @column(
// CHECK:         %[[N:.*]] = arith.constant 4 : i32
// CHECK:         call @MPI_Type_create_hvector(%[[N]],
// CHECK:         call @MPI_Type_commit(
// CHECK:         call @MPI_Isend(
// CHECK:         call @MPI_Type_free(
// CHECK:         call @MPI_Wait(
// WATCHED-LABEL: func.func @column(
// WATCHED:         call @MPI_Isend(
// WATCHED:         call @freehold_check_request_begin(
// WATCHED:         call @freehold_check_request_end(
// WATCHED:         call @MPI_Wait(
func.func @column(%m: memref<4x8xf64>, %n: i32, %comm: !mpi.comm) {
  %column = memref.subview %m[0, 3] [4, 1] [1, 1] : memref<4x8xf64> to memref<4x1xf64, strided<[8, 1], offset: 3>>
  %r = mpi.isend(%column, %n, %n, %comm) : memref<4x1xf64, strided<[8, 1], offset: 3>>, i32, i32 -> !mpi.request
  mpi.wait(%r) : !mpi.request
  return
}

// A program that looks at what a function returns gets errors; where nobody looks, all processes end.
// CHECK-LABEL: func.func @errors(
// CHECK:         %[[CODE:.*]] = call @MPI_Send(
// CHECK:         call @MPI_Error_class(
// CHECK:         %[[OTHER:.*]] = call @MPI_Barrier(
// CHECK:         arith.cmpi ne, %[[OTHER]],
// CHECK:         scf.if
// CHECK:           call @MPI_Abort(
func.func @errors(%m: memref<?xf32>, %n: i32, %comm: !mpi.comm) -> i1 {
  %code = mpi.send(%m, %n, %n, %comm) : memref<?xf32>, i32, i32 -> !mpi.retval
  %bad = mpi.retval_check %code = <MPI_ERR_RANK> : i1
  mpi.barrier(%comm)
  return %bad : i1
}

// CHECK-DAG: func.func private @MPI_Send(
// OPEN-DAG:  memref.global @ompi_mpi_comm_world : memref<1xi8>
