// Convolutions, pooling, quantized and transposed products, reductions, parallel loops, complex and
// small floats. MLIR's own runner prints the same, but for the 8-bit float, which it cannot lower.
//
// RUN: freehold run %s | FileCheck %s

func.func private @printMemrefF32(memref<*xf32>)
func.func private @printMemrefI32(memref<*xi32>)
func.func private @iota(%m: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %m, %c0 : memref<?xf32>
  affine.for %i = 0 to %n {
    %x = arith.index_cast %i : index to i32
    %f = arith.sitofp %x : i32 to f32
    memref.store %f, %m[%i] : memref<?xf32>
  }
  return
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %buf = memref.alloc() : memref<48xf32>
  %d = memref.cast %buf : memref<48xf32> to memref<?xf32>
  call @iota(%d) : (memref<?xf32>) -> ()
  %img = memref.expand_shape %buf [[0, 1, 2, 3]] output_shape [1, 4, 4, 3] : memref<48xf32> into memref<1x4x4x3xf32>
  %ker = memref.alloc() : memref<2x2x3x2xf32>
  %one = arith.constant 1.5 : f32
  linalg.fill ins(%one : f32) outs(%ker : memref<2x2x3x2xf32>)
  %out = memref.alloc() : memref<1x3x3x2xf32>
  linalg.fill ins(%zero : f32) outs(%out : memref<1x3x3x2xf32>)
  linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%img, %ker : memref<1x4x4x3xf32>, memref<2x2x3x2xf32>) outs(%out : memref<1x3x3x2xf32>)
  %u = memref.cast %out : memref<1x3x3x2xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %win = memref.alloc() : memref<2x2xf32>
  %pool = memref.alloc() : memref<1x2x2x3xf32>
  linalg.fill ins(%zero : f32) outs(%pool : memref<1x2x2x3xf32>)
  linalg.pooling_nhwc_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%img, %win : memref<1x4x4x3xf32>, memref<2x2xf32>) outs(%pool : memref<1x2x2x3xf32>)
  %pu = memref.cast %pool : memref<1x2x2x3xf32> to memref<*xf32>
  call @printMemrefF32(%pu) : (memref<*xf32>) -> ()
  linalg.pooling_nhwc_sum {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%img, %win : memref<1x4x4x3xf32>, memref<2x2xf32>) outs(%pool : memref<1x2x2x3xf32>)
  call @printMemrefF32(%pu) : (memref<*xf32>) -> ()
  %a = memref.alloc() : memref<2x3xi8>
  %b = memref.alloc() : memref<3x2xi8>
  %c = memref.alloc() : memref<2x2xi32>
  %m3 = arith.constant -3 : i8
  %p5 = arith.constant 5 : i8
  %z2 = arith.constant 2 : i32
  %z1 = arith.constant 1 : i32
  linalg.fill ins(%m3 : i8) outs(%a : memref<2x3xi8>)
  linalg.fill ins(%p5 : i8) outs(%b : memref<3x2xi8>)
  linalg.fill ins(%z1 : i32) outs(%c : memref<2x2xi32>)
  linalg.quantized_matmul ins(%a, %b, %z2, %z1 : memref<2x3xi8>, memref<3x2xi8>, i32, i32) outs(%c : memref<2x2xi32>)
  %cu = memref.cast %c : memref<2x2xi32> to memref<*xi32>
  call @printMemrefI32(%cu) : (memref<*xi32>) -> ()
  %x = memref.expand_shape %buf [[0, 1]] output_shape [8, 6] : memref<48xf32> into memref<8x6xf32>
  %y = memref.expand_shape %buf [[0, 1]] output_shape [6, 8] : memref<48xf32> into memref<6x8xf32>
  %r = memref.alloc() : memref<8x8xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<8x8xf32>)
  linalg.matmul_transpose_b ins(%x, %x : memref<8x6xf32>, memref<8x6xf32>) outs(%r : memref<8x8xf32>)
  linalg.matmul_transpose_a ins(%y, %y : memref<6x8xf32>, memref<6x8xf32>) outs(%r : memref<8x8xf32>)
  %ru = memref.cast %r : memref<8x8xf32> to memref<*xf32>
  call @printMemrefF32(%ru) : (memref<*xf32>) -> ()
  %t = memref.alloc() : memref<6x8xf32>
  linalg.transpose ins(%x : memref<8x6xf32>) outs(%t : memref<6x8xf32>) permutation = [1, 0]
  %red = memref.alloc() : memref<6xf32>
  linalg.fill ins(%zero : f32) outs(%red : memref<6xf32>)
  linalg.reduce { arith.addf } ins(%t : memref<6x8xf32>) outs(%red : memref<6xf32>) dimensions = [1]
  %redu = memref.cast %red : memref<6xf32> to memref<*xf32>
  call @printMemrefF32(%redu) : (memref<*xf32>) -> ()
  linalg.broadcast ins(%red : memref<6xf32>) outs(%t : memref<6x8xf32>) dimensions = [1]
  linalg.map { math.sqrt } ins(%t : memref<6x8xf32>) outs(%t : memref<6x8xf32>)
  %tu = memref.cast %t : memref<6x8xf32> to memref<*xf32>
  call @printMemrefF32(%tu) : (memref<*xf32>) -> ()
  %sum = scf.parallel (%i) = (%c0) to (%c4) step (%c1) init (%zero) -> f32 {
    %v = memref.load %buf[%i] : memref<48xf32>
    scf.reduce (%v : f32) {
    ^bb0(%l: f32, %q: f32):
      %s = arith.addf %l, %q : f32
      scf.reduce.return %s : f32
    }
  }
  vector.print %sum : f32
  scf.forall (%i, %j) in (3, 2) {
    %v = memref.load %buf[%i] : memref<48xf32>
    memref.store %v, %out[%c0, %i, %i, %j] : memref<1x3x3x2xf32>
  }
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %total = affine.parallel (%i) = (0) to (10) reduce ("addf") -> f32 {
    %v = affine.load %buf[%i] : memref<48xf32>
    affine.yield %v : f32
  }
  vector.print %total : f32
  %h = arith.truncf %total : f32 to f16
  %bh = arith.truncf %total : f32 to bf16
  %h2 = arith.mulf %h, %h : f16
  %b2 = arith.divf %bh, %bh : bf16
  vector.print %h2 : f16
  vector.print %b2 : bf16
  %z = complex.create %total, %sum : complex<f32>
  %zz = complex.mul %z, %z : complex<f32>
  %re = complex.re %zz : complex<f32>
  %abs = complex.abs %zz : complex<f32>
  vector.print %re : f32
  vector.print %abs : f32
  %e8 = arith.truncf %sum : f32 to f8E4M3FN
  %e9 = arith.extf %e8 : f8E4M3FN to f32
  vector.print %e9 : f32
  return
}

