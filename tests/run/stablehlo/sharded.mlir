// Programs for several devices are processes of MPI. Shardings of GSPMD are refused, and so is what knows one device only.
//
// RUN: not freehold run --mpi=mpich - < %s 2>&1 | FileCheck %s
// RUN: not freehold explain - < %s 2>&1 | FileCheck %s --check-prefix=ONE

// CHECK: <stdin>:9:3: error: shardings of GSPMD ('mhlo.sharding') are not supported
// ONE: <stdin>:8:1: error: 'mhlo.num_partitions' is 2: programs run on one device here
module @sharded attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%a: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
