// RESULT: result #0: 4xf64 = [0.8824210936422442, 0.0, 0.11757890635775578, 0.0]
// RESULT: result #1: f64 = 1.4
"builtin.module"() <{sym_name = "branch"}> ({
  "func.func"() <{function_type = (memref<f64>) -> (memref<4xf64>, memref<f64>), sym_name = "jit_branch", sym_visibility = "public"}> ({
  ^bb0(%arg1: memref<f64>):
    %24 = "arith.constant"() <{value = 3735928559 : i64}> : () -> i64
    %25:2 = "func.call"(%arg1) <{callee = @branch_0}> : (memref<f64>) -> (memref<4xf64>, memref<f64>)
    %26 = "memref.extract_aligned_pointer_as_index"(%25#0) : (memref<4xf64>) -> index
    %27 = "arith.index_cast"(%26) : (index) -> i64
    %28 = "arith.cmpi"(%24, %27) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %29 = "scf.if"(%28) ({
      %35 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%25#0, %35) : (memref<4xf64>, memref<4xf64>) -> ()
      "scf.yield"(%35) : (memref<4xf64>) -> ()
    }, {
      "scf.yield"(%25#0) : (memref<4xf64>) -> ()
    }) : (i1) -> memref<4xf64>
    %30 = "memref.extract_aligned_pointer_as_index"(%25#1) : (memref<f64>) -> index
    %31 = "arith.index_cast"(%30) : (index) -> i64
    %32 = "arith.cmpi"(%24, %31) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %33 = "scf.if"(%32) ({
      %34 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<f64>
      "memref.copy"(%25#1, %34) : (memref<f64>, memref<f64>) -> ()
      "scf.yield"(%34) : (memref<f64>) -> ()
    }, {
      "scf.yield"(%25#1) : (memref<f64>) -> ()
    }) : (i1) -> memref<f64>
    "func.return"(%29, %33) : (memref<4xf64>, memref<f64>) -> ()
  }) {llvm.copy_memref, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<f64>) -> (memref<4xf64>, memref<f64>), sym_name = "branch_0", sym_visibility = "public"}> ({
  ^bb0(%arg0: memref<f64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 5.000000e-01 : f64}> : () -> f64
    %2 = "arith.constant"() <{value = 2.000000e+00 : f64}> : () -> f64
    %3 = "arith.constant"() <{value = 3.000000e+00 : f64}> : () -> f64
    %4 = "memref.load"(%arg0) : (memref<f64>) -> f64
    %5 = "arith.cmpf"(%4, %1) <{fastmath = #arith.fastmath<none>, predicate = 2 : i64}> : (f64, f64) -> i1
    "quantum.device"(%0) <{device_name = "LightningSimulator", kwargs = "{}", lib = "lightning"}> : (i64) -> ()
    %6 = "quantum.alloc"() <{nqubits_attr = 2 : i64}> : () -> !quantum.reg
    %7:2 = "scf.if"(%5) ({
      %19 = "arith.mulf"(%4, %2) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %20 = "quantum.extract"(%6) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
      %21 = "memref.load"(%arg0) : (memref<f64>) -> f64
      %22 = "quantum.custom"(%21, %20) <{gate_name = "RX", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
      %23 = "quantum.insert"(%6, %22) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
      "scf.yield"(%19, %23) : (f64, !quantum.reg) -> ()
    }, {
      %14 = "arith.mulf"(%4, %3) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      %15 = "quantum.extract"(%6) <{idx_attr = 1 : i64}> : (!quantum.reg) -> !quantum.bit
      %16 = "memref.load"(%arg0) : (memref<f64>) -> f64
      %17 = "quantum.custom"(%16, %15) <{gate_name = "RY", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
      %18 = "quantum.insert"(%6, %17) <{idx_attr = 1 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
      "scf.yield"(%14, %18) : (f64, !quantum.reg) -> ()
    }) : (i1) -> (f64, !quantum.reg)
    %8 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<f64>
    "memref.store"(%7#0, %8) : (f64, memref<f64>) -> ()
    %9 = "quantum.extract"(%7#1) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
    %10 = "quantum.custom"(%7#0, %9) <{gate_name = "RZ", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
    %11 = "quantum.insert"(%7#1, %10) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %12 = "quantum.compbasis"(%11) <{operandSegmentSizes = array<i32: 0, 1>}> : (!quantum.reg) -> !quantum.obs
    %13 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
    "quantum.probs"(%12, %13) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!quantum.obs, memref<4xf64>) -> ()
    "quantum.dealloc"(%11) : (!quantum.reg) -> ()
    "quantum.device_release"() : () -> ()
    "func.return"(%13, %8) : (memref<4xf64>, memref<f64>) -> ()
  }) {diff_method = "parameter-shift", llvm.linkage = #llvm.linkage<internal>, qnode} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  memref.global "private" constant @a0 : memref<f64> = dense<0.7>
  func.func @main() -> (memref<4xf64>, memref<f64>) {
    %a0 = memref.get_global @a0 : memref<f64>
    func.call @setup() : () -> ()
    %r:2 = func.call @jit_branch(%a0) : (memref<f64>) -> (memref<4xf64>, memref<f64>)
    func.call @teardown() : () -> ()
    return %r#0, %r#1 : memref<4xf64>, memref<f64>
  }
}) : () -> ()
