// Contractions of every kind are the same as library calls and as loops, on any processor: numbers are small
// integers, so no sum is rounded, in whatever order it is made. Each line is a sum over all elements of a
// result, weighted by their places.
//
// RUN: freehold run -O0 %s | FileCheck %s
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --fp=contract | FileCheck %s
// RUN: freehold run %s --fp=fast --no-library-calls | FileCheck %s
// RUN: freehold run %s --fp=fast --threads=3 | FileCheck %s
// RUN: freehold compile -O3 --fp=contract --stats --emit=exe %s -o %t
// RUN: %t | FileCheck %s

// CHECK: 893
// CHECK-NEXT: -19686
// CHECK-NEXT: -1376
// CHECK-NEXT: 1557
// CHECK-NEXT: -3463
// CHECK-NEXT: 24694
// CHECK-NEXT: -2245
// CHECK-NEXT: 1285
// CHECK-NEXT: -15743
// CHECK-NEXT: 4042
// CHECK-NEXT: -2455
// CHECK-NEXT: 620
// CHECK-NEXT: -8501

func.func private @printF64(f64)
func.func private @printNewline()

func.func @fill_f32(%m: memref<?xf32>, %seed: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %factor = arith.constant 1103515245 : i32
  %shift = arith.constant 16 : i32
  %nine = arith.constant 9 : i32
  %four = arith.constant 4 : i32
  scf.for %i = %c0 to %n step %c1 {
    %number = arith.index_cast %i : index to i32
    %seeded = arith.addi %number, %seed : i32
    %product = arith.muli %seeded, %factor : i32
    %high = arith.shrui %product, %shift : i32
    %digit = arith.remui %high, %nine : i32
    %small = arith.subi %digit, %four : i32
    %float = arith.sitofp %small : i32 to f32
    memref.store %float, %m[%i] : memref<?xf32>
  }
  return
}

func.func @show_f32(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = memref.load %m[%i] : memref<?xf32>
    %place = arith.remui %i, %c7 : index
    %number = arith.addi %place, %c1 : index
    %integer = arith.index_cast %number : index to i64
    %weight = arith.sitofp %integer : i64 to f64
    %wide = arith.extf %x : f32 to f64
    %term = arith.mulf %wide, %weight : f64
    %next = arith.addf %s, %term : f64
    scf.yield %next : f64
  }
  call @printF64(%sum) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @fill_f64(%m: memref<?xf64>, %seed: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  %factor = arith.constant 1103515245 : i32
  %shift = arith.constant 16 : i32
  %nine = arith.constant 9 : i32
  %four = arith.constant 4 : i32
  scf.for %i = %c0 to %n step %c1 {
    %number = arith.index_cast %i : index to i32
    %seeded = arith.addi %number, %seed : i32
    %product = arith.muli %seeded, %factor : i32
    %high = arith.shrui %product, %shift : i32
    %digit = arith.remui %high, %nine : i32
    %small = arith.subi %digit, %four : i32
    %float = arith.sitofp %small : i32 to f64
    memref.store %float, %m[%i] : memref<?xf64>
  }
  return
}

