// Programs for several devices are refused.
//
// RUN: not freehold run - < %s 2>&1 | FileCheck %s

// CHECK: <stdin>:6:1: error: 'mhlo.num_partitions' is 2: programs run on one device here
module @sharded attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
  func.func @main(%a: tensor<4xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}
