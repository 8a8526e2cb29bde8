// RUN: freehold opt %s --convert-linalg-to-library-calls --canonicalize --cse | FileCheck %s
// RUN: freehold opt %s --convert-linalg-to-library-calls=min-products=1 | FileCheck %s --check-prefix=SMALL
// RUN: freehold opt %s --convert-linalg-to-library-calls=fp=contract --canonicalize --cse | FileCheck %s --check-prefix=FP
// RUN: not freehold opt %s --convert-linalg-to-library-calls=fp=loose 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s --fp=contract | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s --no-library-calls | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s --check=accesses | FileCheck %s --check-prefix=OUT

// UNKNOWN: strict, contract, fast

// Addresses of the result and both factors, flags, and sizes and strides of the loops: of the result, of the
// left factor and of the right one.
// CHECK-LABEL: func.func @matmul
// CHECK:         %[[C:.*]] = memref.extract_aligned_pointer_as_index %arg2
// CHECK:         %[[A:.*]] = memref.extract_aligned_pointer_as_index %arg0
// CHECK:         %[[B:.*]] = memref.extract_aligned_pointer_as_index %arg1
// CHECK:         %[[NUMBERS:.*]] = memref.get_global @freehold_loops_64_48_32_48_1_0_32_0_1_0_1_48 : memref<12xindex>
// CHECK-NEXT:    %[[ALL:.*]] = memref.cast %[[NUMBERS]]
// CHECK-NEXT:    call @freehold_contract_f32(%[[C]], %[[A]], %[[B]], %c0, %[[ALL]]) {freehold.keeps_nothing}
// FP-LABEL: func.func @matmul
// FP:         call @freehold_contract_f32(%{{.*}}, %{{.*}}, %{{.*}}, %c3, %{{.*}})
func.func @matmul(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  linalg.matmul ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>)
  return
}

// All loops of a batch are one call, and so are all of a convolution: rows of pixels are two apart, and
// windows move along rows and pixels as well.
// What is not known before the program runs is stored on the stack.
// CHECK-LABEL: func.func @batch
// CHECK-NOT:     scf.for
// CHECK:         %[[NUMBERS:.*]] = memref.alloca() : memref<16xindex>
// CHECK:         memref.store %c5, %[[NUMBERS]][%c0]
// CHECK:         memref.store %dim, %[[NUMBERS]][%c3]
// CHECK:         call @freehold_contract_f64
// CHECK-LABEL: func.func @conv
// CHECK-NOT:     linalg
// CHECK:         memref.get_global @freehold_loops_6_7_8_2_3_16_{{[0-9_]+}}_512_32_0_768_16_1_{{[0-9_]+}} : memref<24xindex>
// CHECK:         call @freehold_contract_f32
func.func @batch(%a: memref<5x64x?xf64>, %b: memref<5x?x16xf64, strided<[?, ?, ?], offset: ?>>, %c: memref<5x64x16xf64>) {
  linalg.batch_matmul ins(%a, %b : memref<5x64x?xf64>, memref<5x?x16xf64, strided<[?, ?, ?], offset: ?>>) outs(%c : memref<5x64x16xf64>)
  return
}
func.func @conv(%x: memref<1x16x16x16xf32>, %w: memref<2x3x16x8xf32>, %y: memref<1x6x7x8xf32>) {
  linalg.conv_2d_nhwc_hwcf {dilations = dense<[3, 1]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%x, %w : memref<1x16x16x16xf32>, memref<2x3x16x8xf32>) outs(%y : memref<1x6x7x8xf32>)
  return
}

// The name does not matter, nor which factor comes first, nor the order of the loops.
// CHECK-LABEL: func.func @generic
// CHECK:         call @freehold_contract_f64(%{{.*}}, %{{.*}}, %{{.*}}, %c0, %{{.*}})
func.func @generic(%a: memref<64x32xf64>, %b: memref<32x48xf64>, %c: memref<64x48xf64>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, k, j) -> (k, j)>, affine_map<(i, k, j) -> (i, k)>, affine_map<(i, k, j) -> (i, j)>],
    iterator_types = ["parallel", "reduction", "parallel"]
  } ins(%b, %a : memref<32x48xf64>, memref<64x32xf64>) outs(%c : memref<64x48xf64>) {
  ^bb0(%y: f64, %x: f64, %sum: f64):
    %product = arith.mulf %x, %y : f64
    %next = arith.addf %product, %sum : f64
    linalg.yield %next : f64
  }
  return
}

