// RESULT: result #0: 4xf64 = [0.9387912809451863, 0.0, 0.0, 0.06120871905481365]
// RESULT: result #1: f64 = 0.8775825618903728
#map = affine_map<(d0) -> (d0)>
"builtin.module"() <{sym_name = "both"}> ({
  "func.func"() <{function_type = (memref<f64>) -> (memref<4xf64>, memref<f64>), sym_name = "jit_both", sym_visibility = "public"}> ({
  ^bb0(%arg2: memref<f64>):
    %29 = "arith.constant"() <{value = 3735928559 : i64}> : () -> i64
    %30 = "arith.constant"() <{value = 0 : index}> : () -> index
    %31 = "arith.constant"() <{value = 2.000000e+00 : f64}> : () -> f64
    %32 = "arith.constant"() <{value = 1 : index}> : () -> index
    %33 = "memref.load"(%arg2) : (memref<f64>) -> f64
    %34 = "func.call"(%arg2) <{callee = @probs_0}> : (memref<f64>) -> memref<4xf64>
    %35 = "arith.mulf"(%33, %31) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
    %36 = "memref.expand_shape"(%arg2) <{reassociation = [], static_output_shape = array<i64: 1>}> : (memref<f64>) -> memref<1xf64>
    %37 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<1xf64>
    "memref.store"(%35, %37, %30) : (f64, memref<1xf64>, index) -> ()
    %38 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<2xf64>
    "linalg.generic"(%38) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg3: f64):
      %50 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %51 = "arith.cmpi"(%50, %32) <{predicate = 6 : i64}> : (index, index) -> i1
      %52 = "scf.if"(%51) ({
        %55 = "memref.load"(%36, %50) : (memref<1xf64>, index) -> f64
        "scf.yield"(%55) : (f64) -> ()
      }, {
        %53 = "arith.subi"(%50, %32) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %54 = "memref.load"(%37, %53) : (memref<1xf64>, index) -> f64
        "scf.yield"(%54) : (f64) -> ()
      }) : (i1) -> f64
      "linalg.yield"(%52) : (f64) -> ()
    }) : (memref<2xf64>) -> ()
    "memref.dealloc"(%37) : (memref<1xf64>) -> ()
    %39 = "func.call"(%38) <{callee = @expval_0}> : (memref<2xf64>) -> memref<f64>
    %40 = "memref.extract_aligned_pointer_as_index"(%34) : (memref<4xf64>) -> index
    %41 = "arith.index_cast"(%40) : (index) -> i64
    %42 = "arith.cmpi"(%29, %41) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %43 = "scf.if"(%42) ({
      %49 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%34, %49) : (memref<4xf64>, memref<4xf64>) -> ()
      "scf.yield"(%49) : (memref<4xf64>) -> ()
    }, {
      "scf.yield"(%34) : (memref<4xf64>) -> ()
    }) : (i1) -> memref<4xf64>
    %44 = "memref.extract_aligned_pointer_as_index"(%39) : (memref<f64>) -> index
    %45 = "arith.index_cast"(%44) : (index) -> i64
    %46 = "arith.cmpi"(%29, %45) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %47 = "scf.if"(%46) ({
      %48 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<f64>
      "memref.copy"(%39, %48) : (memref<f64>, memref<f64>) -> ()
      "scf.yield"(%48) : (memref<f64>) -> ()
    }, {
      "scf.yield"(%39) : (memref<f64>) -> ()
    }) : (i1) -> memref<f64>
    "func.return"(%43, %47) : (memref<4xf64>, memref<f64>) -> ()
  }) {llvm.copy_memref, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<f64>) -> memref<4xf64>, sym_name = "probs_0", sym_visibility = "public"}> ({
  ^bb0(%arg1: memref<f64>):
    %18 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "quantum.device"(%18) <{device_name = "LightningSimulator", kwargs = "{}", lib = "lightning"}> : (i64) -> ()
    %19 = "quantum.alloc"() <{nqubits_attr = 2 : i64}> : () -> !quantum.reg
    %20 = "quantum.extract"(%19) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
    %21 = "memref.load"(%arg1) : (memref<f64>) -> f64
    %22 = "quantum.custom"(%21, %20) <{gate_name = "RX", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
    %23 = "quantum.extract"(%19) <{idx_attr = 1 : i64}> : (!quantum.reg) -> !quantum.bit
    %24:2 = "quantum.custom"(%22, %23) <{gate_name = "CNOT", operandSegmentSizes = array<i32: 0, 2, 0, 0>, resultSegmentSizes = array<i32: 2, 0>}> : (!quantum.bit, !quantum.bit) -> (!quantum.bit, !quantum.bit)
    %25 = "quantum.insert"(%19, %24#0) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %26 = "quantum.insert"(%25, %24#1) <{idx_attr = 1 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %27 = "quantum.compbasis"(%26) <{operandSegmentSizes = array<i32: 0, 1>}> : (!quantum.reg) -> !quantum.obs
    %28 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
    "quantum.probs"(%27, %28) <{operandSegmentSizes = array<i32: 1, 0, 1>}> : (!quantum.obs, memref<4xf64>) -> ()
    "quantum.dealloc"(%26) : (!quantum.reg) -> ()
    "quantum.device_release"() : () -> ()
    "func.return"(%28) : (memref<4xf64>) -> ()
  }) {diff_method = "parameter-shift", llvm.linkage = #llvm.linkage<internal>, qnode} : () -> ()
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
  memref.global "private" constant @a0 : memref<f64> = dense<0.5>
  func.func @main() -> (memref<4xf64>, memref<f64>) {
    %a0 = memref.get_global @a0 : memref<f64>
    func.call @setup() : () -> ()
    %r:2 = func.call @jit_both(%a0) : (memref<f64>) -> (memref<4xf64>, memref<f64>)
    func.call @teardown() : () -> ()
    return %r#0, %r#1 : memref<4xf64>, memref<f64>
  }
}) : () -> ()
