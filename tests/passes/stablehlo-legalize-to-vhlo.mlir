// StableHLO and func become VHLO, with all attributes spelled out.
//
// RUN: freehold opt --stablehlo-legalize-to-vhlo %s | FileCheck %s

// CHECK:      vhlo.func_v1 @function(%[[A:.*]]: !vhlo.tensor_v1<2x?x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<2x?x!vhlo.f32_v1>) {
// CHECK-NEXT:   %[[E:.*]] = "vhlo.exponential_v2"(%[[A]]) <{result_accuracy = #vhlo.result_accuracy_v1<atol = 0.000000e+00, rtol = 0.000000e+00, ulps = 0, mode = #vhlo<result_accuracy_mode_v1 DEFAULT>>}> : (!vhlo.tensor_v1<2x?x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x?x!vhlo.f32_v1>
// CHECK-NEXT:   "vhlo.return_v1"(%[[E]]) : (!vhlo.tensor_v1<2x?x!vhlo.f32_v1>) -> ()
// CHECK-NEXT: } {arg_attrs = #vhlo.array_v1<[#vhlo.dict_v1<{#vhlo.string_v1<"tf.aliasing_output"> = #vhlo.integer_v1<0 : i32>}>]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"private">}
func.func private @function(%a: tensor<2x?xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2x?xf32> {
  %0 = stablehlo.exponential %a : tensor<2x?xf32>
  return %0 : tensor<2x?xf32>
}

// Fields of dimension numbers are attributes.
// CHECK: "vhlo.gather_v2"
// CHECK-SAME: collapsed_slice_dims = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>
// CHECK-SAME: index_vector_dim = #vhlo.integer_v1<1 : i64>
// CHECK-SAME: indices_are_sorted = #vhlo.bool_v1<false>
// CHECK-SAME: offset_dims = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>
// CHECK-SAME: operand_batching_dims = #vhlo.tensor_v1<dense<> : tensor<0xi64>>
// CHECK-SAME: slice_sizes = #vhlo.tensor_v1<dense<[1, 4]> : tensor<2xi64>>
func.func @gather(%a: tensor<3x4xf32>, %i: tensor<5x1xi32>) -> tensor<5x4xf32> {
  %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<3x4xf32>, tensor<5x1xi32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// CHECK: "vhlo.convolution_v1"
// CHECK-SAME: input_batch_dimension = #vhlo.integer_v1<0 : i64>
// CHECK-SAME: kernel_spatial_dimensions = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>
// CHECK-SAME: padding = #vhlo.tensor_v1<dense<0> : tensor<1x2xi64>>
// CHECK-SAME: precision_config = #vhlo.array_v1<[#vhlo<precision_v1 DEFAULT>, #vhlo<precision_v1 DEFAULT>]>
// CHECK-SAME: window_reversal = #vhlo.tensor_v1<dense<false> : tensor<1xi1>>
// CHECK-SAME: window_strides = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>
func.func @convolution(%a: tensor<1x8x2xf32>, %k: tensor<3x2x4xf32>) -> tensor<1x6x4xf32> {
  %0 = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x2xf32>, tensor<3x2x4xf32>) -> tensor<1x6x4xf32>
  return %0 : tensor<1x6x4xf32>
}

// CHECK: "vhlo.custom_call_v2"
// CHECK-SAME: api_version = #vhlo<api_version_v1 API_VERSION_TYPED_FFI>
// CHECK-SAME: backend_config = #vhlo.dict_v1<{#vhlo.string_v1<"n"> = #vhlo.integer_v1<2 : i32>}>
// CHECK: "vhlo.call_v1"(%{{.*}}) <{callee = #vhlo.string_v1<"custom">}>
func.func @custom(%a: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.custom_call @f(%a) {api_version = 4 : i32, backend_config = {n = 2 : i32}} : (tensor<f32>) -> tensor<f32>
  %1 = call @custom(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// CHECK: vhlo.func_v1 @quantized(%{{.*}}: !vhlo.tensor_v1<!vhlo.quant_v1<!vhlo.i8_v1:!vhlo.f32_v1, 5.000000e-01:3, -128:127, 1>>)
func.func @quantized(%a: tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<f32> {
  %0 = stablehlo.uniform_dequantize %a : (tensor<!quant.uniform<i8:f32, 0.5:3>>) -> tensor<f32>
  return %0 : tensor<f32>
}
