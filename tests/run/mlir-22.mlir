// A program in the text of MLIR 22.

// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s

#m = affine_map<(i, j, k) -> (i, k)>
#n = affine_map<(i, j, k) -> (j, k)>
#o = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>

func.func private @printMemrefF32(memref<*xf32>)
func.func private @printF32(f32)
func.func private @printNewline()

func.func @main() {
  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = arith.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %bias = arith.constant dense<[100.0, 200.0]> : tensor<2xf32>
  %zero = arith.constant dense<0.0> : tensor<2x2xf32>
  %0 = linalg.matmul indexing_maps = [#m, #n, #o] ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = linalg.contract indexing_maps = [#m, #n, #o] ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%0 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #row, #id] ins(%1, %bias : tensor<2x2xf32>, tensor<2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
  %m = bufferization.to_buffer %2 read_only : tensor<2x2xf32> to memref<2x2xf32>
  %u = memref.cast %m : memref<2x2xf32> to memref<*xf32>
  // CHECK:      134, 246
  // CHECK-NEXT: 178, 306
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()

  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %place = affine.linearize_index disjoint [%c1, %c2, %c1] by (9, 4, 8) : index
  %place_i32 = arith.index_cast %place : index to i32
  %place_f32 = arith.sitofp %place_i32 : i32 to f32
  // CHECK: 49
  call @printF32(%place_f32) : (f32) -> ()
  call @printNewline() : () -> ()

  %v = vector.from_elements %place_f32, %place_f32, %place_f32 : vector<3xf32>
  %w = arith.addf %v, %v : vector<3xf32>
  %e:3 = vector.to_elements %w : vector<3xf32>
  // CHECK: 98
  call @printF32(%e#2) : (f32) -> ()
  call @printNewline() : () -> ()
  %at = vector.extract %w[%c1] : f32 from vector<3xf32>
  %with = vector.insert %place_f32, %w [%c2] : f32 into vector<3xf32>
  %last = vector.extract %with[2] : f32 from vector<3xf32>
  // CHECK: 98
  call @printF32(%at) : (f32) -> ()
  call @printNewline() : () -> ()
  // CHECK: 49
  call @printF32(%last) : (f32) -> ()
  call @printNewline() : () -> ()

  %yes = arith.cmpi eq, %place, %place : index
  cf.cond_br %yes, ^done, ^never
^never:
  ub.unreachable
^done:
  return
}
