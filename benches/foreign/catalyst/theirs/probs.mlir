// RESULT: result #0: 4xf64 = [0.9776682445628029, 0.0, 0.0, 0.02233175543719699]
"builtin.module"() <{sym_name = "probs"}> ({
  "func.func"() <{function_type = (memref<f64>) -> memref<4xf64>, sym_name = "jit_probs", sym_visibility = "public"}> ({
  ^bb0(%arg1: memref<f64>):
    %11 = "arith.constant"() <{value = 3735928559 : i64}> : () -> i64
    %12 = "func.call"(%arg1) <{callee = @probs_0}> : (memref<f64>) -> memref<4xf64>
    %13 = "memref.extract_aligned_pointer_as_index"(%12) : (memref<4xf64>) -> index
    %14 = "arith.index_cast"(%13) : (index) -> i64
    %15 = "arith.cmpi"(%11, %14) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %16 = "scf.if"(%15) ({
      %17 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%12, %17) : (memref<4xf64>, memref<4xf64>) -> ()
      "scf.yield"(%17) : (memref<4xf64>) -> ()
    }, {
      "scf.yield"(%12) : (memref<4xf64>) -> ()
    }) : (i1) -> memref<4xf64>
    "func.return"(%16) : (memref<4xf64>) -> ()
  }) {llvm.copy_memref, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<f64>) -> memref<4xf64>, sym_name = "probs_0", sym_visibility = "public"}> ({
  ^bb0(%arg0: memref<f64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "quantum.device"(%0) <{device_name = "LightningSimulator", kwargs = "{}", lib = "lightning"}> : (i64) -> ()
    %1 = "quantum.alloc"() <{nqubits_attr = 2 : i64}> : () -> !quantum.reg
    %2 = "quantum.extract"(%1) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
    %3 = "memref.load"(%arg0) : (memref<f64>) -> f64
    %4 = "quantum.custom"(%3, %2) <{gate_name = "RX", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
    %5 = "quantum.extract"(%1) <{idx_attr = 1 : i64}> : (!quantum.reg) -> !quantum.bit
    %6:2 = "quantum.custom"(%4, %5) <{gate_name = "CNOT", operandSegmentSizes = array<i32: 0, 2, 0, 0>, resultSegmentSizes = array<i32: 2, 0>}> : (!quantum.bit, !quantum.bit) -> (!quantum.bit, !quantum.bit)
    %7 = "quantum.insert"(%1, %6#0) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %8 = "quantum.insert"(%7, %6#1) <{idx_attr = 1 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %9 = "quantum.compbasis"(%8) <{operandSegmentSizes = array<i32: 0, 1>}> : (!quantum.reg) -> !quantum.obs
    %10 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
    "quantum.probs"(%9, %10) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!quantum.obs, memref<4xf64>) -> ()
    "quantum.dealloc"(%8) : (!quantum.reg) -> ()
    "quantum.device_release"() : () -> ()
    "func.return"(%10) : (memref<4xf64>) -> ()
  }) {diff_method = "parameter-shift", llvm.linkage = #llvm.linkage<internal>, qnode} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  memref.global "private" constant @a0 : memref<f64> = dense<0.3>
  func.func @main() -> (memref<4xf64>) {
    %a0 = memref.get_global @a0 : memref<f64>
    func.call @setup() : () -> ()
    %r:1 = func.call @jit_probs(%a0) : (memref<f64>) -> (memref<4xf64>)
    func.call @teardown() : () -> ()
    return %r#0 : memref<4xf64>
  }
}) : () -> ()
