// RESULT: result #0: f64 = 7.7890392903838155
// RESULT: result #1: 4xf64 = [0.0, 1.9332186565355136, 2.715631851897715, 3.140188781950586]
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
"builtin.module"() <{sym_name = "classical"}> ({
  "func.func"() <{function_type = (tensor<4xf64>) -> (tensor<f64>, tensor<4xf64>), sym_name = "jit_classical", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xf64>):
    %0 = "arith.constant"() <{value = 5 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 0.000000e+00 : f64}> : () -> f64
    %3 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %4:2 = "scf.while"(%arg0, %3) ({
    ^bb0(%arg12: tensor<4xf64>, %arg13: i64):
      %15 = "arith.cmpi"(%arg13, %0) <{predicate = 2 : i64}> : (i64, i64) -> i1
      "scf.condition"(%15, %arg12, %arg13) : (i1, tensor<4xf64>, i64) -> ()
    }, {
    ^bb0(%arg5: tensor<4xf64>, %arg6: i64):
      %9 = "tensor.empty"() : () -> tensor<4xf64>
      %10 = "linalg.generic"(%arg5, %9) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg10: f64, %arg11: f64):
        %14 = "math.sin"(%arg10) <{fastmath = #arith.fastmath<none>}> : (f64) -> f64
        "linalg.yield"(%14) : (f64) -> ()
      }) : (tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %11 = "linalg.generic"(%10, %arg0, %9) <{indexing_maps = [#map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg7: f64, %arg8: f64, %arg9: f64):
        %13 = "arith.addf"(%arg7, %arg8) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "linalg.yield"(%13) : (f64) -> ()
      }) : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      %12 = "arith.addi"(%arg6, %1) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      "scf.yield"(%11, %12) : (tensor<4xf64>, i64) -> ()
    }) : (tensor<4xf64>, i64) -> (tensor<4xf64>, i64)
    %5 = "tensor.empty"() : () -> tensor<f64>
    %6 = "linalg.fill"(%2, %5) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg3: f64, %arg4: f64):
      "linalg.yield"(%arg3) : (f64) -> ()
    }) : (f64, tensor<f64>) -> tensor<f64>
    %7 = "linalg.generic"(%4#0, %6) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: f64, %arg2: f64):
      %8 = "arith.addf"(%arg2, %arg1) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%8) : (f64) -> ()
    }) : (tensor<4xf64>, tensor<f64>) -> tensor<f64>
    "func.return"(%7, %4#0) : (tensor<f64>, tensor<4xf64>) -> ()
  }) {llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  func.func @main() -> (tensor<f64>, tensor<4xf64>) {
    %a0 = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf64>
    func.call @setup() : () -> ()
    %r:2 = func.call @jit_classical(%a0) : (tensor<4xf64>) -> (tensor<f64>, tensor<4xf64>)
    func.call @teardown() : () -> ()
    return %r#0, %r#1 : tensor<f64>, tensor<4xf64>
  }
}) : () -> ()
