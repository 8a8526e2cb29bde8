// RESULT: result #0: 4xf64 = [2.701141036152974, 0.0, 0.0, 0.2988589638470256]
#map = affine_map<(d0) -> ()>
#map1 = affine_map<(d0) -> (d0)>
"builtin.module"() <{sym_name = "workflow"}> ({
  "func.func"() <{function_type = (tensor<f64>) -> tensor<4xf64>, sym_name = "jit_workflow", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<f64>):
    %11 = "arith.constant"() <{value = dense<0.000000e+00> : tensor<f64>}> : () -> tensor<f64>
    %12 = "arith.constant"() <{value = 0 : index}> : () -> index
    %13 = "arith.constant"() <{value = 3 : index}> : () -> index
    %14 = "arith.constant"() <{value = 1 : index}> : () -> index
    %15 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %16 = "tensor.extract"(%arg1) : (tensor<f64>) -> f64
    %17 = "tensor.empty"() : () -> tensor<4xf64>
    %18 = "linalg.generic"(%11, %17) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg7: f64, %arg8: f64):
      "linalg.yield"(%arg7) : (f64) -> ()
    }) : (tensor<f64>, tensor<4xf64>) -> tensor<4xf64>
    %19 = "scf.for"(%12, %13, %14, %18) ({
    ^bb0(%arg2: index, %arg3: tensor<4xf64>):
      %20 = "arith.index_cast"(%arg2) : (index) -> i64
      %21 = "arith.addi"(%20, %15) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %22 = "arith.sitofp"(%21) : (i64) -> f64
      %23 = "arith.mulf"(%16, %22) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %24 = "tensor.from_elements"(%23) : (f64) -> tensor<f64>
      %25 = "func.call"(%24) <{callee = @probs_0}> : (tensor<f64>) -> tensor<4xf64>
      %26 = "linalg.generic"(%arg3, %25, %17) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg4: f64, %arg5: f64, %arg6: f64):
        %27 = "arith.addf"(%arg4, %arg5) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "linalg.yield"(%27) : (f64) -> ()
      }) : (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) -> tensor<4xf64>
      "scf.yield"(%26) : (tensor<4xf64>) -> ()
    }) : (index, index, index, tensor<4xf64>) -> tensor<4xf64>
    "func.return"(%19) : (tensor<4xf64>) -> ()
  }) {llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (tensor<f64>) -> tensor<4xf64>, sym_name = "probs_0", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<f64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "quantum.device"(%0) <{device_name = "LightningSimulator", kwargs = "{}", lib = "lightning"}> : (i64) -> ()
    %1 = "quantum.alloc"() <{nqubits_attr = 2 : i64}> : () -> !quantum.reg
    %2 = "quantum.extract"(%1) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
    %3 = "tensor.extract"(%arg0) : (tensor<f64>) -> f64
    %4 = "quantum.custom"(%3, %2) <{gate_name = "RX", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
    %5 = "quantum.extract"(%1) <{idx_attr = 1 : i64}> : (!quantum.reg) -> !quantum.bit
    %6:2 = "quantum.custom"(%4, %5) <{gate_name = "CNOT", operandSegmentSizes = array<i32: 0, 2, 0, 0>, resultSegmentSizes = array<i32: 2, 0>}> : (!quantum.bit, !quantum.bit) -> (!quantum.bit, !quantum.bit)
    %7 = "quantum.insert"(%1, %6#0) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %8 = "quantum.insert"(%7, %6#1) <{idx_attr = 1 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %9 = "quantum.compbasis"(%8) <{operandSegmentSizes = array<i32: 0, 1>}> : (!quantum.reg) -> !quantum.obs
    %10 = "quantum.probs"(%9) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!quantum.obs) -> tensor<4xf64>
    "quantum.dealloc"(%8) : (!quantum.reg) -> ()
    "quantum.device_release"() : () -> ()
    "func.return"(%10) : (tensor<4xf64>) -> ()
  }) {diff_method = "parameter-shift", llvm.linkage = #llvm.linkage<internal>, qnode} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  func.func @main() -> (tensor<4xf64>) {
    %a0 = arith.constant dense<0.3> : tensor<f64>
    func.call @setup() : () -> ()
    %r:1 = func.call @jit_workflow(%a0) : (tensor<f64>) -> (tensor<4xf64>)
    func.call @teardown() : () -> ()
    return %r#0 : tensor<4xf64>
  }
}) : () -> ()