// Flags of both operations allow what a policy does for all; reassoc alone does not fuse.
// CHECK-LABEL: func.func @flags
// CHECK:         call @freehold_contract_f32(%{{.*}}, %{{.*}}, %{{.*}}, %c2, %{{.*}})
func.func @flags(%a: memref<64x32xf32>, %b: memref<32x48xf32>, %c: memref<64x48xf32>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : memref<64x32xf32>, memref<32x48xf32>) outs(%c : memref<64x48xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y fastmath<reassoc> : f32
    %next = arith.addf %product, %sum fastmath<reassoc,contract> : f32
    linalg.yield %next : f32
  }
  return
}

// Few multiplications stay, unless the option says otherwise.
// CHECK-LABEL: func.func @small
// CHECK:         linalg.matmul
// SMALL-LABEL: func.func @small
// SMALL:         call @freehold_contract_f32
func.func @small(%a: memref<4x4xf32>) {
  linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>)
  return
}

// A matrix times a vector is dot products: in order, loops are as fast.
// CHECK-LABEL: func.func @vectors
// CHECK:         linalg.matvec
// CHECK:         call @freehold_contract_f32
// FP-LABEL: func.func @vectors
// FP:         call @freehold_contract_f32
// FP:         call @freehold_contract_f32
func.func @vectors(%a: memref<64x64xf32>, %v: memref<64xf32>, %w: memref<64xf32>) {
  linalg.matvec ins(%a, %v : memref<64x64xf32>, memref<64xf32>) outs(%w : memref<64xf32>)
  linalg.vecmat ins(%v, %a : memref<64xf32>, memref<64x64xf32>) outs(%w : memref<64xf32>)
  return
}

// Other types, other bodies and other subscripts stay.
// CHECK-LABEL: func.func @others
// CHECK:         linalg.matmul
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-NOT:     call
// CHECK:         return
func.func @others(%i: memref<64x64xi64>, %a: memref<64x64xf32>) {
  linalg.matmul ins(%i, %i : memref<64x64xi64>, memref<64x64xi64>) outs(%i : memref<64x64xi64>)
  linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.subf %sum, %product : f32
    linalg.yield %next : f32
  }
  linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k floordiv 2)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %a : memref<64x64xf32>, memref<64x64xf32>) outs(%a : memref<64x64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }
  return
}

// Zeros that are filled in right before are a flag. Negative ones are other bits, and what is not computed keeps its
// zeros. What stands in between may be anything.
// CHECK-LABEL: func.func @zeros
// CHECK-NOT:     linalg.fill
// CHECK:         call @freehold_contract_f32(%{{.*}}, %{{.*}}, %{{.*}}, %c4, %{{.*}})
// CHECK:         call @printNewline
// CHECK:         call @freehold_contract_f32(%{{.*}}, %{{.*}}, %{{.*}}, %c0, %{{.*}})
// CHECK:         linalg.fill
// CHECK:         call @freehold_contract_f32(%{{.*}}, %{{.*}}, %{{.*}}, %c0, %{{.*}})
// CHECK:         linalg.fill
// CHECK:         memref.store
// CHECK:         call @freehold_contract_f32(%{{.*}}, %{{.*}}, %{{.*}}, %c0, %{{.*}})
// CHECK:         linalg.fill
// CHECK:         call @freehold_contract_f32(%{{.*}}, %{{.*}}, %{{.*}}, %c0, %{{.*}})
func.func @zeros(%a: memref<20x32xf32>, %b: memref<32x40xf32>, %c: memref<20x40xf32>, %d: memref<39x40xf32>) {
  %zero = arith.constant 0.0 : f32
  %negative = arith.constant -0.0 : f32
  %c0 = arith.constant 0 : index
  linalg.fill ins(%zero : f32) outs(%c : memref<20x40xf32>)
  linalg.matmul ins(%a, %b : memref<20x32xf32>, memref<32x40xf32>) outs(%c : memref<20x40xf32>)
  call @printNewline() : () -> ()
  linalg.matmul ins(%a, %b : memref<20x32xf32>, memref<32x40xf32>) outs(%c : memref<20x40xf32>)
  linalg.fill ins(%negative : f32) outs(%c : memref<20x40xf32>)
  linalg.matmul ins(%a, %b : memref<20x32xf32>, memref<32x40xf32>) outs(%c : memref<20x40xf32>)
  linalg.fill ins(%zero : f32) outs(%c : memref<20x40xf32>)
  memref.store %negative, %c[%c0, %c0] : memref<20x40xf32>
  linalg.matmul ins(%a, %b : memref<20x32xf32>, memref<32x40xf32>) outs(%c : memref<20x40xf32>)
  linalg.fill ins(%zero : f32) outs(%d : memref<39x40xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i * 2, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : memref<20x32xf32>, memref<32x40xf32>) outs(%d : memref<39x40xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %next = arith.addf %product, %sum : f32
    linalg.yield %next : f32
  }
  return
}

