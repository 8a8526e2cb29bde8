// RESULT: result #0: 3xf64 = [0.0, 1.0, 2.0]
#map = affine_map<(d0, d1) -> (d1, d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1) -> (d0)>
"builtin.module"() <{sym_name = "pick"}> ({
  "func.func"() <{function_type = (memref<3xf64>, memref<3x3xf64>, memref<i1>) -> memref<3xf64>, sym_name = "jit_pick", sym_visibility = "public"}> ({
  ^bb0(%arg0: memref<3xf64>, %arg1: memref<3x3xf64>, %arg2: memref<i1>):
    %0 = "arith.constant"() <{value = 3735928559 : i64}> : () -> i64
    %1 = "arith.constant"() <{value = 0.000000e+00 : f64}> : () -> f64
    %2 = "memref.load"(%arg2) : (memref<i1>) -> i1
    %3 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
    %4 = "arith.select"(%2, %arg0, %3) : (i1, memref<3xf64>, memref<3xf64>) -> memref<3xf64>
    "scf.if"(%2) ({
      "scf.yield"() : () -> ()
    }, {
      %10 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3x3xf64>
      %11 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3x3xf64>
      "linalg.generic"(%arg1, %11) <{indexing_maps = [#map, #map1], iterator_types = [#linalg.iterator_type<parallel>, #linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg13: f64, %arg14: f64):
        "linalg.yield"(%arg13) : (f64) -> ()
      }) : (memref<3x3xf64>, memref<3x3xf64>) -> ()
      "linalg.fill"(%1, %10) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg11: f64, %arg12: f64):
        "linalg.yield"(%arg11) : (f64) -> ()
      }) : (f64, memref<3x3xf64>) -> ()
      "linalg.matmul"(%arg1, %11, %10) <{indexing_maps = [#map2, #map3, #map4], operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg8: f64, %arg9: f64, %arg10: f64):
        %15 = "arith.mulf"(%arg8, %arg9) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        %16 = "arith.addf"(%arg10, %15) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "linalg.yield"(%16) : (f64) -> ()
      }) : (memref<3x3xf64>, memref<3x3xf64>, memref<3x3xf64>) -> ()
      "memref.dealloc"(%11) : (memref<3x3xf64>) -> ()
      %12 = "memref.alloc"() <{alignment = 64 : i64, operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
      "linalg.fill"(%1, %12) <{operandSegmentSizes = array<i32: 1, 1>}> ({
      ^bb0(%arg6: f64, %arg7: f64):
        "linalg.yield"(%arg6) : (f64) -> ()
      }) : (f64, memref<3xf64>) -> ()
      "memref.copy"(%12, %3) : (memref<3xf64>, memref<3xf64>) -> ()
      "memref.dealloc"(%12) : (memref<3xf64>) -> ()
      "linalg.matvec"(%10, %arg0, %3) <{operandSegmentSizes = array<i32: 2, 1>}> ({
      ^bb0(%arg3: f64, %arg4: f64, %arg5: f64):
        %13 = "arith.mulf"(%arg3, %arg4) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        %14 = "arith.addf"(%arg5, %13) <{fastmath = #arith.fastmath<none>}> : (f64, f64) -> f64
        "linalg.yield"(%14) : (f64) -> ()
      }) {linalg.memoized_indexing_maps = [#map1, #map5, #map6]} : (memref<3x3xf64>, memref<3xf64>, memref<3xf64>) -> ()
      "memref.dealloc"(%10) : (memref<3x3xf64>) -> ()
      "scf.yield"() : () -> ()
    }) : (i1) -> ()
    %5 = "memref.extract_aligned_pointer_as_index"(%4) : (memref<3xf64>) -> index
    %6 = "arith.index_cast"(%5) : (index) -> i64
    %7 = "arith.cmpi"(%0, %6) <{predicate = 0 : i64}> : (i64, i64) -> i1
    %8 = "scf.if"(%7) ({
      %9 = "memref.alloc"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<3xf64>
      "memref.copy"(%4, %9) : (memref<3xf64>, memref<3xf64>) -> ()
      "scf.yield"(%9) : (memref<3xf64>) -> ()
    }, {
      "scf.yield"(%4) : (memref<3xf64>) -> ()
    }) : (i1) -> memref<3xf64>
    "func.return"(%8) : (memref<3xf64>) -> ()
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
  memref.global "private" constant @a1 : memref<3x3xf64> = dense<[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]>
  memref.global "private" constant @a2 : memref<i1> = dense<true>
  func.func @main() -> (memref<3xf64>) {
    %a0 = memref.get_global @a0 : memref<3xf64>
    %a1 = memref.get_global @a1 : memref<3x3xf64>
    %a2 = memref.get_global @a2 : memref<i1>
    func.call @setup() : () -> ()
    %r:1 = func.call @jit_pick(%a0, %a1, %a2) : (memref<3xf64>, memref<3x3xf64>, memref<i1>) -> (memref<3xf64>)
    func.call @teardown() : () -> ()
    return %r#0 : memref<3xf64>
  }
}) : () -> ()
