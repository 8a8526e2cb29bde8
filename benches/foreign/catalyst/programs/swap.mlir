// RESULT: result #0: 3xf64 = [2.0, 4.0, 6.0]
// RESULT: result #1: 3xf64 = [0.0, 4.0, 8.0]
#map = affine_map<(d0) -> ()>
#map1 = affine_map<(d0) -> (d0)>
"builtin.module"() <{sym_name = "swap"}> ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<i64>) -> (tensor<3xf64>, tensor<3xf64>), sym_name = "jit_swap", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<i64>):
    %0 = "arith.constant"() <{value = dense<1.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %1 = "arith.constant"() <{value = dense<2.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index
    %3 = "arith.constant"() <{value = 1 : index}> : () -> index
    %4 = "tensor.empty"() : () -> tensor<3xf64>
    %5 = "linalg.generic"(%0, %4) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg13: f64, %arg14: f64):
      "linalg.yield"(%arg13) : (f64) -> ()
    }) : (tensor<f64>, tensor<3xf64>) -> tensor<3xf64>
    %6 = "linalg.generic"(%arg0, %5, %4) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg10: f64, %arg11: f64, %arg12: f64):
      %13 = "arith.addf"(%arg10, %arg11) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%13) : (f64) -> ()
    }) : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
    %7 = "tensor.extract"(%arg1) : (tensor<i64>) -> i64
    %8 = "arith.index_cast"(%7) : (i64) -> index
    %9:2 = "scf.for"(%2, %8, %3, %arg0, %6) ({
    ^bb0(%arg2: index, %arg3: tensor<3xf64>, %arg4: tensor<3xf64>):
      %10 = "linalg.generic"(%1, %4) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg8: f64, %arg9: f64):
        "linalg.yield"(%arg8) : (f64) -> ()
      }) : (tensor<f64>, tensor<3xf64>) -> tensor<3xf64>
      %11 = "linalg.generic"(%arg3, %10, %4) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg5: f64, %arg6: f64, %arg7: f64):
        %12 = "arith.mulf"(%arg5, %arg6) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "linalg.yield"(%12) : (f64) -> ()
      }) : (tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      "scf.yield"(%arg4, %11) : (tensor<3xf64>, tensor<3xf64>) -> ()
    }) : (index, index, index, tensor<3xf64>, tensor<3xf64>) -> (tensor<3xf64>, tensor<3xf64>)
    "func.return"(%9#0, %9#1) : (tensor<3xf64>, tensor<3xf64>) -> ()
  }) {llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  func.func @main() -> (tensor<3xf64>, tensor<3xf64>) {
    %a0 = arith.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
    %a1 = arith.constant dense<3> : tensor<i64>
    func.call @setup() : () -> ()
    %r:2 = func.call @jit_swap(%a0, %a1) : (tensor<3xf64>, tensor<i64>) -> (tensor<3xf64>, tensor<3xf64>)
    func.call @teardown() : () -> ()
    return %r#0, %r#1 : tensor<3xf64>, tensor<3xf64>
  }
}) : () -> ()
