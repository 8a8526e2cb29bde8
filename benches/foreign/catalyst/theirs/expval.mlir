// RESULT: result #0: f64 = 0.9553364891256059
"builtin.module"() <{sym_name = "expval"}> ({
  "func.func"() <{function_type = (memref<2xf64>) -> memref<f64>, sym_name = "jit_expval", sym_visibility = "public"}> ({
  ^bb0(%arg1: memref<2xf64>):
    %18 = "arith.constant"() <{value = 3735928559 : i64}> : () -> i64
    %19 = "func.call"(%arg1) <{callee = @expval_0}> : (memref<2xf64>) -> memref<f64>
    %20 = "memref.extract_aligned_pointer_as_index"(%19) : (memref<f64>) -> index
    %21 = "arith.index_cast"(%20) : (index) -> i64
    %22 = "arith.cmpi"(%18, %21) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %23 = "scf.if"(%22) ({
      %24 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<f64>
      "memref.copy"(%19, %24) : (memref<f64>, memref<f64>) -> ()
      "scf.yield"(%24) : (memref<f64>) -> ()
    }, {
      "scf.yield"(%19) : (memref<f64>) -> ()
    }) : (i1) -> memref<f64>
    "func.return"(%23) : (memref<f64>) -> ()
  }) {llvm.copy_memref, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<2xf64>) -> memref<f64>, sym_name = "expval_0", sym_visibility = "public"}> ({
  ^bb0(%arg0: memref<2xf64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (memref<2xf64>) -> memref<1xf64, strided<[1]>>
    %2 = "memref.collapse_shape"(%1) <{reassociation = []}> : (memref<1xf64, strided<[1]>>) -> memref<f64>
    "quantum.device"(%0) <{device_name = "LightningSimulator", kwargs = "{}", lib = "lightning"}> : (i64) -> ()
    %3 = "quantum.alloc"() <{nqubits_attr = 2 : i64}> : () -> !quantum.reg
    %4 = "quantum.extract"(%3) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
    %5 = "memref.load"(%2) : (memref<f64>) -> f64
    %6 = "quantum.custom"(%5, %4) <{gate_name = "RX", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
    %7 = "memref.subview"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (memref<2xf64>) -> memref<1xf64, strided<[1], offset: 1>>
    %8 = "memref.collapse_shape"(%7) <{reassociation = []}> : (memref<1xf64, strided<[1], offset: 1>>) -> memref<f64, strided<[], offset: 1>>
    %9 = "quantum.extract"(%3) <{idx_attr = 1 : i64}> : (!quantum.reg) -> !quantum.bit
    %10 = "memref.load"(%8) : (memref<f64, strided<[], offset: 1>>) -> f64
    %11 = "quantum.custom"(%10, %9) <{gate_name = "RY", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
    %12:2 = "quantum.custom"(%6, %11) <{gate_name = "CNOT", operandSegmentSizes = array<i32: 0, 2, 0, 0>, resultSegmentSizes = array<i32: 2, 0>}> : (!quantum.bit, !quantum.bit) -> (!quantum.bit, !quantum.bit)
    %13 = "quantum.namedobs"(%12#0) <{type = #quantum<named_observable PauliZ>}> : (!quantum.bit) -> !quantum.obs
    %14 = "quantum.expval"(%13) : (!quantum.obs) -> f64
    %15 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<f64>
    "memref.store"(%14, %15) : (f64, memref<f64>) -> ()
    %16 = "quantum.insert"(%3, %12#0) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %17 = "quantum.insert"(%16, %12#1) <{idx_attr = 1 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    "quantum.dealloc"(%17) : (!quantum.reg) -> ()
    "quantum.device_release"() : () -> ()
    "func.return"(%15) : (memref<f64>) -> ()
  }) {diff_method = "adjoint", llvm.linkage = #llvm.linkage<internal>, qnode} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  memref.global "private" constant @a0 : memref<2xf64> = dense<[0.3, 0.7]>
  func.func @main() -> (memref<f64>) {
    %a0 = memref.get_global @a0 : memref<2xf64>
    func.call @setup() : () -> ()
    %r:1 = func.call @jit_expval(%a0) : (memref<2xf64>) -> (memref<f64>)
    func.call @teardown() : () -> ()
    return %r#0 : memref<f64>
  }
}) : () -> ()
