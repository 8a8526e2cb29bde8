// VHLO becomes StableHLO again; what has its default is left out.
//
// RUN: freehold opt --vhlo-legalize-to-stablehlo %s | FileCheck %s

// CHECK:      func.func public @main(%[[A:.*]]: tensor<2xf32> {jax.buffer_donor = true}, %[[P:.*]]: tensor<i1>) -> tensor<2xf32> {
// CHECK-NEXT:   %[[C:.*]] = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NEXT:   %[[R:.*]] = "stablehlo.if"(%[[P]]) ({
// CHECK-NEXT:     stablehlo.return %[[C]] : tensor<2xf32>
// CHECK-NEXT:   }, {
// CHECK-NEXT:     %[[T:.*]] = stablehlo.tanh %[[A]] : tensor<2xf32>
// CHECK-NEXT:     stablehlo.return %[[T]] : tensor<2xf32>
// CHECK-NEXT:   }) : (tensor<i1>) -> tensor<2xf32>
// CHECK-NEXT:   return %[[R]] : tensor<2xf32>
vhlo.func_v1 @main(%a: !vhlo.tensor_v1<2x!vhlo.f32_v1>, %p: !vhlo.tensor_v1<!vhlo.bool_v1>) -> (!vhlo.tensor_v1<2x!vhlo.f32_v1>) {
  %c = "vhlo.constant_v1"() <{value = #vhlo.tensor_v1<dense<[1.0, 2.0]> : tensor<2xf32>>}> : () -> !vhlo.tensor_v1<2x!vhlo.f32_v1>
  %r = "vhlo.if_v1"(%p) ({
    "vhlo.return_v1"(%c) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> ()
  }, {
    %t = "vhlo.tanh_v2"(%a) <{result_accuracy = #vhlo.result_accuracy_v1<atol = 0.0, rtol = 0.0, ulps = 0, mode = #vhlo<result_accuracy_mode_v1 DEFAULT>>}> : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>
    "vhlo.return_v1"(%t) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> ()
  }) : (!vhlo.tensor_v1<!vhlo.bool_v1>) -> !vhlo.tensor_v1<2x!vhlo.f32_v1>
  "vhlo.return_v1"(%r) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> ()
} {arg_attrs = #vhlo.array_v1<[#vhlo.dict_v1<{#vhlo.string_v1<"jax.buffer_donor"> = #vhlo.bool_v1<true>}>, #vhlo.dict_v1<{}>]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"public">}

// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [1] x [0], precision = [HIGHEST, HIGHEST] :
vhlo.func_v1 @product(%a: !vhlo.tensor_v1<2x3x!vhlo.f32_v1>, %b: !vhlo.tensor_v1<3x4x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<2x4x!vhlo.f32_v1>) {
  %0 = "vhlo.dot_general_v2"(%a, %b) <{
    accumulation_type = #vhlo.type_v1<!vhlo.none_v1>, allow_imprecise_accumulation = #vhlo.type_v1<!vhlo.none_v1>,
    lhs_batching_dimensions = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, lhs_component_count = #vhlo.type_v1<!vhlo.none_v1>,
    lhs_contracting_dimensions = #vhlo.tensor_v1<dense<1> : tensor<1xi64>>, lhs_precision_type = #vhlo.type_v1<!vhlo.none_v1>,
    num_primitive_operations = #vhlo.type_v1<!vhlo.none_v1>,
    precision_config = #vhlo.array_v1<[#vhlo<precision_v1 HIGHEST>, #vhlo<precision_v1 HIGHEST>]>,
    rhs_batching_dimensions = #vhlo.tensor_v1<dense<> : tensor<0xi64>>, rhs_component_count = #vhlo.type_v1<!vhlo.none_v1>,
    rhs_contracting_dimensions = #vhlo.tensor_v1<dense<0> : tensor<1xi64>>, rhs_precision_type = #vhlo.type_v1<!vhlo.none_v1>
  }> : (!vhlo.tensor_v1<2x3x!vhlo.f32_v1>, !vhlo.tensor_v1<3x4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x4x!vhlo.f32_v1>
  "vhlo.return_v1"(%0) : (!vhlo.tensor_v1<2x4x!vhlo.f32_v1>) -> ()
} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}

// Operations of dialects that have no versions have types without them, and casts between the two go.
// CHECK-LABEL: func.func @mixed
// CHECK-NEXT:    %[[Y:.*]] = "sdy.sharding_constraint"(%arg0)
// CHECK-NEXT:    stablehlo.negate %[[Y]] : tensor<4xf32>
"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()
vhlo.func_v1 @mixed(%a: !vhlo.tensor_v1<4x!vhlo.f32_v1>) -> (!vhlo.tensor_v1<4x!vhlo.f32_v1>) {
  %0 = builtin.unrealized_conversion_cast %a : !vhlo.tensor_v1<4x!vhlo.f32_v1> to tensor<4xf32>
  %1 = "sdy.sharding_constraint"(%0) {sharding = #sdy.sharding<@mesh, [{"x"}]>} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = builtin.unrealized_conversion_cast %1 : tensor<4xf32> to !vhlo.tensor_v1<4x!vhlo.f32_v1>
  %3 = "vhlo.negate_v1"(%2) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>
  "vhlo.return_v1"(%3) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> ()
} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}