// CHECK: sizes = [1, 3, 3, 2] strides = [18, 6, 2, 1] data =
// CHECK-NEXT: {{\[+}}153, 153],
// CHECK-NEXT: [207, 207],
// CHECK-NEXT: [261, 261{{\]+}},
// CHECK-NEXT: {{\[+}}369, 369],
// CHECK-NEXT: [423, 423],
// CHECK-NEXT: [477, 477{{\]+}},
// CHECK-NEXT: {{\[+}}585, 585],
// CHECK-NEXT: [639, 639],
// CHECK-NEXT: [693, 693{{\]+}}
// CHECK: sizes = [1, 2, 2, 3] strides = [12, 6, 3, 1] data =
// CHECK-NEXT: {{\[+}}15, 16, 17],
// CHECK-NEXT: [21, 22, 23{{\]+}},
// CHECK-NEXT: {{\[+}}39, 40, 41],
// CHECK-NEXT: [45, 46, 47{{\]+}}
// CHECK: sizes = [1, 2, 2, 3] strides = [12, 6, 3, 1] data =
// CHECK-NEXT: {{\[+}}45, 50, 55],
// CHECK-NEXT: [75, 80, 85{{\]+}},
// CHECK-NEXT: {{\[+}}165, 170, 175],
// CHECK-NEXT: [195, 200, 205{{\]+}}
// CHECK: sizes = [2, 2] strides = [2, 1] data =
// CHECK-NEXT: {{\[+}}-59, -59],
// CHECK-NEXT: [-59, -59{{\]+}}
// CHECK: sizes = [8, 8] strides = [8, 1] data =
// CHECK-NEXT: {{\[+}}3575, 3785, 3995, 4205, 4415, 4625, 4835, 5045],
// CHECK-NEXT: [3785, 4217, 4649, 5081, 5513, 5945, 6377, 6809],
// CHECK-NEXT: [3995, 4649, 5303, 5957, 6611, 7265, 7919, 8573],
// CHECK-NEXT: [4205, 5081, 5957, 6833, 7709, 8585, 9461, 10337],
// CHECK-NEXT: [4415, 5513, 6611, 7709, 8807, 9905, 11003, 12101],
// CHECK-NEXT: [4625, 5945, 7265, 8585, 9905, 11225, 12545, 13865],
// CHECK-NEXT: [4835, 6377, 7919, 9461, 11003, 12545, 14087, 15629],
// CHECK-NEXT: [5045, 6809, 8573, 10337, 12101, 13865, 15629, 17393{{\]+}}
// CHECK: sizes = [6] strides = [1] data =
// CHECK-NEXT: [168, 176, 184, 192, 200, 208]
// CHECK: sizes = [6, 8] strides = [8, 1] data =
// CHECK-NEXT: {{\[+}}12.9615, 12.9615, 12.9615, 12.9615, 12.9615, 12.9615, 12.9615, 12.9615],
// CHECK-NEXT: [13.2665, 13.2665, 13.2665, 13.2665, 13.2665, 13.2665, 13.2665, 13.2665],
// CHECK-NEXT: [13.5647, 13.5647, 13.5647, 13.5647, 13.5647, 13.5647, 13.5647, 13.5647],
// CHECK-NEXT: [13.8564, 13.8564, 13.8564, 13.8564, 13.8564, 13.8564, 13.8564, 13.8564],
// CHECK-NEXT: [14.1421, 14.1421, 14.1421, 14.1421, 14.1421, 14.1421, 14.1421, 14.1421],
// CHECK-NEXT: [14.4222, 14.4222, 14.4222, 14.4222, 14.4222, 14.4222, 14.4222, 14.4222{{\]+}}
// CHECK-NEXT: 6
// CHECK: sizes = [1, 3, 3, 2] strides = [18, 6, 2, 1] data =
// CHECK-NEXT: {{\[+}}0, 0],
// CHECK-NEXT: [207, 207],
// CHECK-NEXT: [261, 261{{\]+}},
// CHECK-NEXT: {{\[+}}369, 369],
// CHECK-NEXT: [1, 1],
// CHECK-NEXT: [477, 477{{\]+}},
// CHECK-NEXT: {{\[+}}585, 585],
// CHECK-NEXT: [639, 639],
// CHECK-NEXT: [2, 2{{\]+}}
// CHECK-NEXT: 45
// CHECK-NEXT: 2025
// CHECK-NEXT: 1
// CHECK-NEXT: 1989
// CHECK-NEXT: 2061
// CHECK-NEXT: 6
