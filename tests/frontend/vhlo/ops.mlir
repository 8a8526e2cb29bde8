// The text of VHLO, types and attributes of every kind, printed as it was read; and through bytecode.
//
// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s --emit-bytecode | freehold opt - | FileCheck %s

// CHECK: vhlo.func_v1 @types(%{{.*}}: !vhlo.tensor_v1<?x4x!vhlo.ui8_v1, #vhlo.type_extensions_v1<bounds = [8, ?]>>, %{{.*}}: !vhlo.token_v1, %{{.*}}: !vhlo.tuple_v1<!vhlo.tensor_v1<!vhlo.complex_v1<!vhlo.f64_v1>>, !vhlo.tensor_v1<!vhlo.index_v1>>, %{{.*}}: !vhlo.unranked_tensor_v1<!vhlo.bf16_v1>, %{{.*}}: !vhlo.buffer_v1<2x!vhlo.f8E4M3FN_v1>) -> () {
vhlo.func_v1 @types(%a: !vhlo.tensor_v1<?x4x!vhlo.ui8_v1, #vhlo.type_extensions_v1<bounds = [8, ?]>>, %t: !vhlo.token_v1, %u: !vhlo.tuple_v1<!vhlo.tensor_v1<!vhlo.complex_v1<!vhlo.f64_v1>>, !vhlo.tensor_v1<!vhlo.index_v1>>, %v: !vhlo.unranked_tensor_v1<!vhlo.bf16_v1>, %b: !vhlo.buffer_v1<2x!vhlo.f8E4M3FN_v1>) -> () {
  // CHECK: "vhlo.return_v1"() {
  // CHECK-SAME: axes = #vhlo.axis_ref_v1<name = #vhlo.string_v1<"x">, sub_axis_info = #vhlo.sub_axis_info_v1<pre_size = 1, size = 2>>
  // CHECK-SAME: direction = #vhlo<comparison_direction_v1 GE>
  // CHECK-SAME: distribution = #vhlo<rng_distribution_v1 NORMAL>
  // CHECK-SAME: elements = #vhlo.tensor_v1<dense<[true, false, true]> : tensor<3xi1>>
  // CHECK-SAME: list = #vhlo.array_v1<[#vhlo.integer_v1<-3 : i32>, #vhlo.bool_v1<true>, #vhlo.float_v1<1.500000e+00 : !vhlo.f32_v1>]>
  // CHECK-SAME: name = #vhlo.string_v1<"a\22b">
  // CHECK-SAME: quantized = #vhlo.type_v1<!vhlo.quant_per_axis_v1<!vhlo.i8_v1:!vhlo.f32_v1, 0, [5.000000e-01, 2.500000e-01], [3, -3], -128:127, 1>>
  // CHECK-SAME: type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.future_v1<!vhlo.tensor_v1<2x!vhlo.f32_v1>>>>
  "vhlo.return_v1"() {
    axes = #vhlo.axis_ref_v1<name = #vhlo.string_v1<"x">, sub_axis_info = #vhlo.sub_axis_info_v1<pre_size = 1, size = 2>>,
    direction = #vhlo<comparison_direction_v1 GE>,
    distribution = #vhlo<rng_distribution_v1 NORMAL>,
    elements = #vhlo.tensor_v1<dense<[true, false, true]> : tensor<3xi1>>,
    list = #vhlo.array_v1<[#vhlo.integer_v1<-3 : i32>, #vhlo.bool_v1<true>, #vhlo.float_v1<1.500000e+00 : !vhlo.f32_v1>]>,
    name = #vhlo.string_v1<"a\22b">,
    quantized = #vhlo.type_v1<!vhlo.quant_per_axis_v1<!vhlo.i8_v1:!vhlo.f32_v1, 0, [5.0e-01, 2.5e-01], [3, -3], -128:127, 1>>,
    type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.future_v1<!vhlo.tensor_v1<2x!vhlo.f32_v1>>>>
  } : () -> ()
} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}
