// RESULT: result #0: f64 = 7.7890392903838155
// RESULT: result #1: 4xf64 = [0.0, 1.9332186565355136, 2.715631851897715, 3.140188781950586]
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
"builtin.module"() <{sym_name = "classical"}> ({
  "func.func"() <{function_type = (memref<4xf64>) -> (memref<f64>, memref<4xf64>), sym_name = "jit_classical", sym_visibility = "public"}> ({
  ^bb0(%arg0: memref<4xf64>):
    %0 = "arith.constant"() <{value = 3735928559 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 5 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 0.000000e+00 : f64}> : () -> f64
    %4 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %5 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
    "memref.copy"(%arg0, %5) : (memref<4xf64>, memref<4xf64>) -> ()
    %6 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
    "memref.copy"(%5, %6) : (memref<4xf64>, memref<4xf64>) -> ()
    "memref.dealloc"(%5) : (memref<4xf64>) -> ()
    %7:2 = "scf.while"(%6, %4) ({
    ^bb0(%arg12: memref<4xf64>, %arg13: i64):
      %25 = "arith.cmpi"(%arg13, %1) <{predicate = 2 : i64}> : (i64, i64) -> i1
      %26 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%arg12, %26) : (memref<4xf64>, memref<4xf64>) -> ()
      "memref.dealloc"(%arg12) : (memref<4xf64>) -> ()
      %27 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%26, %27) : (memref<4xf64>, memref<4xf64>) -> ()
      "memref.dealloc"(%26) : (memref<4xf64>) -> ()
      "scf.condition"(%25, %27, %arg13) : (i1, memref<4xf64>, i64) -> ()
    }, {
    ^bb0(%arg5: memref<4xf64>, %arg6: i64):
      %20 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "linalg.generic"(%arg5, %20) <{indexing_maps = [#map, #map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg10: f64, %arg11: f64):
        %24 = "math.sin"(%arg10) <{fastmath = #arith.fastmath<none>}> : (f64) -> f64
        "linalg.yield"(%24) : (f64) -> ()
      }) : (memref<4xf64>, memref<4xf64>) -> ()
      "memref.dealloc"(%arg5) : (memref<4xf64>) -> ()
      "linalg.generic"(%20, %arg0, %20) <{indexing_maps = [#map, #map, #map], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg7: f64, %arg8: f64, %arg9: f64):
        %23 = "arith.addf"(%arg7, %arg8) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "linalg.yield"(%23) : (f64) -> ()
      }) : (memref<4xf64>, memref<4xf64>, memref<4xf64>) -> ()
      %21 = "arith.addi"(%arg6, %2) <{overflowFlags = #arith.overflow<none>}> : (i64, i64) -> i64
      %22 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%20, %22) : (memref<4xf64>, memref<4xf64>) -> ()
      "memref.dealloc"(%20) : (memref<4xf64>) -> ()
      "scf.yield"(%22, %21) : (memref<4xf64>, i64) -> ()
    }) : (memref<4xf64>, i64) -> (memref<4xf64>, i64)
    %8 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<f64>
    "linalg.fill"(%3, %8) <{operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg3: f64, %arg4: f64):
      "linalg.yield"(%arg3) : (f64) -> ()
    }) : (f64, memref<f64>) -> ()
    "linalg.generic"(%7#0, %8) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<reduction>], operandSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg1: f64, %arg2: f64):
      %19 = "arith.addf"(%arg2, %arg1) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
      "linalg.yield"(%19) : (f64) -> ()
    }) : (memref<4xf64>, memref<f64>) -> ()
    %9 = "memref.extract_aligned_pointer_as_index"(%8) : (memref<f64>) -> index
    %10 = "arith.index_cast"(%9) : (index) -> i64
    %11 = "arith.cmpi"(%0, %10) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %12 = "scf.if"(%11) ({
      %18 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<f64>
      "memref.copy"(%8, %18) : (memref<f64>, memref<f64>) -> ()
      "scf.yield"(%18) : (memref<f64>) -> ()
    }, {
      "scf.yield"(%8) : (memref<f64>) -> ()
    }) : (i1) -> memref<f64>
    %13 = "memref.extract_aligned_pointer_as_index"(%7#0) : (memref<4xf64>) -> index
    %14 = "arith.index_cast"(%13) : (index) -> i64
    %15 = "arith.cmpi"(%0, %14) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %16 = "scf.if"(%15) ({
      %17 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<4xf64>
      "memref.copy"(%7#0, %17) : (memref<4xf64>, memref<4xf64>) -> ()
      "scf.yield"(%17) : (memref<4xf64>) -> ()
    }, {
      "scf.yield"(%7#0) : (memref<4xf64>) -> ()
    }) : (i1) -> memref<4xf64>
    "func.return"(%12, %16) : (memref<f64>, memref<4xf64>) -> ()
  }) {llvm.copy_memref, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "setup"}> ({
    "quantum.init"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  "func.func"() <{function_type = () -> (), sym_name = "teardown"}> ({
    "quantum.finalize"() : () -> ()
    "func.return"() : () -> ()
  }) : () -> ()
  memref.global "private" constant @a0 : memref<4xf64> = dense<[0.0, 1.0, 2.0, 3.0]>
  func.func @main() -> (memref<f64>, memref<4xf64>) {
    %a0 = memref.get_global @a0 : memref<4xf64>
    func.call @setup() : () -> ()
    %r:2 = func.call @jit_classical(%a0) : (memref<4xf64>) -> (memref<f64>, memref<4xf64>)
    func.call @teardown() : () -> ()
    return %r#0, %r#1 : memref<f64>, memref<4xf64>
  }
}) : () -> ()