func.func @show_f64(%m: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %n = memref.dim %m, %c0 : memref<?xf64>
  %zero = arith.constant 0.0 : f64
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> f64 {
    %x = memref.load %m[%i] : memref<?xf64>
    %place = arith.remui %i, %c7 : index
    %number = arith.addi %place, %c1 : index
    %integer = arith.index_cast %number : index to i64
    %weight = arith.sitofp %integer : i64 to f64
    %wide = arith.addf %x, %zero : f64
    %term = arith.mulf %wide, %weight : f64
    %next = arith.addf %s, %term : f64
    scf.yield %next : f64
  }
  call @printF64(%sum) : (f64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @matmul() {
  %flat_a = memref.alloc() : memref<2257xf32>
  %any_a = memref.cast %flat_a : memref<2257xf32> to memref<?xf32>
  %seed_a = arith.constant 7 : i32
  call @fill_f32(%any_a, %seed_a) : (memref<?xf32>, i32) -> ()
  %a = memref.expand_shape %flat_a [[0, 1]] output_shape [37, 61] : memref<2257xf32> into memref<37x61xf32>
  %flat_b = memref.alloc() : memref<2745xf32>
  %any_b = memref.cast %flat_b : memref<2745xf32> to memref<?xf32>
  %seed_b = arith.constant 1007 : i32
  call @fill_f32(%any_b, %seed_b) : (memref<?xf32>, i32) -> ()
  %b = memref.expand_shape %flat_b [[0, 1]] output_shape [61, 45] : memref<2745xf32> into memref<61x45xf32>
  %flat_c = memref.alloc() : memref<1665xf32>
  %any_c = memref.cast %flat_c : memref<1665xf32> to memref<?xf32>
  %seed_c = arith.constant 2007 : i32
  call @fill_f32(%any_c, %seed_c) : (memref<?xf32>, i32) -> ()
  %c = memref.expand_shape %flat_c [[0, 1]] output_shape [37, 45] : memref<1665xf32> into memref<37x45xf32>
  linalg.matmul ins(%a, %b : memref<37x61xf32>, memref<61x45xf32>) outs(%c : memref<37x45xf32>)
  call @show_f32(%any_c) : (memref<?xf32>) -> ()
  return
}

func.func @matmul_f64() {
  %flat_a = memref.alloc() : memref<6900xf64>
  %any_a = memref.cast %flat_a : memref<6900xf64> to memref<?xf64>
  %seed_a = arith.constant 7 : i32
  call @fill_f64(%any_a, %seed_a) : (memref<?xf64>, i32) -> ()
  %a = memref.expand_shape %flat_a [[0, 1]] output_shape [23, 300] : memref<6900xf64> into memref<23x300xf64>
  %flat_b = memref.alloc() : memref<5700xf64>
  %any_b = memref.cast %flat_b : memref<5700xf64> to memref<?xf64>
  %seed_b = arith.constant 1007 : i32
  call @fill_f64(%any_b, %seed_b) : (memref<?xf64>, i32) -> ()
  %b = memref.expand_shape %flat_b [[0, 1]] output_shape [300, 19] : memref<5700xf64> into memref<300x19xf64>
  %flat_c = memref.alloc() : memref<437xf64>
  %any_c = memref.cast %flat_c : memref<437xf64> to memref<?xf64>
  %seed_c = arith.constant 2007 : i32
  call @fill_f64(%any_c, %seed_c) : (memref<?xf64>, i32) -> ()
  %c = memref.expand_shape %flat_c [[0, 1]] output_shape [23, 19] : memref<437xf64> into memref<23x19xf64>
  linalg.matmul ins(%a, %b : memref<23x300xf64>, memref<300x19xf64>) outs(%c : memref<23x19xf64>)
  call @show_f64(%any_c) : (memref<?xf64>) -> ()
  return
}

func.func @transposed() {
  %flat_a = memref.alloc() : memref<1320xf32>
  %any_a = memref.cast %flat_a : memref<1320xf32> to memref<?xf32>
  %seed_a = arith.constant 7 : i32
  call @fill_f32(%any_a, %seed_a) : (memref<?xf32>, i32) -> ()
  %a = memref.expand_shape %flat_a [[0, 1]] output_shape [40, 33] : memref<1320xf32> into memref<40x33xf32>
  %flat_b = memref.alloc() : memref<1650xf32>
  %any_b = memref.cast %flat_b : memref<1650xf32> to memref<?xf32>
  %seed_b = arith.constant 1007 : i32
  call @fill_f32(%any_b, %seed_b) : (memref<?xf32>, i32) -> ()
  %b = memref.expand_shape %flat_b [[0, 1]] output_shape [50, 33] : memref<1650xf32> into memref<50x33xf32>
  %flat_c = memref.alloc() : memref<2000xf32>
  %any_c = memref.cast %flat_c : memref<2000xf32> to memref<?xf32>
  %seed_c = arith.constant 2007 : i32
  call @fill_f32(%any_c, %seed_c) : (memref<?xf32>, i32) -> ()
  %c = memref.expand_shape %flat_c [[0, 1]] output_shape [40, 50] : memref<2000xf32> into memref<40x50xf32>
  linalg.matmul_transpose_b ins(%a, %b : memref<40x33xf32>, memref<50x33xf32>) outs(%c : memref<40x50xf32>)
  call @show_f32(%any_c) : (memref<?xf32>) -> ()
  return
}

func.func @matvec() {
  %flat_a = memref.alloc() : memref<6300xf32>
  %any_a = memref.cast %flat_a : memref<6300xf32> to memref<?xf32>
  %seed_a = arith.constant 7 : i32
  call @fill_f32(%any_a, %seed_a) : (memref<?xf32>, i32) -> ()
  %a = memref.expand_shape %flat_a [[0, 1]] output_shape [70, 90] : memref<6300xf32> into memref<70x90xf32>
  %b = memref.alloc() : memref<90xf32>
  %any_b = memref.cast %b : memref<90xf32> to memref<?xf32>
  %seed_b = arith.constant 1007 : i32
  call @fill_f32(%any_b, %seed_b) : (memref<?xf32>, i32) -> ()
  %c = memref.alloc() : memref<70xf32>
  %any_c = memref.cast %c : memref<70xf32> to memref<?xf32>
  %seed_c = arith.constant 2007 : i32
  call @fill_f32(%any_c, %seed_c) : (memref<?xf32>, i32) -> ()
  linalg.matvec ins(%a, %b : memref<70x90xf32>, memref<90xf32>) outs(%c : memref<70xf32>)
  call @show_f32(%any_c) : (memref<?xf32>) -> ()
  return
}

func.func @vecmat() {
  %a = memref.alloc() : memref<90xf64>
  %any_a = memref.cast %a : memref<90xf64> to memref<?xf64>
  %seed_a = arith.constant 7 : i32
  call @fill_f64(%any_a, %seed_a) : (memref<?xf64>, i32) -> ()
  %flat_b = memref.alloc() : memref<6300xf64>
  %any_b = memref.cast %flat_b : memref<6300xf64> to memref<?xf64>
  %seed_b = arith.constant 1007 : i32
  call @fill_f64(%any_b, %seed_b) : (memref<?xf64>, i32) -> ()
  %b = memref.expand_shape %flat_b [[0, 1]] output_shape [90, 70] : memref<6300xf64> into memref<90x70xf64>
  %c = memref.alloc() : memref<70xf64>
  %any_c = memref.cast %c : memref<70xf64> to memref<?xf64>
  %seed_c = arith.constant 2007 : i32
  call @fill_f64(%any_c, %seed_c) : (memref<?xf64>, i32) -> ()
  linalg.vecmat ins(%a, %b : memref<90xf64>, memref<90x70xf64>) outs(%c : memref<70xf64>)
  call @show_f64(%any_c) : (memref<?xf64>) -> ()
  return
}

func.func @dot() {
  %a = memref.alloc() : memref<5000xf32>
  %any_a = memref.cast %a : memref<5000xf32> to memref<?xf32>
  %seed_a = arith.constant 7 : i32
  call @fill_f32(%any_a, %seed_a) : (memref<?xf32>, i32) -> ()
  %b = memref.alloc() : memref<5000xf32>
  %any_b = memref.cast %b : memref<5000xf32> to memref<?xf32>
  %seed_b = arith.constant 1007 : i32
  call @fill_f32(%any_b, %seed_b) : (memref<?xf32>, i32) -> ()
  %flat_c = memref.alloc() : memref<1xf32>
  %any_c = memref.cast %flat_c : memref<1xf32> to memref<?xf32>
  %seed_c = arith.constant 2007 : i32
  call @fill_f32(%any_c, %seed_c) : (memref<?xf32>, i32) -> ()
  %c = memref.collapse_shape %flat_c [] : memref<1xf32> into memref<f32>
  linalg.dot ins(%a, %b : memref<5000xf32>, memref<5000xf32>) outs(%c : memref<f32>)
  call @show_f32(%any_c) : (memref<?xf32>) -> ()
  return
}

func.func @batch() {
  %flat_a = memref.alloc() : memref<1800xf32>
  %any_a = memref.cast %flat_a : memref<1800xf32> to memref<?xf32>
  %seed_a = arith.constant 7 : i32
  call @fill_f32(%any_a, %seed_a) : (memref<?xf32>, i32) -> ()
  %a = memref.expand_shape %flat_a [[0, 1, 2]] output_shape [3, 20, 30] : memref<1800xf32> into memref<3x20x30xf32>
  %flat_b = memref.alloc() : memref<2250xf32>
  %any_b = memref.cast %flat_b : memref<2250xf32> to memref<?xf32>
  %seed_b = arith.constant 1007 : i32
  call @fill_f32(%any_b, %seed_b) : (memref<?xf32>, i32) -> ()
  %b = memref.expand_shape %flat_b [[0, 1, 2]] output_shape [3, 30, 25] : memref<2250xf32> into memref<3x30x25xf32>
  %flat_c = memref.alloc() : memref<1500xf32>
  %any_c = memref.cast %flat_c : memref<1500xf32> to memref<?xf32>
  %seed_c = arith.constant 2007 : i32
  call @fill_f32(%any_c, %seed_c) : (memref<?xf32>, i32) -> ()
  %c = memref.expand_shape %flat_c [[0, 1, 2]] output_shape [3, 20, 25] : memref<1500xf32> into memref<3x20x25xf32>
  linalg.batch_matmul ins(%a, %b : memref<3x20x30xf32>, memref<3x30x25xf32>) outs(%c : memref<3x20x25xf32>)
  call @show_f32(%any_c) : (memref<?xf32>) -> ()
  return
}

func.func @nhwc() {
  %flat_a = memref.alloc() : memref<1430xf32>
  %any_a = memref.cast %flat_a : memref<1430xf32> to memref<?xf32>
  %seed_a = arith.constant 7 : i32
  call @fill_f32(%any_a, %seed_a) : (memref<?xf32>, i32) -> ()
  %a = memref.expand_shape %flat_a [[0, 1, 2, 3]] output_shape [2, 11, 13, 5] : memref<1430xf32> into memref<2x11x13x5xf32>
  %flat_b = memref.alloc() : memref<570xf32>
  %any_b = memref.cast %flat_b : memref<570xf32> to memref<?xf32>
  %seed_b = arith.constant 1007 : i32
  call @fill_f32(%any_b, %seed_b) : (memref<?xf32>, i32) -> ()
  %b = memref.expand_shape %flat_b [[0, 1, 2, 3]] output_shape [3, 2, 5, 19] : memref<570xf32> into memref<3x2x5x19xf32>
  %flat_c = memref.alloc() : memref<912xf32>
  %any_c = memref.cast %flat_c : memref<912xf32> to memref<?xf32>
  %seed_c = arith.constant 2007 : i32
  call @fill_f32(%any_c, %seed_c) : (memref<?xf32>, i32) -> ()
  %c = memref.expand_shape %flat_c [[0, 1, 2, 3]] output_shape [2, 4, 6, 19] : memref<912xf32> into memref<2x4x6x19xf32>
  linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}
    ins(%a, %b : memref<2x11x13x5xf32>, memref<3x2x5x19xf32>) outs(%c : memref<2x4x6x19xf32>)
  call @show_f32(%any_c) : (memref<?xf32>) -> ()
  return
}

func.func @nchw() {
  %flat_a = memref.alloc() : memref<4400xf32>
  %any_a = memref.cast %flat_a : memref<4400xf32> to memref<?xf32>
  %seed_a = arith.constant 7 : i32
  call @fill_f32(%any_a, %seed_a) : (memref<?xf32>, i32) -> ()
  %a = memref.expand_shape %flat_a [[0, 1, 2, 3]] output_shape [2, 5, 11, 40] : memref<4400xf32> into memref<2x5x11x40xf32>
  %flat_b = memref.alloc() : memref<405xf32>
  %any_b = memref.cast %flat_b : memref<405xf32> to memref<?xf32>
  %seed_b = arith.constant 1007 : i32
  call @fill_f32(%any_b, %seed_b) : (memref<?xf32>, i32) -> ()
  %b = memref.expand_shape %flat_b [[0, 1, 2, 3]] output_shape [9, 5, 3, 3] : memref<405xf32> into memref<9x5x3x3xf32>
  %flat_c = memref.alloc() : memref<6156xf32>
  %any_c = memref.cast %flat_c : memref<6156xf32> to memref<?xf32>
  %seed_c = arith.constant 2007 : i32
  call @fill_f32(%any_c, %seed_c) : (memref<?xf32>, i32) -> ()
  %c = memref.expand_shape %flat_c [[0, 1, 2, 3]] output_shape [2, 9, 9, 38] : memref<6156xf32> into memref<2x9x9x38xf32>
  linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a, %b : memref<2x5x11x40xf32>, memref<9x5x3x3xf32>) outs(%c : memref<2x9x9x38xf32>)
  call @show_f32(%any_c) : (memref<?xf32>) -> ()
  return
}

