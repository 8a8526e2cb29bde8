// Each process sends its number to the next one and adds what it gets: after as many steps as there are processes,
// all have the sum. Run it with `mpirun -n 4 freehold run examples/mpi/ring.mlir --entry-point-result=i32`.
func.func @main() -> i32 {
  mpi.init
  %comm = mpi.comm_world : !mpi.comm
  %rank = mpi.comm_rank(%comm) : i32
  %size = mpi.comm_size(%comm) : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %tag = arith.constant 7 : i32
  %one = arith.constant 1 : i32
  %none = arith.constant 0 : i32
  %after = arith.addi %rank, %one : i32
  %next = arith.remui %after, %size : i32
  %behind = arith.addi %rank, %size : i32
  %before = arith.subi %behind, %one : i32
  %previous = arith.remui %before, %size : i32
  %own = memref.alloc() : memref<1xi32>
  memref.store %rank, %own[%c0] : memref<1xi32>
  %n = arith.index_cast %size : i32 to index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %none) -> i32 {
    %got = memref.alloc() : memref<1xi32>
    %coming = mpi.irecv(%got, %tag, %previous, %comm) : memref<1xi32>, i32, i32 -> !mpi.request
    %going = mpi.isend(%own, %tag, %next, %comm) : memref<1xi32>, i32, i32 -> !mpi.request
    mpi.wait(%coming) : !mpi.request
    mpi.wait(%going) : !mpi.request
    %x = memref.load %got[%c0] : memref<1xi32>
    memref.store %x, %own[%c0] : memref<1xi32>
    %new = arith.addi %sum, %x : i32
    scf.yield %new : i32
  }
  mpi.finalize
  return %sum : i32
}
