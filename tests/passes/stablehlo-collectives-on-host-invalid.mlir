// RUN: freehold opt %s --split-input-file --stablehlo-collectives-on-host --verify-diagnostics

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @replicas(%x: tensor<3xf32>) -> tensor<3xf32> {
    // expected-error @+1 {{'stablehlo.all_reduce' op is not lowered: a group names a device that is not there}}
    %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %a : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<3xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}

// -----

module attributes {mhlo.num_partitions = 2 : i32} {
  func.func @group(%x: tensor<3xf32>) -> tensor<3xf32> {
    // expected-error @+1 {{'stablehlo.all_gather' op is not lowered: a device is in no group}}
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0]]> : tensor<1x1xi64>, use_global_device_ids}> : (tensor<3xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }
}

// -----

// expected-error @+1 {{programs with several replicas of several partitions are not supported}}
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 2 : i32} {
}