func.func @depthwise() {
  %flat_a = memref.alloc() : memref<3024xf32>
  %any_a = memref.cast %flat_a : memref<3024xf32> to memref<?xf32>
  %seed_a = arith.constant 7 : i32
  call @fill_f32(%any_a, %seed_a) : (memref<?xf32>, i32) -> ()
  %a = memref.expand_shape %flat_a [[0, 1, 2, 3]] output_shape [1, 12, 12, 21] : memref<3024xf32> into memref<1x12x12x21xf32>
  %flat_b = memref.alloc() : memref<189xf32>
  %any_b = memref.cast %flat_b : memref<189xf32> to memref<?xf32>
  %seed_b = arith.constant 1007 : i32
  call @fill_f32(%any_b, %seed_b) : (memref<?xf32>, i32) -> ()
  %b = memref.expand_shape %flat_b [[0, 1, 2]] output_shape [3, 3, 21] : memref<189xf32> into memref<3x3x21xf32>
  %flat_c = memref.alloc() : memref<2100xf32>
  %any_c = memref.cast %flat_c : memref<2100xf32> to memref<?xf32>
  %seed_c = arith.constant 2007 : i32
  call @fill_f32(%any_c, %seed_c) : (memref<?xf32>, i32) -> ()
  %c = memref.expand_shape %flat_c [[0, 1, 2, 3]] output_shape [1, 10, 10, 21] : memref<2100xf32> into memref<1x10x10x21xf32>
  linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a, %b : memref<1x12x12x21xf32>, memref<3x3x21xf32>) outs(%c : memref<1x10x10x21xf32>)
  call @show_f32(%any_c) : (memref<?xf32>) -> ()
  return
}

