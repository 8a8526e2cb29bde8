// RESULT: result #0: 4xcomplex<f64> = [(0.7071067811865475, 0.0), (0.0, 0.0), (0.6930117232058353, 0.0), (0.0, -0.14048043101898117)]
"builtin.module"() <{sym_name = "state"}> ({
  "func.func"() <{function_type = (tensor<f64>) -> tensor<4xcomplex<f64>>, sym_name = "jit_state", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<f64>):
    %11 = "func.call"(%arg1) <{callee = @state_0}> : (tensor<f64>) -> tensor<4xcomplex<f64>>
    "func.return"(%11) : (tensor<4xcomplex<f64>>) -> ()
  }) {llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (tensor<f64>) -> tensor<4xcomplex<f64>>, sym_name = "state_0", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<f64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "quantum.device"(%0) <{device_name = "LightningSimulator", kwargs = "{}", lib = "lightning"}> : (i64) -> ()
    %1 = "quantum.alloc"() <{nqubits_attr = 2 : i64}> : () -> !quantum.reg
    %2 = "quantum.extract"(%1) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
    %3 = "quantum.custom"(%2) <{gate_name = "Hadamard", operandSegmentSizes = array<i32: 0, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (!quantum.bit) -> !quantum.bit
    %4 = "quantum.extract"(%1) <{idx_attr = 1 : i64}> : (!quantum.reg) -> !quantum.bit
    %5 = "tensor.extract"(%arg0) : (tensor<f64>) -> f64
    %6:2 = "quantum.custom"(%5, %3, %4) <{gate_name = "CRX", operandSegmentSizes = array<i32: 1, 2, 0, 0>, resultSegmentSizes = array<i32: 2, 0>}> : (f64, !quantum.bit, !quantum.bit) -> (!quantum.bit, !quantum.bit)
    %7 = "quantum.insert"(%1, %6#0) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %8 = "quantum.insert"(%7, %6#1) <{idx_attr = 1 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %9 = "quantum.compbasis"(%8) <{operandSegmentSizes = array<i32: 0, 1>}> : (!quantum.reg) -> !quantum.obs
    %10 = "quantum.state"(%9) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!quantum.obs) -> tensor<4xcomplex<f64>>
    "quantum.dealloc"(%8) : (!quantum.reg) -> ()
    "quantum.device_release"() : () -> ()
    "func.return"(%10) : (tensor<4xcomplex<f64>>) -> ()
  }) {diff_method = "parameter-shift", llvm.linkage = #llvm.linkage<internal>, qnode} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  func.func @main() -> (tensor<4xcomplex<f64>>) {
    %a0 = arith.constant dense<0.4> : tensor<f64>
    func.call @setup() : () -> ()
    %r:1 = func.call @jit_state(%a0) : (tensor<f64>) -> (tensor<4xcomplex<f64>>)
    func.call @teardown() : () -> ()
    return %r#0 : tensor<4xcomplex<f64>>
  }
}) : () -> ()
