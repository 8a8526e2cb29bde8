// RUN: freehold opt %s --stablehlo-collectives-on-host | FileCheck %s

module attributes {mhlo.num_partitions = 2 : i32} {
  // The first exchange: two blocks of 12 bytes each, for each of two devices.
  // CHECK-LABEL: func.func @gather(
  // CHECK-SAME:      %[[X:.*]]: tensor<3xf32>)
  // CHECK-NEXT:    %[[TABLE:.*]] = stablehlo.constant dense<[0, 2, 12, 24, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1]> : tensor<16xi64>
  // CHECK-NEXT:    %[[ALL:.*]] = stablehlo.custom_call @freehold.host(%[[X]], %[[TABLE]]) {backend_config = "-1", has_side_effect = true}
  // CHECK-SAME:      -> tensor<2x3xf32>
  // CHECK-NEXT:    stablehlo.reshape %[[ALL]] : (tensor<2x3xf32>) -> tensor<6xf32>
  func.func @gather(%x: tensor<3xf32>) -> tensor<6xf32> {
    %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<3xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }

  // The sum is in the order of the group.
  // CHECK-LABEL: func.func @reduce(
  // CHECK:         stablehlo.custom_call @freehold.host(
  // CHECK-SAME:      -> tensor<2x3xf32>
  // CHECK:         %[[A:.*]] = stablehlo.reshape
  // CHECK:         %[[B:.*]] = stablehlo.reshape
  // CHECK:         stablehlo.add %[[A]], %[[B]] : tensor<3xf32>
  func.func @reduce(%x: tensor<3xf32>) -> tensor<3xf32> {
    %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %1 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %1 : tensor<f32>
    }) : (tensor<3xf32>) -> tensor<3xf32>
    return %0 : tensor<3xf32>
  }

  // The third one: device 1 gets what device 0 has; nobody sends to device 0.
  // CHECK-LABEL: func.func @permute(
  // CHECK-NEXT:    stablehlo.constant dense<[2, 1, 8, 8, -1, 0, 0, 0, 0, 0]> : tensor<10xi64>
  func.func @permute(%x: tensor<2xf32>) -> tensor<2xf32> {
    %0 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
    return %0 : tensor<2xf32>
  }

  // CHECK-LABEL: func.func @own(
  // CHECK-NEXT:    stablehlo.custom_call @freehold.host() {backend_config = "-2", has_side_effect = true} : () -> tensor<ui32>
  // CHECK-NEXT:    stablehlo.constant dense<0> : tensor<ui32>
  func.func @own() -> (tensor<ui32>, tensor<ui32>) {
    %0 = stablehlo.partition_id : tensor<ui32>
    %1 = stablehlo.replica_id : tensor<ui32>
    return %0, %1 : tensor<ui32>, tensor<ui32>
  }
}
