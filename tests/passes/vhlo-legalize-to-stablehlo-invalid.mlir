// Functions of VHLO are no symbols: that two have one name is seen when they become functions.
//
// RUN: freehold opt --vhlo-legalize-to-stablehlo --verify-diagnostics %s

// expected-note @+1 {{see existing symbol definition here}}
vhlo.func_v1 @f(%a: !vhlo.tensor_v1<!vhlo.f32_v1>) -> (!vhlo.tensor_v1<!vhlo.f32_v1>) {
  "vhlo.return_v1"(%a) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> ()
} {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}

// expected-error @+1 {{redefinition of symbol named 'f'}}
func.func @f(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}