func.func @depthwise_planes() {
  %flat_a = memref.alloc() : memref<1008xf64>
  %any_a = memref.cast %flat_a : memref<1008xf64> to memref<?xf64>
  %seed_a = arith.constant 7 : i32
  call @fill_f64(%any_a, %seed_a) : (memref<?xf64>, i32) -> ()
  %a = memref.expand_shape %flat_a [[0, 1, 2, 3]] output_shape [1, 7, 12, 12] : memref<1008xf64> into memref<1x7x12x12xf64>
  %flat_b = memref.alloc() : memref<63xf64>
  %any_b = memref.cast %flat_b : memref<63xf64> to memref<?xf64>
  %seed_b = arith.constant 1007 : i32
  call @fill_f64(%any_b, %seed_b) : (memref<?xf64>, i32) -> ()
  %b = memref.expand_shape %flat_b [[0, 1, 2]] output_shape [7, 3, 3] : memref<63xf64> into memref<7x3x3xf64>
  %flat_c = memref.alloc() : memref<700xf64>
  %any_c = memref.cast %flat_c : memref<700xf64> to memref<?xf64>
  %seed_c = arith.constant 2007 : i32
  call @fill_f64(%any_c, %seed_c) : (memref<?xf64>, i32) -> ()
  %c = memref.expand_shape %flat_c [[0, 1, 2, 3]] output_shape [1, 7, 10, 10] : memref<700xf64> into memref<1x7x10x10xf64>
  linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%a, %b : memref<1x7x12x12xf64>, memref<7x3x3xf64>) outs(%c : memref<1x7x10x10xf64>)
  call @show_f64(%any_c) : (memref<?xf64>) -> ()
  return
}

