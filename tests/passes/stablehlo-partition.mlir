// RUN: freehold opt %s --split-input-file --stablehlo-partition | FileCheck %s

// Arguments and results are the parts that their shardings say; the host reads them in two attributes. Operations on
// single elements are done on parts.
// CHECK-LABEL: module @elementwise
// CHECK-SAME:    mhlo.spmd_output_sharding = "{devices=[2]0,1}"
// CHECK-SAME:    mhlo.spmd_parameters_shardings = ["{devices=[2]0,1}", "{replicated}"]
// CHECK-NOT:     sdy.mesh
// CHECK:         func.func @main(%[[X:.*]]: tensor<2xf32>, %[[Y:.*]]: tensor<4xf32>) -> tensor<2xf32>
// CHECK:           %[[OWN:.*]] = stablehlo.partition_id
// CHECK:           %[[PART:.*]] = stablehlo.dynamic_slice %[[Y]], {{.*}}, sizes = [2]
// CHECK:           %[[SUM:.*]] = stablehlo.add %[[X]], %[[PART]] : tensor<2xf32>
// CHECK:           return %[[SUM]]
module @elementwise attributes {mhlo.num_partitions = 2 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %y: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}

// -----

// Other operations get whole tensors, and constraints divide.
// CHECK-LABEL: module @whole
// CHECK:         func.func @main(%[[X:.*]]: tensor<2x4xf32>
// CHECK:           %[[ROWS:.*]] = "stablehlo.all_gather"(%[[X]])
// CHECK-SAME:        all_gather_dim = 0
// CHECK-SAME:        replica_groups = dense<{{\[}}[0, 2], [1, 3]]> : tensor<2x2xi64>
// CHECK:           %[[ALL:.*]] = "stablehlo.all_gather"(%[[ROWS]])
// CHECK-SAME:        all_gather_dim = 1
// CHECK-SAME:        replica_groups = dense<{{\[}}[0, 1], [2, 3]]> : tensor<2x2xi64>
// CHECK:           %[[TURNED:.*]] = stablehlo.transpose %[[ALL]]
// CHECK:           stablehlo.dynamic_slice %[[TURNED]], {{.*}}, sizes = [2, 4]
module @whole attributes {mhlo.num_partitions = 4 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"}> : () -> ()
  func.func @main(%x: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x4xf32> {
    %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %1 = "sdy.sharding_constraint"(%0) {sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %1 : tensor<8x4xf32>
  }
}

// -----

// What devices do by themselves stands as it is; an argument has the parts that its first user wants.
// CHECK-LABEL: module @manual
// CHECK:         func.func @main(%[[X:.*]]: tensor<2xf32>) -> (tensor<2xf32>, tensor<f32>)
// CHECK:           %[[PART:.*]] = stablehlo.optimization_barrier %[[X]]
// CHECK:           %[[Y:.*]] = stablehlo.negate %[[PART]] : tensor<2xf32>
// CHECK:           "stablehlo.all_gather"
// CHECK:           stablehlo.reduce
module @manual attributes {mhlo.num_partitions = 2 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
  func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<f32>) {
    %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}> ({
    ^bb0(%part: tensor<2xf32>):
      %1 = stablehlo.negate %part : tensor<2xf32>
      "sdy.return"(%1) : (tensor<2xf32>) -> ()
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %0, %2 : tensor<4xf32>, tensor<f32>
  }
}

// -----

// Along axes that are not its own, every device does all of a computation: an argument is cut along the others alone, and
// constraints inside say nothing. What is computed inside along further axes is gathered from devices with the same
// place: device 3 is where 0 should be, so these are not those next to each other.
// CHECK-LABEL: module @partly
// CHECK-SAME:    mhlo.spmd_output_sharding = "{devices=[2,2]0,3,1,2 last_tile_dim_replicate}"
// CHECK:         func.func @main(%[[X:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK:           %[[HALF:.*]] = stablehlo.optimization_barrier %[[X]]
// CHECK:           %[[PART:.*]] = stablehlo.dynamic_slice %[[HALF]], {{.*}}, sizes = [2]
// CHECK:           %[[Y:.*]] = stablehlo.negate %[[PART]] : tensor<2xf32>
// CHECK:           %[[KEPT:.*]] = stablehlo.optimization_barrier %[[Y]]
// CHECK:           %[[ALL:.*]] = "stablehlo.all_gather"(%[[KEPT]])
// CHECK-SAME:        replica_groups = dense<{{\[}}[3, 0], [2, 1]]> : tensor<2x2xi64>
// CHECK:           stablehlo.reverse %[[ALL]], dims = [0] : tensor<4xf32>
module @partly attributes {mhlo.num_partitions = 4 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2], device_ids=[3, 0, 2, 1]>, sym_name = "mesh"}> : () -> ()
  func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}]>]>}> ({
    ^bb0(%part: tensor<4xf32>):
      %1 = "sdy.sharding_constraint"(%part) {sharding = #sdy.sharding<@mesh, [{"y"}]>} : (tensor<4xf32>) -> tensor<4xf32>
      %2 = "sdy.manual_computation"(%1) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>, manual_axes = #sdy<manual_axes{"y"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"y"}]>]>}> ({
      ^bb0(%inner: tensor<2xf32>):
        %4 = stablehlo.negate %inner : tensor<2xf32>
        "sdy.return"(%4) : (tensor<2xf32>) -> ()
      }) : (tensor<4xf32>) -> tensor<4xf32>
      %3 = stablehlo.reverse %2, dims = [0] : tensor<4xf32>
      "sdy.return"(%3) : (tensor<4xf32>) -> ()
    }) : (tensor<8xf32>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

// -----

// What is yet to be added is added where something other than a sum needs it. A tensor becomes several to add as that of the
// first device and zeros of all others.
// CHECK-LABEL: module @unreduced
// CHECK-SAME:    mhlo.spmd_output_sharding = "{{[{]}}{devices=[1,2]0,1 last_tile_dims={unreduced}}, {replicated}{{[}]}}"
// CHECK:         func.func @main(%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>)
// CHECK:           %[[OTHER:.*]] = stablehlo.convert {{.*}} : (tensor<i64>) -> tensor<i1>
// CHECK:           %[[FIRST:.*]] = stablehlo.select %[[OTHER]], %{{.*}}, %[[Y]]
// CHECK:           %[[SUM:.*]] = stablehlo.add %[[X]], %[[FIRST]]
// CHECK:           %[[ALL:.*]] = "stablehlo.all_reduce"(%[[SUM]])
// CHECK-SAME:        replica_groups = dense<{{\[}}[0, 1]]> : tensor<1x2xi64>
// CHECK:           %[[SINE:.*]] = stablehlo.sine %[[ALL]]
// CHECK:           return %[[SUM]], %[[SINE]]
module @unreduced attributes {mhlo.num_partitions = 2 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
  func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}, %y: tensor<4xf32>) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}, tensor<4xf32>) {
    %0 = stablehlo.add %x, %y : tensor<4xf32>
    %1 = stablehlo.sine %0 : tensor<4xf32>
    return %0, %1 : tensor<4xf32>, tensor<4xf32>
  }
}
