// RUN: freehold opt %s --drop-shardings | FileCheck %s

// CHECK-NOT:   sdy.mesh
"sdy.mesh"() <{mesh = #sdy.mesh<["x"=1]>, sym_name = "mesh"}> : () -> ()

// A tensor is wholly on the one device, wherever it should be.
// CHECK-LABEL: func.func @constraint(
// CHECK-SAME:      %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @constraint(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "sdy.sharding_constraint"(%x) {sharding = #sdy.sharding<@mesh, [{"x"}]>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "sdy.reshard"(%0) {sharding = #sdy.sharding<@mesh, [{}]>} : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// What the device does by itself is part of the function; results may be arguments.
// CHECK-LABEL: func.func @manual(
// CHECK-SAME:      %[[X:.*]]: tensor<4xf32>)
// CHECK-NEXT:    %[[Y:.*]] = stablehlo.negate %[[X]]
// CHECK-NEXT:    return %[[X]], %[[Y]]
func.func @manual(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0:2 = "sdy.manual_computation"(%x) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, manual_axes = #sdy<manual_axes{"x"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}> ({
  ^bb0(%part: tensor<4xf32>):
    %1 = stablehlo.negate %part : tensor<4xf32>
    "sdy.return"(%part, %1) : (tensor<4xf32>, tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<4xf32>, tensor<4xf32>
}
