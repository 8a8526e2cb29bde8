// RUN: freehold opt %s --convert-linalg-to-library-calls --canonicalize --cse | FileCheck %s
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s --fp=contract --threads=2 | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s --no-library-calls | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s -O0 | FileCheck %s --check-prefix=OUT

// Factors that are widened: flags say what they are, three bits for each from the fourth one on, in this order: i8, i8
// without sign, i16, f16, bf16, f32, f64. Offsets are in bytes of their own.
// CHECK-LABEL: func.func @bytes
// CHECK:         call @freehold_contract_i32(%{{.*}}, %{{.*}}, %{{.*}}, %c72, %{{.*}})
// CHECK:         call @freehold_contract_i32(%{{.*}}, %{{.*}}, %{{.*}}, %c144, %{{.*}})
// CHECK:         call @freehold_contract_i32(%{{.*}}, %{{.*}}, %{{.*}}, %c0, %{{.*}})
func.func @bytes(%a: memref<20x32xi8>, %b: memref<32x40xi8>, %i: memref<20x32xi32>, %j: memref<32x40xi32>, %c: memref<20x40xi32>) {
  linalg.matmul ins(%a, %b : memref<20x32xi8>, memref<32x40xi8>) outs(%c : memref<20x40xi32>)
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
    ins(%a, %b : memref<20x32xi8>, memref<32x40xi8>) outs(%c : memref<20x40xi32>)
  linalg.matmul ins(%i, %j : memref<20x32xi32>, memref<32x40xi32>) outs(%c : memref<20x40xi32>)
  return
}

// Products of halves are exact in f32, so it does not matter whether they are rounded.
// CHECK-LABEL: func.func @floats
// CHECK:         call @freehold_contract_f32(%{{.*}}, %{{.*}}, %{{.*}}, %c289, %{{.*}})
// CHECK:         call @freehold_contract_f32(%{{.*}}, %{{.*}}, %{{.*}}, %c360, %{{.*}})
// CHECK:         call @freehold_contract_f64(%{{.*}}, %{{.*}}, %{{.*}}, %c432, %{{.*}})
func.func @floats(%h: memref<1x16x16x16xf16>, %v: memref<3x3x16x8xf16>, %x: memref<64x64xbf16>, %s: memref<64x64xf32>,
                  %y: memref<1x14x14x8xf32>, %c: memref<64x64xf32>, %d: memref<64x64xf64>) {
  linalg.conv_2d_nhwc_hwcf ins(%h, %v : memref<1x16x16x16xf16>, memref<3x3x16x8xf16>) outs(%y : memref<1x14x14x8xf32>)
  linalg.matmul ins(%x, %x : memref<64x64xbf16>, memref<64x64xbf16>) outs(%c : memref<64x64xf32>)
  linalg.matmul ins(%s, %s : memref<64x64xf32>, memref<64x64xf32>) outs(%d : memref<64x64xf64>)
  return
}

// The body widens what it multiplies, also only one of them, as weights of eight bits.
// CHECK-LABEL: func.func @weights
// CHECK:         call @freehold_contract_f32(%{{.*}}, %{{.*}}, %{{.*}}, %c392, %{{.*}})
func.func @weights(%a: memref<64x32xf32>, %b: memref<32x48xi8>, %c: memref<64x48xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : memref<64x32xf32>, memref<32x48xi8>) outs(%c : memref<64x48xf32>) {
  ^bb0(%x: f32, %w: i8, %sum: f32):
    %wide = arith.sitofp %w : i8 to f32
    %product = arith.mulf %wide, %x : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }
  return
}

// Scalars that are subtracted follow the loops.
// CHECK-LABEL: func.func @quantized
// CHECK:         %[[ZERO:.*]] = arith.index_cast %arg3
// CHECK:         %[[NUMBERS:.*]] = memref.alloca() : memref<14xindex>
// CHECK:         memref.store %c-3, %[[NUMBERS]][%c12]
// CHECK:         memref.store %[[ZERO]], %[[NUMBERS]][%c13]
// CHECK:         call @freehold_contract_i32(%{{.*}}, %{{.*}}, %{{.*}}, %c72, %{{.*}})
func.func @quantized(%a: memref<20x32xi8>, %b: memref<32x40xi8>, %c: memref<20x40xi32>, %zero: i32) {
  %three = arith.constant -3 : i32
  linalg.quantized_matmul ins(%a, %b, %three, %zero : memref<20x32xi8>, memref<32x40xi8>, i32, i32) outs(%c : memref<20x40xi32>)
  return
}

