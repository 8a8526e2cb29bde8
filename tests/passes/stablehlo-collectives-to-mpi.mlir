// RUN: freehold opt %s --split-input-file --stablehlo-collectives-to-mpi | FileCheck %s

module attributes {mhlo.num_partitions = 4 : i32} {
  // Small sums: all have what all have, and add it up in order.
  // CHECK-LABEL: func.func @all_reduce(
  // CHECK:         mpi.init {freehold.once}
  // CHECK:         cf.assert %{{.*}}, "the program is for 4 processes: start it with mpirun -n 4"
  // CHECK:         %[[OWN:.*]] = bufferization.to_memref %{{.*}} read_only
  // CHECK:         %[[ALL:.*]] = memref.alloc() : memref<4x2xf32>
  // CHECK:         mpi.allgather(%[[OWN]], %[[ALL]], %{{.*}}) : memref<1x2xf32>, memref<4x2xf32>
  // CHECK:         bufferization.to_tensor %[[ALL]] restrict writable
  // CHECK-COUNT-3: stablehlo.add
  func.func @all_reduce(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }

  // Any body.
  // CHECK-LABEL: func.func @body(
  // CHECK:         mpi.allgather
  // CHECK-COUNT-3: "stablehlo.map"
  func.func @body(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.multiply %a, %a : tensor<f32>
      %2 = stablehlo.add %1, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }

  // Sums of integers are the same in every order.
  // CHECK-LABEL: func.func @integers(
  // CHECK:         mpi.allreduce(%{{.*}}, %{{.*}}, MPI_SUM, %{{.*}}) : memref<2xi32>, memref<2xi32>
  func.func @integers(%x: tensor<2xi32>) -> tensor<2xi32> {
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %1 = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }) : (tensor<2xi32>) -> tensor<2xi32>
    return %0 : tensor<2xi32>
  }

  // Large sums are formed in parts: each process gets one from the three others, adds, and all get all.
  // CHECK-LABEL: func.func @large(
  // CHECK:         stablehlo.pad
  // CHECK:         memref.copy
  // CHECK-COUNT-3: mpi.irecv({{.*}}memref<1x501xf32
  // CHECK-COUNT-3: mpi.isend({{.*}}memref<1x501xf32
  // CHECK-COUNT-6: mpi.wait
  // CHECK-COUNT-3: stablehlo.add
  // CHECK:         mpi.allgather
  // CHECK:         stablehlo.slice %{{.*}} [0:2001]
  func.func @large(%x: tensor<2001xf32>) -> tensor<2001xf32> {
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<2001xf32>) -> tensor<2001xf32>
    return %0 : tensor<2001xf32>
  }

  // Groups of two: a message each way.
  // CHECK-LABEL: func.func @groups(
  // CHECK:         memref.copy
  // CHECK:         mpi.irecv(
  // CHECK-NOT:     freehold.optional_peer
  // CHECK:         mpi.isend(
  // CHECK-COUNT-2: mpi.wait(
  // CHECK-NEXT:    bufferization.to_tensor
  func.func @groups(%x: tensor<2xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }

  // Not every device sends or receives: zeros are what is left.
  // CHECK-LABEL: func.func @permute(
  // CHECK:         stablehlo.constant dense<0.000000e+00>
  // CHECK:         memref.copy
  // CHECK:         mpi.irecv({{.*}}) {freehold.optional_peer}
  // CHECK:         mpi.isend({{.*}}) {freehold.optional_peer}
  func.func @permute(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }

  // Without a channel, groups are of replicas: there is one, and every partition is by itself.
  // CHECK-LABEL: func.func @replicas(
  // CHECK-NOT:     mpi.irecv
  // CHECK-NOT:     mpi.allgather
  // CHECK:         return
  func.func @replicas(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

// -----

// Two replicas of two partitions: the last of these counts fastest. Each replica has results of its own.
// CHECK-NOT: freehold.processes
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 2 : i32} {
  // CHECK-LABEL: func.func @numbers(
  // CHECK:         %[[RANK:.*]] = mpi.comm_rank
  // CHECK:         stablehlo.remainder
  // CHECK:         stablehlo.divide
  func.func @numbers() -> (tensor<ui32>, tensor<ui32>) {
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.replica_id : tensor<ui32>
    return %0, %1 : tensor<ui32>, tensor<ui32>
  }

  // Among replicas, each partition by itself: 0 with 2, 1 with 3.
  // CHECK-LABEL: func.func @replicas_of_partitions(
  // CHECK:         arith.constant dense<[2, 3, 0, 1]> : tensor<4xi32>
  func.func @replicas_of_partitions(%x: tensor<2xf32>) -> tensor<4xf32> {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<4xf32>
    return %0 : tensor<4xf32>
  }

  // The root of each group sends to both.
  // CHECK-LABEL: func.func @broadcast(
  // CHECK:         arith.constant dense<[0, 0, 2, 2]> : tensor<4xi32>
  // CHECK:         mpi.irecv
  // CHECK-COUNT-2: mpi.isend({{.*}}freehold.optional_peer
  func.func @broadcast(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.collective_broadcast"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}
