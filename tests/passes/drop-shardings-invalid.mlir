// RUN: freehold opt %s --drop-shardings --verify-diagnostics

"sdy.mesh"() <{mesh = #sdy.mesh<["x"=2]>, sym_name = "mesh"}> : () -> ()

// Two devices have a part each.
func.func @manual(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op divides its operands among devices}}
  %0 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}> ({
  ^bb0(%part: tensor<2xf32>):
    "sdy.return"(%part) : (tensor<2xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