func.func @lines() {
  %flat_a = memref.alloc() : memref<640xf32>
  %any_a = memref.cast %flat_a : memref<640xf32> to memref<?xf32>
  %seed_a = arith.constant 7 : i32
  call @fill_f32(%any_a, %seed_a) : (memref<?xf32>, i32) -> ()
  %a = memref.expand_shape %flat_a [[0, 1, 2]] output_shape [2, 40, 8] : memref<640xf32> into memref<2x40x8xf32>
  %flat_b = memref.alloc() : memref<960xf32>
  %any_b = memref.cast %flat_b : memref<960xf32> to memref<?xf32>
  %seed_b = arith.constant 1007 : i32
  call @fill_f32(%any_b, %seed_b) : (memref<?xf32>, i32) -> ()
  %b = memref.expand_shape %flat_b [[0, 1, 2]] output_shape [5, 8, 24] : memref<960xf32> into memref<5x8x24xf32>
  %flat_c = memref.alloc() : memref<1728xf32>
  %any_c = memref.cast %flat_c : memref<1728xf32> to memref<?xf32>
  %seed_c = arith.constant 2007 : i32
  call @fill_f32(%any_c, %seed_c) : (memref<?xf32>, i32) -> ()
  %c = memref.expand_shape %flat_c [[0, 1, 2]] output_shape [2, 36, 24] : memref<1728xf32> into memref<2x36x24xf32>
  linalg.conv_1d_nwc_wcf {dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}
    ins(%a, %b : memref<2x40x8xf32>, memref<5x8x24xf32>) outs(%c : memref<2x36x24xf32>)
  call @show_f32(%any_c) : (memref<?xf32>) -> ()
  return
}

