// RESULT: result #0: 4xf64 = [0.9387912809451863, 0.0, 0.0, 0.06120871905481365]
// RESULT: result #1: f64 = 0.8775825618903728
#map = affine_map<(d0) -> (d0)>
"builtin.module"() <{sym_name = "both"}> ({
  "func.func"() <{function_type = (tensor<f64>) -> (tensor<4xf64>, tensor<f64>), sym_name = "jit_both", sym_visibility = "public"}> ({
  ^bb0(%arg2: tensor<f64>):
    %29 = "arith.constant"() <{value = 2.000000e+00 : f64}> : () -> f64
    %30 = "arith.constant"() <{value = 1 : index}> : () -> index
    %31 = "tensor.extract"(%arg2) : (tensor<f64>) -> f64
    %32 = "func.call"(%arg2) <{callee = @probs_0}> : (tensor<f64>) -> tensor<4xf64>
    %33 = "arith.mulf"(%31, %29) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
    %34 = "tensor.expand_shape"(%arg2) <{reassociation = [], static_output_shape = array<i64: 1>}> : (tensor<f64>) -> tensor<1xf64>
    %35 = "tensor.from_elements"(%33) : (f64) -> tensor<1xf64>
    %36 = "tensor.empty"() : () -> tensor<2xf64>
    %37 = "linalg.generic"(%36) <{indexing_maps = [#map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 0, 1>}> ({
    ^bb0(%arg3: f64):
      %39 = "linalg.index"() <{dim = 0 : i64}> : () -> index
      %40 = "arith.cmpi"(%39, %30) <{predicate = 6 : i64}> : (index, index) -> i1
      %41 = "scf.if"(%40) ({
        %44 = "tensor.extract"(%34, %39) : (tensor<1xf64>, index) -> f64
        "scf.yield"(%44) : (f64) -> ()
      }, {
        %42 = "arith.subi"(%39, %30) <{overflowFlags = #arith.overflow<none>}> : (index, index) -> index
        %43 = "tensor.extract"(%35, %42) : (tensor<1xf64>, index) -> f64
        "scf.yield"(%43) : (f64) -> ()
      }) : (i1) -> f64
      "linalg.yield"(%41) : (f64) -> ()
    }) : (tensor<2xf64>) -> tensor<2xf64>
    %38 = "func.call"(%37) <{callee = @expval_0}> : (tensor<2xf64>) -> tensor<f64>
    "func.return"(%32, %38) : (tensor<4xf64>, tensor<f64>) -> ()
  }) {llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (tensor<f64>) -> tensor<4xf64>, sym_name = "probs_0", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<f64>):
    %18 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    "quantum.device"(%18) <{device_name = "LightningSimulator", kwargs = "{}", lib = "lightning"}> : (i64) -> ()
    %19 = "quantum.alloc"() <{nqubits_attr = 2 : i64}> : () -> !quantum.reg
    %20 = "quantum.extract"(%19) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
    %21 = "tensor.extract"(%arg1) : (tensor<f64>) -> f64
    %22 = "quantum.custom"(%21, %20) <{gate_name = "RX", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
    %23 = "quantum.extract"(%19) <{idx_attr = 1 : i64}> : (!quantum.reg) -> !quantum.bit
    %24:2 = "quantum.custom"(%22, %23) <{gate_name = "CNOT", operandSegmentSizes = array<i32: 0, 2, 0, 0>, resultSegmentSizes = array<i32: 2, 0>}> : (!quantum.bit, !quantum.bit) -> (!quantum.bit, !quantum.bit)
    %25 = "quantum.insert"(%19, %24#0) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %26 = "quantum.insert"(%25, %24#1) <{idx_attr = 1 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %27 = "quantum.compbasis"(%26) <{operandSegmentSizes = array<i32: 0, 1>}> : (!quantum.reg) -> !quantum.obs
    %28 = "quantum.probs"(%27) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (!quantum.obs) -> tensor<4xf64>
    "quantum.dealloc"(%26) : (!quantum.reg) -> ()
    "quantum.device_release"() : () -> ()
    "func.return"(%28) : (tensor<4xf64>) -> ()
  }) {diff_method = "parameter-shift", llvm.linkage = #llvm.linkage<internal>, qnode} : () -> ()
  "func.func"() <{function_type = (tensor<2xf64>) -> tensor<f64>, sym_name = "expval_0", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2xf64>):
    %0 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %1 = "tensor.extract_slice"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<2xf64>) -> tensor<1xf64>
    %2 = "tensor.collapse_shape"(%1) <{reassociation = []}> : (tensor<1xf64>) -> tensor<f64>
    "quantum.device"(%0) <{device_name = "LightningSimulator", kwargs = "{}", lib = "lightning"}> : (i64) -> ()
    %3 = "quantum.alloc"() <{nqubits_attr = 2 : i64}> : () -> !quantum.reg
    %4 = "quantum.extract"(%3) <{idx_attr = 0 : i64}> : (!quantum.reg) -> !quantum.bit
    %5 = "tensor.extract"(%2) : (tensor<f64>) -> f64
    %6 = "quantum.custom"(%5, %4) <{gate_name = "RX", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
    %7 = "tensor.extract_slice"(%arg0) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 1>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<2xf64>) -> tensor<1xf64>
    %8 = "tensor.collapse_shape"(%7) <{reassociation = []}> : (tensor<1xf64>) -> tensor<f64>
    %9 = "quantum.extract"(%3) <{idx_attr = 1 : i64}> : (!quantum.reg) -> !quantum.bit
    %10 = "tensor.extract"(%8) : (tensor<f64>) -> f64
    %11 = "quantum.custom"(%10, %9) <{gate_name = "RY", operandSegmentSizes = array<i32: 1, 1, 0, 0>, resultSegmentSizes = array<i32: 1, 0>}> : (f64, !quantum.bit) -> !quantum.bit
    %12:2 = "quantum.custom"(%6, %11) <{gate_name = "CNOT", operandSegmentSizes = array<i32: 0, 2, 0, 0>, resultSegmentSizes = array<i32: 2, 0>}> : (!quantum.bit, !quantum.bit) -> (!quantum.bit, !quantum.bit)
    %13 = "quantum.namedobs"(%12#0) <{type = #quantum<named_observable PauliZ>}> : (!quantum.bit) -> !quantum.obs
    %14 = "quantum.expval"(%13) : (!quantum.obs) -> f64
    %15 = "tensor.from_elements"(%14) : (f64) -> tensor<f64>
    %16 = "quantum.insert"(%3, %12#0) <{idx_attr = 0 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    %17 = "quantum.insert"(%16, %12#1) <{idx_attr = 1 : i64}> : (!quantum.reg, !quantum.bit) -> !quantum.reg
    "quantum.dealloc"(%17) : (!quantum.reg) -> ()
    "quantum.device_release"() : () -> ()
    "func.return"(%15) : (tensor<f64>) -> ()
  }) {diff_method = "adjoint", llvm.linkage = #llvm.linkage<internal>, qnode} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  func.func @main() -> (tensor<4xf64>, tensor<f64>) {
    %a0 = arith.constant dense<0.5> : tensor<f64>
    func.call @setup() : () -> ()
    %r:2 = func.call @jit_both(%a0) : (tensor<f64>) -> (tensor<4xf64>, tensor<f64>)
    func.call @teardown() : () -> ()
    return %r#0, %r#1 : tensor<4xf64>, tensor<f64>
  }
}) : () -> ()
