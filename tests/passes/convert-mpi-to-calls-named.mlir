// The module says whose MPI it wants, as upstream has it; the option is above that.
// RUN: freehold opt %s --convert-mpi-to-calls | FileCheck %s --check-prefix=OPEN
// RUN: freehold opt %s --convert-mpi-to-calls=default=mpich | FileCheck %s --check-prefix=OPEN
// RUN: freehold opt %s --convert-mpi-to-calls=implementation=mpich | FileCheck %s --check-prefix=MPICH

// OPEN: @ompi_mpi_comm_world
// MPICH-NOT: @ompi_mpi_comm_world
// MPICH: 1140850688
module attributes {dlti.map = #dlti.map<"MPI:Implementation" = "OpenMPI">} {
  func.func @rank() -> i32 {
    %comm = mpi.comm_world : !mpi.comm
    %rank = mpi.comm_rank(%comm) : i32
    return %rank : i32
  }
}