// What is used once is not copied for it, other types stay, and so do bodies that do more.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     call
// CHECK:         return
func.func @others(%m: memref<64x64xi8>, %v: memref<64xi8>, %w: memref<64xi32>, %i: memref<64x64xi32>, %l: memref<64x64xi64>,
                  %x: memref<1x18x18x8xi8>, %f: memref<3x3x8xi8>, %y: memref<1x16x16x8xi32>, %d: memref<64x64xf64>) {
  linalg.matvec ins(%m, %v : memref<64x64xi8>, memref<64xi8>) outs(%w : memref<64xi32>)
  linalg.matmul ins(%m, %m : memref<64x64xi8>, memref<64x64xi8>) outs(%l : memref<64x64xi64>)
  linalg.matmul ins(%i, %m : memref<64x64xi32>, memref<64x64xi8>) outs(%i : memref<64x64xi32>)
  linalg.matmul ins(%i, %i : memref<64x64xi32>, memref<64x64xi32>) outs(%d : memref<64x64xf64>)
  linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %f : memref<1x18x18x8xi8>, memref<3x3x8xi8>) outs(%y : memref<1x16x16x8xi32>)
  linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%m, %m : memref<64x64xi8>, memref<64x64xi8>) outs(%i : memref<64x64xi32>) {
  ^bb0(%p: i8, %q: i8, %sum: i32):
    %narrow = arith.muli %p, %q : i8
    %product = arith.extsi %narrow : i8 to i32
    %next = arith.addi %sum, %product : i32
    linalg.yield %next : i32
  }
  return
}

func.func private @printI64(i64)
func.func private @printF32(f32)
func.func private @printNewline()

// Sums of 32 products of -128 and -128, of 128 and 128, and of numbers whose sum wraps around.
// OUT:      524288
// OUT-NEXT: 1048576
// OUT-NEXT: 2097152
// OUT-NEXT: 3024000
// OUT-NEXT: 25.5
func.func @main() {
  %c7 = arith.constant 7 : index
  %least = arith.constant -128 : i8
  %zero = arith.constant 0 : i32
  %wide = arith.constant 65536 : i32
  %odd = arith.constant 65537 : i32
  %a = memref.alloc() : memref<20x32xi8>
  %b = memref.alloc() : memref<32x40xi8>
  %i = memref.alloc() : memref<20x32xi32>
  %j = memref.alloc() : memref<32x40xi32>
  %c = memref.alloc() : memref<20x40xi32>
  linalg.fill ins(%least : i8) outs(%a : memref<20x32xi8>)
  linalg.fill ins(%least : i8) outs(%b : memref<32x40xi8>)
  linalg.fill ins(%odd : i32) outs(%i : memref<20x32xi32>)
  linalg.fill ins(%wide : i32) outs(%j : memref<32x40xi32>)
  linalg.fill ins(%zero : i32) outs(%c : memref<20x40xi32>)
  linalg.matmul ins(%a, %b : memref<20x32xi8>, memref<32x40xi8>) outs(%c : memref<20x40xi32>)
  func.call @print(%c) : (memref<20x40xi32>) -> ()
  linalg.matmul {cast = #linalg.type_fn<cast_unsigned>}
    ins(%a, %b : memref<20x32xi8>, memref<32x40xi8>) outs(%c : memref<20x40xi32>)
  func.call @print(%c) : (memref<20x40xi32>) -> ()
  linalg.fill ins(%zero : i32) outs(%c : memref<20x40xi32>)
  linalg.matmul ins(%i, %j : memref<20x32xi32>, memref<32x40xi32>) outs(%c : memref<20x40xi32>)
  func.call @print(%c) : (memref<20x40xi32>) -> ()
  linalg.fill ins(%zero : i32) outs(%c : memref<20x40xi32>)
  %some = arith.constant 500 : i32
  func.call @quantized(%a, %b, %c, %zero) : (memref<20x32xi8>, memref<32x40xi8>, memref<20x40xi32>, i32) -> ()
  func.call @quantized(%a, %b, %c, %some) : (memref<20x32xi8>, memref<32x40xi8>, memref<20x40xi32>, i32) -> ()
  func.call @print(%c) : (memref<20x40xi32>) -> ()
  %half = arith.constant 0.796875 : bf16
  %one = arith.constant 1.0 : bf16
  %none = arith.constant 0.0 : f32
  %x = memref.alloc() : memref<20x32xbf16>
  %y = memref.alloc() : memref<32x40xbf16>
  %z = memref.alloc() : memref<20x40xf32>
  linalg.fill ins(%half : bf16) outs(%x : memref<20x32xbf16>)
  linalg.fill ins(%one : bf16) outs(%y : memref<32x40xbf16>)
  linalg.fill ins(%none : f32) outs(%z : memref<20x40xf32>)
  linalg.matmul ins(%x, %y : memref<20x32xbf16>, memref<32x40xbf16>) outs(%z : memref<20x40xf32>)
  %float = memref.load %z[%c7, %c7] : memref<20x40xf32>
  call @printF32(%float) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}
func.func @print(%c: memref<20x40xi32>) {
  %c7 = arith.constant 7 : index
  %number = memref.load %c[%c7, %c7] : memref<20x40xi32>
  %long = arith.extsi %number : i32 to i64
  call @printI64(%long) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
