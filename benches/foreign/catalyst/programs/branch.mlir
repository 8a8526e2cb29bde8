// RESULT: result #0: 4xf64 = [0.8824210936422442, 0.0, 0.11757890635775578, 0.0]
// RESULT: result #1: f64 = 1.4
"builtin.module"() <{sym_name = "branch"}> ({
  "func.func"() <{function_type = (tensor<f64>) -> (tensor<4xf64>, tensor<f64>), sym_name = "jit_branch", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<f64>):
    %22:2 = "func.call"(%arg1) <{callee = @branch_0}> : (tensor<f64>) -> (tensor<4xf64>, tensor<f64>)
    "func.return"(%22#0, %22#1) : (tensor<4xf64>, tensor<f64>) -> ()
  }) {llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (tensor<f64>) -> (tensor<4xf64>, tensor<f64>), sym_name = "branch_0", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<f64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 5.000000e-01 : f64}> : () -> f64
    %2 = "arith.constant"() <{value = 2.000000e+00 : f64}> : () -> f64
    %3 = "arith.constant"() <{value = 3.000000e+00 : f64}> : () -> f64
    %4 = "tensor.extract"(%arg0) : (tensor<f64>) -> f64
    %5 = "arith.cmpf"(%4, %1) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f64, f64) -> i1
    "quantum.device"(%0) <{device_name = "LightningSimulator", kwargs = "{}", lib = "lightning"}> : (i64) -> ()
    %6 = "quantum.alloc"() <{nqubits_attr = 2 : i64}> : () -> !quantum.reg
    %7:2 = "scf.if"(%5) ({
      %18 = "arith.mulf"(%4, %2) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %19 = "quantum.extract"(%6) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
      %20 = "quantum.custom"(%4, %19) <{gate_name = "RX", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
      %21 = "quantum.insert"(%6, %20) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
      "scf.yield"(%18, %21) : (f64, !quantum.reg) -> ()
    }, {
      %14 = "arith.mulf"(%4, %3) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %15 = "quantum.extract"(%6) <{idx_attr = 1 : i64}> : (!quantum.reg) -> !quantum.bit
      %16 = "quantum.custom"(%4, %15) <{gate_name = "RY", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
      %17 = "quantum.insert"(%6, %16) <{idx_attr = 1 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
      "scf.yield"(%14, %17) : (f64, !quantum.reg) -> ()
    }) : (i1) -> (f64, !quantum.reg)
    %8 = "tensor.from_elements"(%7#0) : (f64) -> tensor<f64>
    %9 = "quantum.extract"(%7#1) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
    %10 = "quantum.custom"(%7#0, %9) <{gate_name = "RZ", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
    %11 = "quantum.insert"(%7#1, %10) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %12 = "quantum.compbasis"(%11) <{operandSegmentSizes = array<i32: 0, 1>}> : (!quantum.reg) -> !quantum.obs
    %13 = "quantum.probs"(%12) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!quantum.obs) -> tensor<4xf64>
    "quantum.dealloc"(%11) : (!quantum.reg) -> ()
    "quantum.device_release"() : () -> ()
    "func.return"(%13, %8) : (tensor<4xf64>, tensor<f64>) -> ()
  }) {diff_method = "parameter-shift", llvm.linkage = #llvm.linkage<internal>, qnode} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  func.func @main() -> (tensor<4xf64>, tensor<f64>) {
    %a0 = arith.constant dense<0.7> : tensor<f64>
    func.call @setup() : () -> ()
    %r:2 = func.call @jit_branch(%a0) : (tensor<f64>) -> (tensor<4xf64>, tensor<f64>)
    func.call @teardown() : () -> ()
    return %r#0, %r#1 : tensor<4xf64>, tensor<f64>
  }
}) : () -> ()
