// Programs in VHLO change their version, and back.
//
// RUN: freehold opt --vhlo-to-version=target=1.0.0 %s | FileCheck %s --check-prefix=OLD
// RUN: freehold opt --vhlo-to-version=target=1.0.0 --vhlo-to-version %s | FileCheck %s --check-prefix=NEW

// OLD: "vhlo.exponential_v1"(%{{.*}}) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>
// OLD: "vhlo.custom_call_v1"
// OLD-NOT: result_tilings
// NEW: "vhlo.exponential_v2"(%{{.*}}) <{result_accuracy = #vhlo.result_accuracy_v1<
// NEW: "vhlo.custom_call_v2"
// NEW-SAME: result_tilings = #vhlo.array_v1<[]>
vhlo.func_v1 @main(%a: !vhlo.tensor_v1<!vhlo.f32_v1>) -> (!vhlo.tensor_v1<!vhlo.f32_v1>) {
  %0 = "vhlo.exponential_v2"(%a) <{result_accuracy = #vhlo.result_accuracy_v1<atol = 0.0, rtol = 0.0, ulps = 0, mode = #vhlo<result_accuracy_mode_v1 DEFAULT>>}> : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>
  %1 = "vhlo.custom_call_v2"(%0) <{api_version = #vhlo<api_version_v1 API_VERSION_ORIGINAL>, backend_config = #vhlo.string_v1<"">, call_target_name = #vhlo.string_v1<"f">, called_computations = #vhlo.array_v1<[]>, has_side_effect = #vhlo.bool_v1<false>, operand_layouts = #vhlo.array_v1<[]>, output_operand_aliases = #vhlo.array_v1<[]>, result_layouts = #vhlo.array_v1<[]>, result_tilings = #vhlo.array_v1<[]>}> : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>
  "vhlo.return_v1"(%1) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> ()
} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}
