// RESULT: result #0: 4xf64 = [0.0, 0.0, 0.0, 1.0]
"builtin.module"() <{sym_name = "measured"}> ({
  "func.func"() <{function_type = (memref<f64>) -> memref<4xf64>, sym_name = "jit_measured", sym_visibility = "public"}> ({
  ^bb0(%arg1: memref<f64>):
    %13 = "arith.constant"() <{value = 3735928559 : i64}> : () -> i64
    %14 = "func.call"(%arg1) <{callee = @measured_0}> : (memref<f64>) -> memref<4xf64>
    %15 = "memref.extract_aligned_pointer_as_index"(%14) : (memref<4xf64>) -> index
    %16 = "arith.index_cast"(%15) : (index) -> i64
    %17 = "arith.cmpi"(%13, %16) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %18 = "scf.if"(%17) ({
      %19 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%14, %19) : (memref<4xf64>, memref<4xf64>) -> ()
      "scf.yield"(%19) : (memref<4xf64>) -> ()
    }, {
      "scf.yield"(%14) : (memref<4xf64>) -> ()
    }) : (i1) -> memref<4xf64>
    "func.return"(%18) : (memref<4xf64>) -> ()
  }) {catalyst.invalidGradientOperation, llvm.copy_memref, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<f64>) -> memref<4xf64>, sym_name = "measured_0", sym_visibility = "public"}> ({
  ^bb0(%arg0: memref<f64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "quantum.device"(%0) <{device_name = "LightningSimulator", kwargs = "{}", lib = "lightning"}> : (i64) -> ()
    %1 = "quantum.alloc"() <{nqubits_attr = 2 : i64}> : () -> !quantum.reg
    %2 = "quantum.extract"(%1) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
    %3 = "memref.load"(%arg0) : (memref<f64>) -> f64
    %4 = "quantum.custom"(%3, %2) <{gate_name = "RX", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
    %5:2 = "quantum.measure"(%4) : (!quantum.bit) -> (i1, !quantum.bit)
    %6 = "quantum.insert"(%1, %5#1) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %7 = "scf.if"(%5#0) ({
      %10 = "quantum.extract"(%6) <{idx_attr = 1 : i64}> : (!quantum.reg) -> !quantum.bit
      %11 = "quantum.custom"(%10) <{gate_name = "PauliX", operandSegmentSizes = array<i32: 0, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (!quantum.bit) -> !quantum.bit
      %12 = "quantum.insert"(%6, %11) <{idx_attr = 1 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
      "scf.yield"(%12) : (!quantum.reg) -> ()
    }, {
      "scf.yield"(%6) : (!quantum.reg) -> ()
    }) : (i1) -> !quantum.reg
    %8 = "quantum.compbasis"(%7) <{operandSegmentSizes = array<i32: 0, 1>}> : (!quantum.reg) -> !quantum.obs
    %9 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
    "quantum.probs"(%8, %9) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!quantum.obs, memref<4xf64>) -> ()
    "quantum.dealloc"(%7) : (!quantum.reg) -> ()
    "quantum.device_release"() : () -> ()
    "func.return"(%9) : (memref<4xf64>) -> ()
  }) {catalyst.invalidGradientOperation, diff_method = "parameter-shift", llvm.linkage = #llvm.linkage<internal>, qnode} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  memref.global "private" constant @a0 : memref<f64> = dense<3.141592653589793>
  func.func @main() -> (memref<4xf64>) {
    %a0 = memref.get_global @a0 : memref<f64>
    func.call @setup() : () -> ()
    %r:1 = func.call @jit_measured(%a0) : (memref<f64>) -> (memref<4xf64>)
    func.call @teardown() : () -> ()
    return %r#0 : memref<4xf64>
  }
}) : () -> ()
