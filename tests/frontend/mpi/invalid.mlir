// RUN: freehold opt --split-input-file --verify-diagnostics %s

func.func @unranked(%m: memref<*xf32>, %n: i32, %comm: !mpi.comm) {
  // expected-error @+1 {{operand #0 must be memref}}
  "mpi.send"(%m, %n, %n, %comm) : (memref<*xf32>, i32, i32, !mpi.comm) -> ()
  return
}

// -----

func.func @wide_tag(%m: memref<4xf32>, %n: i64, %comm: !mpi.comm) {
  // expected-error @+1 {{'mpi.send' op operand #1 must be 32-bit signless integer, but got 'i64'}}
  mpi.send(%m, %n, %n, %comm) : memref<4xf32>, i64, i64
  return
}

// -----

func.func @reduction(%m: memref<4xf32>, %comm: !mpi.comm) {
  // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'op'}}
  mpi.allreduce(%m, %m, MPI_FOO, %comm) : memref<4xf32>, memref<4xf32>
  return
}

// -----

func.func @no_reduction(%m: memref<4xf32>, %comm: !mpi.comm) {
  // expected-error @+1 {{'mpi.allreduce' op requires attribute 'op'}}
  "mpi.allreduce"(%m, %m, %comm) : (memref<4xf32>, memref<4xf32>, !mpi.comm) -> ()
  return
}

// -----

func.func @error_class(%code: !mpi.retval) {
  // expected-error @+1 {{expected ::mlir::mpi::MPI_ErrorClassEnum to be one of: MPI_SUCCESS}}
  %ok = mpi.retval_check %code = <MPI_FOO> : i1
  return
}

// -----

func.func @elements(%m: memref<4xf32>, %n: memref<8xf64>, %comm: !mpi.comm) {
  // expected-error @+1 {{'mpi.allgather' op requires both buffers to have elements of one type}}
  mpi.allgather(%m, %n, %comm) : memref<4xf32>, memref<8xf64>
  return
}

// -----

// expected-error @+1 {{'!mpi.foo' is no type of the dialect}}
func.func private @type(!mpi.foo)
