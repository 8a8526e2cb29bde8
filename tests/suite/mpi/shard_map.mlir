// What JAX's shard_map makes of calls of each collective, on meshes of 4 and of 2 x 2 devices, in loops and branches. It
// counts what is not as on one device. The suite runs it on four processes.
//
// RUN: freehold compile --mpi=mpich --emit=mlir %s -o - | FileCheck %s

// CHECK: freehold.processes = 4
// CHECK: call @MPI_Irecv
// CHECK: call @MPI_Allgather

module @jit_collectives attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=4]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 4 : i64}]}} : () -> ()
  "sdy.mesh"() <{mesh = #sdy.mesh<["r"=2, "c"=2]>, sym_name = "mesh_0"}> {stablehlo.mesh = {axes = [{name = "r", size = 2 : i64}, {name = "c", size = 2 : i64}]}} : () -> ()
  func.func public @main() -> (tensor<12xi32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<1.200000e+01> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %cst_2 = stablehlo.constant dense<[[0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
    %0 = stablehlo.iota dim = 0 : tensor<96xf32>
    %1 = stablehlo.reshape %0 : (tensor<96xf32>) -> tensor<16x6xf32>
    %2 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<16x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<16x6xf32>
    %4 = builtin.unrealized_conversion_cast %3 : tensor<16x6xf32> to tensor<16x6xf32>
    %5 = stablehlo.iota dim = 0 : tensor<96xi32>
    %6 = stablehlo.reshape %5 : (tensor<96xi32>) -> tensor<16x6xi32>
    %7 = builtin.unrealized_conversion_cast %6 : tensor<16x6xi32> to tensor<16x6xi32>
    %8 = stablehlo.iota dim = 0 : tensor<6004xf32>
    %9 = stablehlo.reshape %8 : (tensor<6004xf32>) -> tensor<4x1501xf32>
    %10 = builtin.unrealized_conversion_cast %9 : tensor<4x1501xf32> to tensor<4x1501xf32>
    %11 = "sdy.manual_computation"(%4) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}> ({
    ^bb0(%arg0: tensor<4x6xf32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<4x6xf32> to tensor<4x6xf32>
      %137 = "stablehlo.all_reduce"(%136) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %139 = stablehlo.add %arg1, %arg2 : tensor<f32>
        stablehlo.return %139 : tensor<f32>
      }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
      %138 = builtin.unrealized_conversion_cast %137 : tensor<4x6xf32> to tensor<4x6xf32>
      "sdy.return"(%138) : (tensor<4x6xf32>) -> ()
    }) : (tensor<16x6xf32>) -> tensor<4x6xf32>
    %12 = builtin.unrealized_conversion_cast %11 : tensor<4x6xf32> to tensor<4x6xf32>
    %13 = stablehlo.reshape %3 : (tensor<16x6xf32>) -> tensor<4x4x6xf32>
    %14 = stablehlo.reduce(%13 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<4x4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
    %15 = stablehlo.compare NE, %12, %14, FLOAT : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xi1>
    %16 = stablehlo.convert %15 : (tensor<4x6xi1>) -> tensor<4x6xi32>
    %17 = stablehlo.reduce(%16 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xi32>, tensor<i32>) -> tensor<i32>
    %18 = "sdy.manual_computation"(%7) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}> ({
    ^bb0(%arg0: tensor<4x6xi32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<4x6xi32> to tensor<4x6xi32>
      %137 = "stablehlo.all_reduce"(%136) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
        %139 = stablehlo.add %arg1, %arg2 : tensor<i32>
        stablehlo.return %139 : tensor<i32>
      }) : (tensor<4x6xi32>) -> tensor<4x6xi32>
      %138 = builtin.unrealized_conversion_cast %137 : tensor<4x6xi32> to tensor<4x6xi32>
      "sdy.return"(%138) : (tensor<4x6xi32>) -> ()
    }) : (tensor<16x6xi32>) -> tensor<4x6xi32>
    %19 = builtin.unrealized_conversion_cast %18 : tensor<4x6xi32> to tensor<4x6xi32>
    %20 = stablehlo.reshape %6 : (tensor<16x6xi32>) -> tensor<4x4x6xi32>
    %21 = stablehlo.reduce(%20 init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4x4x6xi32>, tensor<i32>) -> tensor<4x6xi32>
    %22 = stablehlo.compare NE, %19, %21, SIGNED : (tensor<4x6xi32>, tensor<4x6xi32>) -> tensor<4x6xi1>
    %23 = stablehlo.convert %22 : (tensor<4x6xi1>) -> tensor<4x6xi32>
    %24 = stablehlo.reduce(%23 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xi32>, tensor<i32>) -> tensor<i32>
    %25 = "sdy.manual_computation"(%10) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}> ({
    ^bb0(%arg0: tensor<1x1501xf32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<1x1501xf32> to tensor<1x1501xf32>
      %137 = "stablehlo.all_reduce"(%136) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %139 = stablehlo.add %arg1, %arg2 : tensor<f32>
        stablehlo.return %139 : tensor<f32>
      }) : (tensor<1x1501xf32>) -> tensor<1x1501xf32>
      %138 = builtin.unrealized_conversion_cast %137 : tensor<1x1501xf32> to tensor<1x1501xf32>
      "sdy.return"(%138) : (tensor<1x1501xf32>) -> ()
    }) : (tensor<4x1501xf32>) -> tensor<1x1501xf32>
    %26 = builtin.unrealized_conversion_cast %25 : tensor<1x1501xf32> to tensor<1x1501xf32>
    %27 = stablehlo.reduce(%9 init: %cst_0) applies stablehlo.add across dimensions = [0] : (tensor<4x1501xf32>, tensor<f32>) -> tensor<1501xf32>
    %28 = stablehlo.broadcast_in_dim %27, dims = [1] : (tensor<1501xf32>) -> tensor<1x1501xf32>
    %29 = stablehlo.compare NE, %26, %28, FLOAT : (tensor<1x1501xf32>, tensor<1x1501xf32>) -> tensor<1x1501xi1>
    %30 = stablehlo.convert %29 : (tensor<1x1501xi1>) -> tensor<1x1501xi32>
    %31 = stablehlo.reduce(%30 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x1501xi32>, tensor<i32>) -> tensor<i32>
    %32 = "sdy.manual_computation"(%4) <{in_shardings = #sdy.sharding_per_value<[<@mesh_0, [{"r"}, {"c"}]>]>, manual_axes = #sdy<manual_axes{"r", "c"}>, out_shardings = #sdy.sharding_per_value<[<@mesh_0, [{"r"}, {}]>]>}> ({
    ^bb0(%arg0: tensor<8x3xf32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<8x3xf32> to tensor<8x3xf32>
      %137 = "stablehlo.all_reduce"(%136) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %139 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
        stablehlo.return %139 : tensor<f32>
      }) : (tensor<8x3xf32>) -> tensor<8x3xf32>
      %138 = builtin.unrealized_conversion_cast %137 : tensor<8x3xf32> to tensor<8x3xf32>
      "sdy.return"(%138) : (tensor<8x3xf32>) -> ()
    }) : (tensor<16x6xf32>) -> tensor<16x3xf32>
    %33 = builtin.unrealized_conversion_cast %32 : tensor<16x3xf32> to tensor<16x3xf32>
    %34 = stablehlo.slice %3 [0:16, 0:3] : (tensor<16x6xf32>) -> tensor<16x3xf32>
    %35 = stablehlo.slice %3 [0:16, 3:6] : (tensor<16x6xf32>) -> tensor<16x3xf32>
    %36 = stablehlo.maximum %34, %35 : tensor<16x3xf32>
    %37 = stablehlo.compare NE, %33, %36, FLOAT : (tensor<16x3xf32>, tensor<16x3xf32>) -> tensor<16x3xi1>
    %38 = stablehlo.convert %37 : (tensor<16x3xi1>) -> tensor<16x3xi32>
    %39 = stablehlo.reduce(%38 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x3xi32>, tensor<i32>) -> tensor<i32>
    %40 = "sdy.manual_computation"(%4) <{in_shardings = #sdy.sharding_per_value<[<@mesh_0, [{"r"}, {"c"}]>]>, manual_axes = #sdy<manual_axes{"r", "c"}>, out_shardings = #sdy.sharding_per_value<[<@mesh_0, [{"r"}, {}]>]>}> ({
    ^bb0(%arg0: tensor<8x3xf32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<8x3xf32> to tensor<8x3xf32>
      %137 = "stablehlo.all_gather"(%136) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<8x3xf32>) -> tensor<8x6xf32>
      %138 = builtin.unrealized_conversion_cast %137 : tensor<8x6xf32> to tensor<8x6xf32>
      "sdy.return"(%138) : (tensor<8x6xf32>) -> ()
    }) : (tensor<16x6xf32>) -> tensor<16x6xf32>
    %41 = builtin.unrealized_conversion_cast %40 : tensor<16x6xf32> to tensor<16x6xf32>
    %42 = stablehlo.compare NE, %41, %3, FLOAT : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xi1>
    %43 = stablehlo.convert %42 : (tensor<16x6xi1>) -> tensor<16x6xi32>
    %44 = stablehlo.reduce(%43 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x6xi32>, tensor<i32>) -> tensor<i32>
    %45 = "sdy.manual_computation"(%4) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}> ({
    ^bb0(%arg0: tensor<4x6xf32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<4x6xf32> to tensor<4x6xf32>
      %137 = "stablehlo.all_to_all"(%136) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, split_count = 4 : i64, split_dimension = 0 : i64}> : (tensor<4x6xf32>) -> tensor<1x24xf32>
      %138 = builtin.unrealized_conversion_cast %137 : tensor<1x24xf32> to tensor<1x24xf32>
      "sdy.return"(%138) : (tensor<1x24xf32>) -> ()
    }) : (tensor<16x6xf32>) -> tensor<1x96xf32>
    %46 = builtin.unrealized_conversion_cast %45 : tensor<1x96xf32> to tensor<1x96xf32>
    %47 = stablehlo.slice %3 [0:1, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %48 = stablehlo.slice %3 [4:5, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %49 = stablehlo.slice %3 [8:9, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %50 = stablehlo.slice %3 [12:13, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %51 = stablehlo.concatenate %47, %48, %49, %50, dim = 1 : (tensor<1x6xf32>, tensor<1x6xf32>, tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x24xf32>
    %52 = stablehlo.slice %3 [1:2, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %53 = stablehlo.slice %3 [5:6, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %54 = stablehlo.slice %3 [9:10, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %55 = stablehlo.slice %3 [13:14, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %56 = stablehlo.concatenate %52, %53, %54, %55, dim = 1 : (tensor<1x6xf32>, tensor<1x6xf32>, tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x24xf32>
    %57 = stablehlo.slice %3 [2:3, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %58 = stablehlo.slice %3 [6:7, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %59 = stablehlo.slice %3 [10:11, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %60 = stablehlo.slice %3 [14:15, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %61 = stablehlo.concatenate %57, %58, %59, %60, dim = 1 : (tensor<1x6xf32>, tensor<1x6xf32>, tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x24xf32>
    %62 = stablehlo.slice %3 [3:4, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %63 = stablehlo.slice %3 [7:8, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %64 = stablehlo.slice %3 [11:12, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %65 = stablehlo.slice %3 [15:16, 0:6] : (tensor<16x6xf32>) -> tensor<1x6xf32>
    %66 = stablehlo.concatenate %62, %63, %64, %65, dim = 1 : (tensor<1x6xf32>, tensor<1x6xf32>, tensor<1x6xf32>, tensor<1x6xf32>) -> tensor<1x24xf32>
    %67 = stablehlo.concatenate %51, %56, %61, %66, dim = 1 : (tensor<1x24xf32>, tensor<1x24xf32>, tensor<1x24xf32>, tensor<1x24xf32>) -> tensor<1x96xf32>
    %68 = stablehlo.compare NE, %46, %67, FLOAT : (tensor<1x96xf32>, tensor<1x96xf32>) -> tensor<1x96xi1>
    %69 = stablehlo.convert %68 : (tensor<1x96xi1>) -> tensor<1x96xi32>
    %70 = stablehlo.reduce(%69 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<1x96xi32>, tensor<i32>) -> tensor<i32>
    %71 = "sdy.manual_computation"(%4) <{in_shardings = #sdy.sharding_per_value<[<@mesh_0, [{"r"}, {"c"}]>]>, manual_axes = #sdy<manual_axes{"r", "c"}>, out_shardings = #sdy.sharding_per_value<[<@mesh_0, [{"r"}, {"c"}]>]>}> ({
    ^bb0(%arg0: tensor<8x3xf32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<8x3xf32> to tensor<8x3xf32>
      %137 = "stablehlo.reduce_scatter"(%136) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %139 = stablehlo.add %arg1, %arg2 : tensor<f32>
        stablehlo.return %139 : tensor<f32>
      }) : (tensor<8x3xf32>) -> tensor<4x3xf32>
      %138 = builtin.unrealized_conversion_cast %137 : tensor<4x3xf32> to tensor<4x3xf32>
      "sdy.return"(%138) : (tensor<4x3xf32>) -> ()
    }) : (tensor<16x6xf32>) -> tensor<8x6xf32>
    %72 = builtin.unrealized_conversion_cast %71 : tensor<8x6xf32> to tensor<8x6xf32>
    %73 = stablehlo.slice %3 [0:8, 0:6] : (tensor<16x6xf32>) -> tensor<8x6xf32>
    %74 = stablehlo.slice %3 [8:16, 0:6] : (tensor<16x6xf32>) -> tensor<8x6xf32>
    %75 = stablehlo.add %73, %74 : tensor<8x6xf32>
    %76 = stablehlo.compare NE, %72, %75, FLOAT : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xi1>
    %77 = stablehlo.convert %76 : (tensor<8x6xi1>) -> tensor<8x6xi32>
    %78 = stablehlo.reduce(%77 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x6xi32>, tensor<i32>) -> tensor<i32>
    %79 = "sdy.manual_computation"(%4) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}> ({
    ^bb0(%arg0: tensor<4x6xf32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<4x6xf32> to tensor<4x6xf32>
      %137 = "stablehlo.collective_permute"(%136) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 2], [3, 1]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
      %138 = builtin.unrealized_conversion_cast %137 : tensor<4x6xf32> to tensor<4x6xf32>
      "sdy.return"(%138) : (tensor<4x6xf32>) -> ()
    }) : (tensor<16x6xf32>) -> tensor<16x6xf32>
    %80 = builtin.unrealized_conversion_cast %79 : tensor<16x6xf32> to tensor<16x6xf32>
    %81 = stablehlo.slice %3 [0:4, 0:6] : (tensor<16x6xf32>) -> tensor<4x6xf32>
    %82 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %83 = stablehlo.multiply %82, %81 : tensor<4x6xf32>
    %84 = stablehlo.slice %3 [12:16, 0:6] : (tensor<16x6xf32>) -> tensor<4x6xf32>
    %85 = stablehlo.slice %3 [0:4, 0:6] : (tensor<16x6xf32>) -> tensor<4x6xf32>
    %86 = stablehlo.slice %3 [0:4, 0:6] : (tensor<16x6xf32>) -> tensor<4x6xf32>
    %87 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
    %88 = stablehlo.multiply %87, %86 : tensor<4x6xf32>
    %89 = stablehlo.concatenate %83, %84, %85, %88, dim = 0 : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<16x6xf32>
    %90 = stablehlo.compare NE, %80, %89, FLOAT : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xi1>
    %91 = stablehlo.convert %90 : (tensor<16x6xi1>) -> tensor<16x6xi32>
    %92 = stablehlo.reduce(%91 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x6xi32>, tensor<i32>) -> tensor<i32>
    %93 = "sdy.manual_computation"(%4) <{in_shardings = #sdy.sharding_per_value<[<@mesh_0, [{"r"}, {"c"}]>]>, manual_axes = #sdy<manual_axes{"r", "c"}>, out_shardings = #sdy.sharding_per_value<[<@mesh_0, [{"r"}, {"c"}]>]>}> ({
    ^bb0(%arg0: tensor<8x3xf32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<8x3xf32> to tensor<8x3xf32>
      %c_3 = stablehlo.constant dense<1> : tensor<ui32>
      %cst_4 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %c_5 = stablehlo.constant dense<2> : tensor<ui32>
      %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %137 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
      %138 = stablehlo.multiply %136, %137 : tensor<8x3xf32>
      %139 = stablehlo.partition_id : tensor<ui32>
      %140 = stablehlo.divide %139, %c_5 : tensor<ui32>
      %141 = stablehlo.remainder %140, %c_5 : tensor<ui32>
      %142 = stablehlo.convert %141 : (tensor<ui32>) -> tensor<i32>
      %143 = stablehlo.convert %142 : (tensor<i32>) -> tensor<f32>
      %144 = stablehlo.multiply %143, %cst_4 : tensor<f32>
      %145 = stablehlo.convert %144 : tensor<f32>
      %146 = stablehlo.broadcast_in_dim %145, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
      %147 = stablehlo.add %138, %146 : tensor<8x3xf32>
      %148 = stablehlo.partition_id : tensor<ui32>
      %149 = stablehlo.divide %148, %c_3 : tensor<ui32>
      %150 = stablehlo.remainder %149, %c_5 : tensor<ui32>
      %151 = stablehlo.convert %150 : (tensor<ui32>) -> tensor<i32>
      %152 = stablehlo.convert %151 : (tensor<i32>) -> tensor<f32>
      %153 = stablehlo.broadcast_in_dim %152, dims = [] : (tensor<f32>) -> tensor<8x3xf32>
      %154 = stablehlo.add %147, %153 : tensor<8x3xf32>
      %155 = builtin.unrealized_conversion_cast %154 : tensor<8x3xf32> to tensor<8x3xf32>
      "sdy.return"(%155) : (tensor<8x3xf32>) -> ()
    }) : (tensor<16x6xf32>) -> tensor<16x6xf32>
    %94 = builtin.unrealized_conversion_cast %93 : tensor<16x6xf32> to tensor<16x6xf32>
    %95 = stablehlo.broadcast_in_dim %cst_2, dims = [0, 2] : (tensor<2x2xf32>) -> tensor<2x8x2xf32>
    %96 = stablehlo.reshape %95 : (tensor<2x8x2xf32>) -> tensor<16x2xf32>
    %97 = stablehlo.broadcast_in_dim %96, dims = [0, 1] : (tensor<16x2xf32>) -> tensor<16x2x3xf32>
    %98 = stablehlo.reshape %97 : (tensor<16x2x3xf32>) -> tensor<16x6xf32>
    %99 = stablehlo.compare NE, %94, %98, FLOAT : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xi1>
    %100 = stablehlo.convert %99 : (tensor<16x6xi1>) -> tensor<16x6xi32>
    %101 = stablehlo.reduce(%100 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x6xi32>, tensor<i32>) -> tensor<i32>
    %102 = "sdy.manual_computation"(%4) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}> ({
    ^bb0(%arg0: tensor<4x6xf32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<4x6xf32> to tensor<4x6xf32>
      %c_3 = stablehlo.constant dense<1> : tensor<i32>
      %c_4 = stablehlo.constant dense<3> : tensor<i32>
      %c_5 = stablehlo.constant dense<0> : tensor<i32>
      %137:3 = stablehlo.while(%iterArg = %c_5, %iterArg_6 = %c_5, %iterArg_7 = %136) : tensor<i32>, tensor<i32>, tensor<4x6xf32>
      cond {
        %139 = stablehlo.compare LT, %iterArg, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %139 : tensor<i1>
      } do {
        %139:2 = func.call @closed_call(%iterArg_6, %iterArg_7) : (tensor<i32>, tensor<4x6xf32>) -> (tensor<i32>, tensor<4x6xf32>)
        %140 = stablehlo.add %iterArg, %c_3 : tensor<i32>
        stablehlo.return %140, %139#0, %139#1 : tensor<i32>, tensor<i32>, tensor<4x6xf32>
      }
      %138 = builtin.unrealized_conversion_cast %137#2 : tensor<4x6xf32> to tensor<4x6xf32>
      "sdy.return"(%138) : (tensor<4x6xf32>) -> ()
    }) : (tensor<16x6xf32>) -> tensor<16x6xf32>
    %103 = builtin.unrealized_conversion_cast %102 : tensor<16x6xf32> to tensor<16x6xf32>
    %104 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<16x6xf32>
    %105 = stablehlo.add %3, %104 : tensor<16x6xf32>
    %106 = stablehlo.compare NE, %103, %105, FLOAT : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xi1>
    %107 = stablehlo.convert %106 : (tensor<16x6xi1>) -> tensor<16x6xi32>
    %108 = stablehlo.reduce(%107 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x6xi32>, tensor<i32>) -> tensor<i32>
    %109 = "sdy.manual_computation"(%4) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}> ({
    ^bb0(%arg0: tensor<4x6xf32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<4x6xf32> to tensor<4x6xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %137 = stablehlo.reduce(%136 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
      %138 = "stablehlo.all_reduce"(%137) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %143 = stablehlo.add %arg1, %arg2 : tensor<f32>
        stablehlo.return %143 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %139 = stablehlo.compare GT, %138, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %140 = stablehlo.convert %139 : (tensor<i1>) -> tensor<i32>
      %141 = "stablehlo.case"(%140) ({
        stablehlo.return %136 : tensor<4x6xf32>
      }, {
        %143 = "stablehlo.collective_permute"(%136) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
        stablehlo.return %143 : tensor<4x6xf32>
      }) : (tensor<i32>) -> tensor<4x6xf32>
      %142 = builtin.unrealized_conversion_cast %141 : tensor<4x6xf32> to tensor<4x6xf32>
      "sdy.return"(%142) : (tensor<4x6xf32>) -> ()
    }) : (tensor<16x6xf32>) -> tensor<16x6xf32>
    %110 = builtin.unrealized_conversion_cast %109 : tensor<16x6xf32> to tensor<16x6xf32>
    %111 = call @_roll_static(%3) : (tensor<16x6xf32>) -> tensor<16x6xf32>
    %112 = stablehlo.compare NE, %110, %111, FLOAT : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xi1>
    %113 = stablehlo.convert %112 : (tensor<16x6xi1>) -> tensor<16x6xi32>
    %114 = stablehlo.reduce(%113 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x6xi32>, tensor<i32>) -> tensor<i32>
    %115 = stablehlo.negate %3 : tensor<16x6xf32>
    %116 = builtin.unrealized_conversion_cast %115 : tensor<16x6xf32> to tensor<16x6xf32>
    %117 = "sdy.manual_computation"(%116) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}> ({
    ^bb0(%arg0: tensor<4x6xf32>):
      %136 = builtin.unrealized_conversion_cast %arg0 : tensor<4x6xf32> to tensor<4x6xf32>
      %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %137 = stablehlo.reduce(%136 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
      %138 = "stablehlo.all_reduce"(%137) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
        %143 = stablehlo.add %arg1, %arg2 : tensor<f32>
        stablehlo.return %143 : tensor<f32>
      }) : (tensor<f32>) -> tensor<f32>
      %139 = stablehlo.compare GT, %138, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %140 = stablehlo.convert %139 : (tensor<i1>) -> tensor<i32>
      %141 = "stablehlo.case"(%140) ({
        stablehlo.return %136 : tensor<4x6xf32>
      }, {
        %143 = "stablehlo.collective_permute"(%136) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
        stablehlo.return %143 : tensor<4x6xf32>
      }) : (tensor<i32>) -> tensor<4x6xf32>
      %142 = builtin.unrealized_conversion_cast %141 : tensor<4x6xf32> to tensor<4x6xf32>
      "sdy.return"(%142) : (tensor<4x6xf32>) -> ()
    }) : (tensor<16x6xf32>) -> tensor<16x6xf32>
    %118 = builtin.unrealized_conversion_cast %117 : tensor<16x6xf32> to tensor<16x6xf32>
    %119 = stablehlo.negate %3 : tensor<16x6xf32>
    %120 = stablehlo.compare NE, %118, %119, FLOAT : (tensor<16x6xf32>, tensor<16x6xf32>) -> tensor<16x6xi1>
    %121 = stablehlo.convert %120 : (tensor<16x6xi1>) -> tensor<16x6xi32>
    %122 = stablehlo.reduce(%121 init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<16x6xi32>, tensor<i32>) -> tensor<i32>
    %123 = stablehlo.broadcast_in_dim %17, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %124 = stablehlo.broadcast_in_dim %24, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %125 = stablehlo.broadcast_in_dim %31, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %126 = stablehlo.broadcast_in_dim %39, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %127 = stablehlo.broadcast_in_dim %44, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %128 = stablehlo.broadcast_in_dim %70, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %129 = stablehlo.broadcast_in_dim %78, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %130 = stablehlo.broadcast_in_dim %92, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %131 = stablehlo.broadcast_in_dim %101, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %132 = stablehlo.broadcast_in_dim %108, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %133 = stablehlo.broadcast_in_dim %114, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %134 = stablehlo.broadcast_in_dim %122, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %135 = stablehlo.concatenate %123, %124, %125, %126, %127, %128, %129, %130, %131, %132, %133, %134, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<12xi32>
    return %135 : tensor<12xi32>
  }
  func.func private @closed_call(%arg0: tensor<i32>, %arg1: tensor<4x6xf32>) -> (tensor<i32>, tensor<4x6xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.add %arg0, %c : tensor<i32>
    %1 = stablehlo.slice %arg1 [0:1, 0:6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %3 = stablehlo.multiply %1, %2 : tensor<1x6xf32>
    %4 = stablehlo.convert %arg0 : (tensor<i32>) -> tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<1x6xf32>
    %6 = stablehlo.add %3, %5 : tensor<1x6xf32>
    %7 = "stablehlo.all_reduce"(%6) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %10 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) : (tensor<1x6xf32>) -> tensor<1x6xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<4x6xf32>
    %9 = stablehlo.add %arg1, %8 : tensor<4x6xf32>
    return %0, %9 : tensor<i32>, tensor<4x6xf32>
  }
  func.func private @_roll_static(%arg0: tensor<16x6xf32>) -> tensor<16x6xf32> {
    %0 = stablehlo.slice %arg0 [12:16, 0:6] : (tensor<16x6xf32>) -> tensor<4x6xf32>
    %1 = stablehlo.slice %arg0 [0:12, 0:6] : (tensor<16x6xf32>) -> tensor<12x6xf32>
    %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<4x6xf32>, tensor<12x6xf32>) -> tensor<16x6xf32>
    return %2 : tensor<16x6xf32>
  }
}