func.func private @printF32(f32)
func.func private @printNewline()

// Few columns are dot products with copies of them, if products may be added in any order and there are enough.
// CHECK-LABEL: func.func @few_columns
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : memref<50x3xf32>)
// CHECK:         linalg.matmul {{.*}} outs(%{{.*}} : memref<500x3xf32>)
// FP-LABEL: func.func @few_columns
// FP:         call @freehold_contract_f32
// FP:         linalg.matmul {{.*}} outs(%{{.*}} : memref<500x3xf32>)
func.func @few_columns(%a: memref<50x64xf32>, %b: memref<64x3xf32>, %c: memref<50x3xf32>, %d: memref<500x16xf32>,
    %e: memref<16x3xf32>, %f: memref<500x3xf32>) {
  linalg.matmul ins(%a, %b : memref<50x64xf32>, memref<64x3xf32>) outs(%c : memref<50x3xf32>)
  linalg.matmul ins(%d, %e : memref<500x16xf32>, memref<16x3xf32>) outs(%f : memref<500x3xf32>)
  return
}

// Where the result is a factor as well, the order of the loops can be seen in it.
// OUT: 5120
// OUT: -0.105443
func.func @main() {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c7 = arith.constant 7 : index
  %a = memref.alloc() : memref<20x32xf32>
  %b = memref.alloc() : memref<32x40xf32>
  %c = memref.alloc() : memref<20x40xf32>
  %two = arith.constant 2.0 : f32
  %many = arith.constant 80.0 : f32
  %none = arith.constant 0.0 : f32
  linalg.fill ins(%two : f32) outs(%a : memref<20x32xf32>)
  linalg.fill ins(%many : f32) outs(%b : memref<32x40xf32>)
  linalg.fill ins(%none : f32) outs(%c : memref<20x40xf32>)
  linalg.matmul ins(%a, %b : memref<20x32xf32>, memref<32x40xf32>) outs(%c : memref<20x40xf32>)
  %x = memref.load %c[%c7, %c7] : memref<20x40xf32>
  call @printF32(%x) : (f32) -> ()
  call @printNewline() : () -> ()
  %s = memref.alloc() : memref<20x20xf32>
  linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } outs(%s : memref<20x20xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %ii = arith.index_cast %i : index to i32
    %jj = arith.index_cast %j : index to i32
    %d = arith.subi %ii, %jj : i32
    %f = arith.sitofp %d : i32 to f32
    %scale = arith.constant 0.01 : f32
    %v = arith.mulf %f, %scale : f32
    linalg.yield %v : f32
  }
  linalg.matmul ins(%s, %s : memref<20x20xf32>, memref<20x20xf32>) outs(%s : memref<20x20xf32>)
  %y = memref.load %s[%c7, %c0] : memref<20x20xf32>
  call @printF32(%y) : (f32) -> ()
  call @printNewline() : () -> ()
  return
}
