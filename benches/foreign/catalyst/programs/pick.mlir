// RESULT: result #0: 3xf64 = [0.0, 1.0, 2.0]
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1) -> (d0)>
"builtin.module"() <{sym_name = "pick"}> ({
  "func.func"() <{function_type = (tensor<3xf64>, tensor<3x3xf64>, tensor<i1>) -> tensor<3xf64>, sym_name = "jit_pick", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3xf64>, %arg1: tensor<3x3xf64>, %arg2: tensor<i1>):
    %0 = "arith.constant"() <{value = 0.000000e+00 : f64}> : () -> f64
    %1 = "tensor.extract"(%arg2) : (tensor<i1>) -> i1
    %2 = "scf.if"(%1) ({
      "scf.yield"(%arg0) : (tensor<3xf64>) -> ()
    }, {
      %3 = "tensor.empty"() : () -> tensor<3x3xf64>
      %4 = "linalg.generic"(%arg1, %3) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg13: f64, %arg14: f64):
        "linalg.yield"(%arg13) : (f64) -> ()
      }) : (tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
      %5 = "linalg.fill"(%0, %3) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg11: f64, %arg12: f64):
        "linalg.yield"(%arg11) : (f64) -> ()
      }) : (f64, tensor<3x3xf64>) -> tensor<3x3xf64>
      %6 = "linalg.matmul"(%arg1, %4, %5) <{indexing_maps = [#map2, #map3, #map4], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg8: f64, %arg9: f64, %arg10: f64):
        %12 = "arith.mulf"(%arg8, %arg9) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        %13 = "arith.addf"(%arg10, %12) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "linalg.yield"(%13) : (f64) -> ()
      }) : (tensor<3x3xf64>, tensor<3x3xf64>, tensor<3x3xf64>) -> tensor<3x3xf64>
      %7 = "tensor.empty"() : () -> tensor<3xf64>
      %8 = "linalg.fill"(%0, %7) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg6: f64, %arg7: f64):
        "linalg.yield"(%arg6) : (f64) -> ()
      }) : (f64, tensor<3xf64>) -> tensor<3xf64>
      %9 = "linalg.matvec"(%6, %arg0, %8) <{operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg3: f64, %arg4: f64, %arg5: f64):
        %10 = "arith.mulf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        %11 = "arith.addf"(%arg5, %10) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "linalg.yield"(%11) : (f64) -> ()
      }) {linalg.memoized_indexing_maps = [#map1, #map5, #map6]} : (tensor<3x3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<3xf64>
      "scf.yield"(%9) : (tensor<3xf64>) -> ()
    }) : (i1) -> tensor<3xf64>
    "func.return"(%2) : (tensor<3xf64>) -> ()
  }) {llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  func.func @main() -> (tensor<3xf64>) {
    %a0 = arith.constant dense<[0.0, 1.0, 2.0]> : tensor<3xf64>
    %a1 = arith.constant dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : tensor<3x3xf64>
    %a2 = arith.constant dense<true> : tensor<i1>
    func.call @setup() : () -> ()
    %r:1 = func.call @jit_pick(%a0, %a1, %a2) : (tensor<3xf64>, tensor<3x3xf64>, tensor<i1>) -> (tensor<3xf64>)
    func.call @teardown() : () -> ()
    return %r#0 : tensor<3xf64>
  }
}) : () -> ()
