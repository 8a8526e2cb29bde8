// RESULT: result #0: 4xf64 = [0.6635798634932808, 0.0, 0.33642013650671937, 0.0]
"builtin.module"() <{sym_name = "loop"}> ({
  "func.func"() <{function_type = (memref<i64>, memref<f64>) -> memref<4xf64>, sym_name = "jit_loop", sym_visibility = "public"}> ({
  ^bb0(%arg5: memref<i64>, %arg6: memref<f64>):
    %18 = "arith.constant"() <{value = 3735928559 : i64}> : () -> i64
    %19 = "func.call"(%arg5, %arg6) <{callee = @loop_0}> : (memref<i64>, memref<f64>) -> memref<4xf64>
    %20 = "memref.extract_aligned_pointer_as_index"(%19) : (memref<4xf64>) -> index
    %21 = "arith.index_cast"(%20) : (index) -> i64
    %22 = "arith.cmpi"(%18, %21) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %23 = "scf.if"(%22) ({
      %24 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%19, %24) : (memref<4xf64>, memref<4xf64>) -> ()
      "scf.yield"(%24) : (memref<4xf64>) -> ()
    }, {
      "scf.yield"(%19) : (memref<4xf64>) -> ()
    }) : (i1) -> memref<4xf64>
    "func.return"(%23) : (memref<4xf64>) -> ()
  }) {llvm.copy_memref, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<i64>, memref<f64>) -> memref<4xf64>, sym_name = "loop_0", sym_visibility = "public"}> ({
  ^bb0(%arg0: memref<i64>, %arg1: memref<f64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0 : index}> : () -> index
    %2 = "arith.constant"() <{value = 1 : index}> : () -> index
    %3 = "arith.constant"() <{value = 5.000000e-01 : f64}> : () -> f64
    "quantum.device"(%0) <{device_name = "LightningSimulator", kwargs = "{}", lib = "lightning"}> : (i64) -> ()
    %4 = "quantum.alloc"() <{nqubits_attr = 2 : i64}> : () -> !quantum.reg
    %5 = "memref.load"(%arg0) : (memref<i64>) -> i64
    %6 = "arith.index_cast"(%5) : (i64) -> index
    %7 = "memref.load"(%arg1) : (memref<f64>) -> f64
    %8:2 = "scf.for"(%1, %6, %2, %7, %4) ({
    ^bb0(%arg2: index, %arg3: f64, %arg4: !quantum.reg):
      %11 = "arith.index_cast"(%arg2) : (index) -> i64
      %12 = "arith.mulf"(%arg3, %3) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %13 = "arith.sitofp"(%11) : (i64) -> f64
      %14 = "arith.mulf"(%arg3, %13) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %15 = "quantum.extract"(%arg4) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
      %16 = "quantum.custom"(%14, %15) <{gate_name = "RX", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
      %17 = "quantum.insert"(%arg4, %16) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
      "scf.yield"(%12, %17) : (f64, !quantum.reg) -> ()
    }) : (index, index, index, f64, !quantum.reg) -> (f64, !quantum.reg)
    %9 = "quantum.compbasis"(%8#1) <{operandSegmentSizes = array<i32: 0, 1>}> : (!quantum.reg) -> !quantum.obs
    %10 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
    "quantum.probs"(%9, %10) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!quantum.obs, memref<4xf64>) -> ()
    "quantum.dealloc"(%8#1) : (!quantum.reg) -> ()
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
  memref.global "private" constant @a0 : memref<i64> = dense<4>
  memref.global "private" constant @a1 : memref<f64> = dense<0.9>
  func.func @main() -> (memref<4xf64>) {
    %a0 = memref.get_global @a0 : memref<i64>
    %a1 = memref.get_global @a1 : memref<f64>
    func.call @setup() : () -> ()
    %r:1 = func.call @jit_loop(%a0, %a1) : (memref<i64>, memref<f64>) -> (memref<4xf64>)
    func.call @teardown() : () -> ()
    return %r#0 : memref<4xf64>
  }
}) : () -> ()
