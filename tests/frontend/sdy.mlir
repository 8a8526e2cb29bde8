// The forms in which JAX writes meshes and shardings.
// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s | freehold opt - | FileCheck %s
// RUN: freehold run %s --input=2xf32=1,2 | FileCheck %s --check-prefix=RESULT

// CHECK: "sdy.mesh"() <{mesh = #sdy.mesh<["x"=1]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = []}} : () -> ()
sdy.mesh @mesh = <["x"=1]> {stablehlo.mesh = {axes = []}}

// RESULT: result #0: 2xf32 = [-2.0, -4.0]
// CHECK-LABEL: func.func @main(
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK: %[[A:.*]] = "sdy.sharding_constraint"(%{{.*}}) <{sharding = #sdy.sharding<@mesh, [{}]>}> : (tensor<2xf32>) -> tensor<2xf32>
  %0 = sdy.sharding_constraint %x <@mesh, [{}]> : tensor<2xf32>
  // CHECK: %[[B:.*]] = "sdy.reshard"(%[[A]]) <{sharding = #sdy.sharding<@mesh, [{"x"}], replicated={}>}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = sdy.reshard %0 <@mesh, [{"x"}], replicated={}> : tensor<2xf32>
  // CHECK: "sdy.manual_computation"(%[[B]]) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}> ({
  // CHECK-NEXT: ^bb0(%[[C:.*]]: tensor<2xf32>):
  // CHECK-NEXT:   %[[D:.*]] = stablehlo.add %[[C]], %[[C]]
  // CHECK-NEXT:   "sdy.return"(%[[D]]) : (tensor<2xf32>) -> ()
  // CHECK-NEXT: }) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%a: tensor<2xf32>) {
    %4 = stablehlo.add %a, %a : tensor<2xf32>
    sdy.return %4 : tensor<2xf32>
  } : (tensor<2xf32>) -> tensor<2xf32>
  %3 = stablehlo.negate %2 : tensor<2xf32>
  return %3 : tensor<2xf32>
}