func.func @volumes() {
  %flat_a = memref.alloc() : memref<630xf32>
  %any_a = memref.cast %flat_a : memref<630xf32> to memref<?xf32>
  %seed_a = arith.constant 7 : i32
  call @fill_f32(%any_a, %seed_a) : (memref<?xf32>, i32) -> ()
  %a = memref.expand_shape %flat_a [[0, 1, 2, 3, 4]] output_shape [1, 5, 6, 7, 3] : memref<630xf32> into memref<1x5x6x7x3xf32>
  %flat_b = memref.alloc() : memref<324xf32>
  %any_b = memref.cast %flat_b : memref<324xf32> to memref<?xf32>
  %seed_b = arith.constant 1007 : i32
  call @fill_f32(%any_b, %seed_b) : (memref<?xf32>, i32) -> ()
  %b = memref.expand_shape %flat_b [[0, 1, 2, 3, 4]] output_shape [2, 3, 3, 3, 6] : memref<324xf32> into memref<2x3x3x3x6xf32>
  %flat_c = memref.alloc() : memref<480xf32>
  %any_c = memref.cast %flat_c : memref<480xf32> to memref<?xf32>
  %seed_c = arith.constant 2007 : i32
  call @fill_f32(%any_c, %seed_c) : (memref<?xf32>, i32) -> ()
  %c = memref.expand_shape %flat_c [[0, 1, 2, 3, 4]] output_shape [1, 4, 4, 5, 6] : memref<480xf32> into memref<1x4x4x5x6xf32>
  linalg.conv_3d_ndhwc_dhwcf {dilations = dense<1> : tensor<3xi64>, strides = dense<1> : tensor<3xi64>}
    ins(%a, %b : memref<1x5x6x7x3xf32>, memref<2x3x3x3x6xf32>) outs(%c : memref<1x4x4x5x6xf32>)
  call @show_f32(%any_c) : (memref<?xf32>) -> ()
  return
}

func.func @main() {
  call @matmul() : () -> ()
  call @matmul_f64() : () -> ()
  call @transposed() : () -> ()
  call @matvec() : () -> ()
  call @vecmat() : () -> ()
  call @dot() : () -> ()
  call @batch() : () -> ()
  call @nhwc() : () -> ()
  call @nchw() : () -> ()
  call @depthwise() : () -> ()
  call @depthwise_planes() : () -> ()
  call @lines() : () -> ()
  call @volumes() : () -> ()
  return
}
