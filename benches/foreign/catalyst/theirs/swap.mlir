// RESULT: result #0: 3xf64 = [2.0, 4.0, 6.0]
// RESULT: result #1: 3xf64 = [0.0, 4.0, 8.0]
#map = affine_map<(d0) -> ()>
#map1 = affine_map<(d0) -> (d0)>
"builtin.module"() <{sym_name = "swap"}> ({
  "memref.global"() <{alignment = 64 : i64, constant, initial_value = dense<2.000000e+00> : tensor<f64>, sym_name = "__constant_xf64_0", sym_visibility = "private", type = memref<f64>}> : () -> ()
  "memref.global"() <{alignment = 64 : i64, constant, initial_value = dense<1.000000e+00> : tensor<f64>, sym_name = "__constant_xf64", sym_visibility = "private", type = memref<f64>}> : () -> ()
  "func.func"() <{function_type = (memref<3xf64>, memref<i64>) -> (memref<3xf64>, memref<3xf64>), sym_name = "jit_swap", sym_visibility = "public"}> ({
  ^bb0(%arg0: memref<3xf64>, %arg1: memref<i64>):
    %0 = "arith.constant"() <{value = 3735928559 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 1 : index}> : () -> index
    %2 = "arith.constant"() <{value = 0 : index}> : () -> index
    %3 = "memref.get_global"() <{name = @__constant_xf64}> : () -> memref<f64>
    %4 = "memref.get_global"() <{name = @__constant_xf64_0}> : () -> memref<f64>
    %5 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
    "linalg.generic"(%3, %5) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg13: f64, %arg14: f64):
      "linalg.yield"(%arg13) : (f64) -> ()
    }) : (memref<f64>, memref<3xf64>) -> ()
    %6 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
    "linalg.generic"(%arg0, %5, %6) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
    ^bb0(%arg10: f64, %arg11: f64, %arg12: f64):
      %28 = "arith.addf"(%arg10, %arg11) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%28) : (f64) -> ()
    }) : (memref<3xf64>, memref<3xf64>, memref<3xf64>) -> ()
    %7 = "memref.load"(%arg1) : (memref<i64>) -> i64
    %8 = "arith.index_cast"(%7) : (i64) -> index
    %9 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
    "memref.copy"(%arg0, %9) : (memref<3xf64>, memref<3xf64>) -> ()
    %10 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
    "memref.copy"(%9, %10) : (memref<3xf64>, memref<3xf64>) -> ()
    "memref.dealloc"(%9) : (memref<3xf64>) -> ()
    %11 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
    "memref.copy"(%6, %11) : (memref<3xf64>, memref<3xf64>) -> ()
    "memref.dealloc"(%6) : (memref<3xf64>) -> ()
    %12:2 = "scf.for"(%2, %8, %1, %10, %11) ({
    ^bb0(%arg2: index, %arg3: memref<3xf64>, %arg4: memref<3xf64>):
      "linalg.generic"(%4, %5) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg8: f64, %arg9: f64):
        "linalg.yield"(%arg8) : (f64) -> ()
      }) : (memref<f64>, memref<3xf64>) -> ()
      "linalg.generic"(%arg3, %5, %5) <{indexing_maps = [#map1, #map1, #map1], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg5: f64, %arg6: f64, %arg7: f64):
        %27 = "arith.mulf"(%arg5, %arg6) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "linalg.yield"(%27) : (f64) -> ()
      }) : (memref<3xf64>, memref<3xf64>, memref<3xf64>) -> ()
      "memref.dealloc"(%arg3) : (memref<3xf64>) -> ()
      %23 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
      "memref.copy"(%arg4, %23) : (memref<3xf64>, memref<3xf64>) -> ()
      "memref.dealloc"(%arg4) : (memref<3xf64>) -> ()
      %24 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
      "memref.copy"(%5, %24) : (memref<3xf64>, memref<3xf64>) -> ()
      %25 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
      "memref.copy"(%23, %25) : (memref<3xf64>, memref<3xf64>) -> ()
      "memref.dealloc"(%23) : (memref<3xf64>) -> ()
      %26 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
      "memref.copy"(%24, %26) : (memref<3xf64>, memref<3xf64>) -> ()
      "memref.dealloc"(%24) : (memref<3xf64>) -> ()
      "scf.yield"(%25, %26) : (memref<3xf64>, memref<3xf64>) -> ()
    }) : (index, index, index, memref<3xf64>, memref<3xf64>) -> (memref<3xf64>, memref<3xf64>)
    "memref.dealloc"(%5) : (memref<3xf64>) -> ()
    %13 = "memref.extract_aligned_pointer_as_index"(%12#0) : (memref<3xf64>) -> index
    %14 = "arith.index_cast"(%13) : (index) -> i64
    %15 = "arith.cmpi"(%0, %14) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %16 = "scf.if"(%15) ({
      %22 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
      "memref.copy"(%12#0, %22) : (memref<3xf64>, memref<3xf64>) -> ()
      "scf.yield"(%22) : (memref<3xf64>) -> ()
    }, {
      "scf.yield"(%12#0) : (memref<3xf64>) -> ()
    }) : (i1) -> memref<3xf64>
    %17 = "memref.extract_aligned_pointer_as_index"(%12#1) : (memref<3xf64>) -> index
    %18 = "arith.index_cast"(%17) : (index) -> i64
    %19 = "arith.cmpi"(%0, %18) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %20 = "scf.if"(%19) ({
      %21 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
      "memref.copy"(%12#1, %21) : (memref<3xf64>, memref<3xf64>) -> ()
      "scf.yield"(%21) : (memref<3xf64>) -> ()
    }, {
      "scf.yield"(%12#1) : (memref<3xf64>) -> ()
    }) : (i1) -> memref<3xf64>
    "func.return"(%16, %20) : (memref<3xf64>, memref<3xf64>) -> ()
  }) {llvm.copy_memref, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  memref.global "private" constant @a0 : memref<3xf64> = dense<[0.0, 1.0, 2.0]>
  memref.global "private" constant @a1 : memref<i64> = dense<3>
  func.func @main() -> (memref<3xf64>, memref<3xf64>) {
    %a0 = memref.get_global @a0 : memref<3xf64>
    %a1 = memref.get_global @a1 : memref<i64>
    func.call @setup() : () -> ()
    %r:2 = func.call @jit_swap(%a0, %a1) : (memref<3xf64>, memref<i64>) -> (memref<3xf64>, memref<3xf64>)
    func.call @teardown() : () -> ()
    return %r#0, %r#1 : memref<3xf64>, memref<3xf64>
  }
}) : () -> ()
