// RESULT: result #0: 4xf64 = [2.701141036152974, 0.0, 0.0, 0.2988589638470256]
#map = affine_map<(d0) -> ()>
#map1 = affine_map<(d0) -> (d0)>
"builtin.module"() <{sym_name = "workflow"}> ({
  "memref.global"() <{alignment = 64 : i64, constant, initial_value = dense<0.000000e+00> : tensor<f64>, sym_name = "__constant_xf64", sym_visibility = "private", type = memref<f64>}> : () -> ()
  "func.func"() <{function_type = (memref<f64>) -> memref<4xf64>, sym_name = "jit_workflow", sym_visibility = "public"}> ({
  ^bb0(%arg1: memref<f64>):
    %11 = "arith.constant"() <{value = 3735928559 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 1 : index}> : () -> index
    %14 = "arith.constant"() <{value = 3 : index}> : () -> index
    %15 = "arith.constant"() <{value = 0 : index}> : () -> index
    %16 = "memref.get_global"() <{name = @__constant_xf64}> : () -> memref<f64>
    %17 = "memref.load"(%arg1) : (memref<f64>) -> f64
    %18 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
    %19 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
    "linalg.generic"(%16, %19) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg7: f64, %arg8: f64):
      "linalg.yield"(%arg7) : (f64) -> ()
    }) : (memref<f64>, memref<4xf64>) -> ()
    %20 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<f64>
    %21 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
    "memref.copy"(%19, %21) : (memref<4xf64>, memref<4xf64>) -> ()
    "memref.dealloc"(%19) : (memref<4xf64>) -> ()
    %22 = "scf.for"(%15, %14, %13, %21) ({
    ^bb0(%arg2: index, %arg3: memref<4xf64>):
      %28 = "arith.index_cast"(%arg2) : (index) -> i64
      %29 = "arith.addi"(%28, %12) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %30 = "arith.sitofp"(%29) : (i64) -> f64
      %31 = "arith.mulf"(%17, %30) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "memref.store"(%31, %20) : (f64, memref<f64>) -> ()
      %32 = "func.call"(%20) <{callee = @probs_0}> : (memref<f64>) -> memref<4xf64>
      "linalg.generic"(%arg3, %32, %18) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg4: f64, %arg5: f64, %arg6: f64):
        %35 = "arith.addf"(%arg4, %arg5) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "linalg.yield"(%35) : (f64) -> ()
      }) : (memref<4xf64>, memref<4xf64>, memref<4xf64>) -> ()
      "memref.dealloc"(%arg3) : (memref<4xf64>) -> ()
      %33 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%18, %33) : (memref<4xf64>, memref<4xf64>) -> ()
      %34 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%33, %34) : (memref<4xf64>, memref<4xf64>) -> ()
      "memref.dealloc"(%33) : (memref<4xf64>) -> ()
      "scf.yield"(%34) : (memref<4xf64>) -> ()
    }) : (index, index, index, memref<4xf64>) -> memref<4xf64>
    "memref.dealloc"(%20) : (memref<f64>) -> ()
    "memref.dealloc"(%18) : (memref<4xf64>) -> ()
    %23 = "memref.extract_aligned_pointer_as_index"(%22) : (memref<4xf64>) -> index
    %24 = "arith.index_cast"(%23) : (index) -> i64
    %25 = "arith.cmpi"(%11, %24) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %26 = "scf.if"(%25) ({
      %27 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%22, %27) : (memref<4xf64>, memref<4xf64>) -> ()
      "scf.yield"(%27) : (memref<4xf64>) -> ()
    }, {
      "scf.yield"(%22) : (memref<4xf64>) -> ()
    }) : (i1) -> memref<4xf64>
    "func.return"(%26) : (memref<4xf64>) -> ()
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
    %r:1 = func.call @jit_workflow(%a0) : (memref<f64>) -> (memref<4xf64>)
    func.call @teardown() : () -> ()
    return %r#0 : memref<4xf64>
  }
}) : () -> ()
