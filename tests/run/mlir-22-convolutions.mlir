// Convolutions that linalg has from MLIR 22 on; the sums are those of mlir-runner 22.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s

// CHECK: {{^-55434$}}
// CHECK-NEXT: {{^2404$}}
// CHECK-NEXT: {{^-60238$}}

func.func private @nchw_a() -> tensor<2x3x7x8xi8> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    %s0 = arith.constant 1 : index
    %k0 = arith.constant 7 : index
    %p0 = arith.muli %i0, %k0 : index
    %s1 = arith.addi %s0, %p0 : index
    %k1 = arith.constant 3 : index
    %p1 = arith.muli %i1, %k1 : index
    %s2 = arith.addi %s1, %p1 : index
    %k2 = arith.constant 5 : index
    %p2 = arith.muli %i2, %k2 : index
    %s3 = arith.addi %s2, %p2 : index
    %k3 = arith.constant 11 : index
    %p3 = arith.muli %i3, %k3 : index
    %s4 = arith.addi %s3, %p3 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s4, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.trunci %q : i32 to i8
    %h = arith.constant 8 : i8
    %v = arith.subi %f, %h : i8
    tensor.yield %v : i8
  } : tensor<2x3x7x8xi8>
  return %0 : tensor<2x3x7x8xi8>
}
func.func private @nchw_b() -> tensor<4x3x3x2xi8> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    %s0 = arith.constant 1 : index
    %k0 = arith.constant 7 : index
    %p0 = arith.muli %i0, %k0 : index
    %s1 = arith.addi %s0, %p0 : index
    %k1 = arith.constant 3 : index
    %p1 = arith.muli %i1, %k1 : index
    %s2 = arith.addi %s1, %p1 : index
    %k2 = arith.constant 5 : index
    %p2 = arith.muli %i2, %k2 : index
    %s3 = arith.addi %s2, %p2 : index
    %k3 = arith.constant 11 : index
    %p3 = arith.muli %i3, %k3 : index
    %s4 = arith.addi %s3, %p3 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s4, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.trunci %q : i32 to i8
    %h = arith.constant 8 : i8
    %v = arith.subi %f, %h : i8
    tensor.yield %v : i8
  } : tensor<4x3x3x2xi8>
  return %0 : tensor<4x3x3x2xi8>
}
func.func private @nchw_sum(%t: tensor<2x4x3x6xi32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<2x4x3x6xi32>) outs(%s : tensor<f64>) {
  ^bb0(%x: i32, %sum: f64):
    %one = arith.constant 1 : index
    %i0 = linalg.index 0 : index
    %k0 = arith.constant 3 : index
    %p0 = arith.muli %i0, %k0 : index
    %a0 = arith.addi %one, %p0 : index
    %i1 = linalg.index 1 : index
    %k1 = arith.constant 7 : index
    %p1 = arith.muli %i1, %k1 : index
    %a1 = arith.addi %a0, %p1 : index
    %i2 = linalg.index 2 : index
    %k2 = arith.constant 2 : index
    %p2 = arith.muli %i2, %k2 : index
    %a2 = arith.addi %a1, %p2 : index
    %i3 = linalg.index 3 : index
    %k3 = arith.constant 5 : index
    %p3 = arith.muli %i3, %k3 : index
    %a3 = arith.addi %a2, %p3 : index
    %m = arith.constant 9 : index
    %r = arith.remui %a3, %m : index
    %w = arith.index_cast %r : index to i32
    %f = arith.sitofp %w : i32 to f64
    %d = arith.sitofp %x : i32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @nhwgc_a() -> tensor<1x7x8x2x3xi8> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    %s0 = arith.constant 1 : index
    %k0 = arith.constant 7 : index
    %p0 = arith.muli %i0, %k0 : index
    %s1 = arith.addi %s0, %p0 : index
    %k1 = arith.constant 3 : index
    %p1 = arith.muli %i1, %k1 : index
    %s2 = arith.addi %s1, %p1 : index
    %k2 = arith.constant 5 : index
    %p2 = arith.muli %i2, %k2 : index
    %s3 = arith.addi %s2, %p2 : index
    %k3 = arith.constant 11 : index
    %p3 = arith.muli %i3, %k3 : index
    %s4 = arith.addi %s3, %p3 : index
    %k4 = arith.constant 2 : index
    %p4 = arith.muli %i4, %k4 : index
    %s5 = arith.addi %s4, %p4 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s5, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.trunci %q : i32 to i8
    %h = arith.constant 8 : i8
    %v = arith.subi %f, %h : i8
    tensor.yield %v : i8
  } : tensor<1x7x8x2x3xi8>
  return %0 : tensor<1x7x8x2x3xi8>
}
func.func private @nhwgc_b() -> tensor<2x4x3x2x3xi8> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    %s0 = arith.constant 1 : index
    %k0 = arith.constant 7 : index
    %p0 = arith.muli %i0, %k0 : index
    %s1 = arith.addi %s0, %p0 : index
    %k1 = arith.constant 3 : index
    %p1 = arith.muli %i1, %k1 : index
    %s2 = arith.addi %s1, %p1 : index
    %k2 = arith.constant 5 : index
    %p2 = arith.muli %i2, %k2 : index
    %s3 = arith.addi %s2, %p2 : index
    %k3 = arith.constant 11 : index
    %p3 = arith.muli %i3, %k3 : index
    %s4 = arith.addi %s3, %p3 : index
    %k4 = arith.constant 2 : index
    %p4 = arith.muli %i4, %k4 : index
    %s5 = arith.addi %s4, %p4 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s5, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.trunci %q : i32 to i8
    %h = arith.constant 8 : i8
    %v = arith.subi %f, %h : i8
    tensor.yield %v : i8
  } : tensor<2x4x3x2x3xi8>
  return %0 : tensor<2x4x3x2x3xi8>
}
func.func private @nhwgc_sum(%t: tensor<1x3x6x2x4xi32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<1x3x6x2x4xi32>) outs(%s : tensor<f64>) {
  ^bb0(%x: i32, %sum: f64):
    %one = arith.constant 1 : index
    %i0 = linalg.index 0 : index
    %k0 = arith.constant 3 : index
    %p0 = arith.muli %i0, %k0 : index
    %a0 = arith.addi %one, %p0 : index
    %i1 = linalg.index 1 : index
    %k1 = arith.constant 7 : index
    %p1 = arith.muli %i1, %k1 : index
    %a1 = arith.addi %a0, %p1 : index
    %i2 = linalg.index 2 : index
    %k2 = arith.constant 2 : index
    %p2 = arith.muli %i2, %k2 : index
    %a2 = arith.addi %a1, %p2 : index
    %i3 = linalg.index 3 : index
    %k3 = arith.constant 5 : index
    %p3 = arith.muli %i3, %k3 : index
    %a3 = arith.addi %a2, %p3 : index
    %i4 = linalg.index 4 : index
    %k4 = arith.constant 11 : index
    %p4 = arith.muli %i4, %k4 : index
    %a4 = arith.addi %a3, %p4 : index
    %m = arith.constant 9 : index
    %r = arith.remui %a4, %m : index
    %w = arith.index_cast %r : index to i32
    %f = arith.sitofp %w : i32 to f64
    %d = arith.sitofp %x : i32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @nhwgcq_a() -> tensor<1x7x8x2x3xi8> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    %s0 = arith.constant 1 : index
    %k0 = arith.constant 7 : index
    %p0 = arith.muli %i0, %k0 : index
    %s1 = arith.addi %s0, %p0 : index
    %k1 = arith.constant 3 : index
    %p1 = arith.muli %i1, %k1 : index
    %s2 = arith.addi %s1, %p1 : index
    %k2 = arith.constant 5 : index
    %p2 = arith.muli %i2, %k2 : index
    %s3 = arith.addi %s2, %p2 : index
    %k3 = arith.constant 11 : index
    %p3 = arith.muli %i3, %k3 : index
    %s4 = arith.addi %s3, %p3 : index
    %k4 = arith.constant 2 : index
    %p4 = arith.muli %i4, %k4 : index
    %s5 = arith.addi %s4, %p4 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s5, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.trunci %q : i32 to i8
    %h = arith.constant 8 : i8
    %v = arith.subi %f, %h : i8
    tensor.yield %v : i8
  } : tensor<1x7x8x2x3xi8>
  return %0 : tensor<1x7x8x2x3xi8>
}
func.func private @nhwgcq_b() -> tensor<2x4x3x2x3xi8> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    %s0 = arith.constant 1 : index
    %k0 = arith.constant 7 : index
    %p0 = arith.muli %i0, %k0 : index
    %s1 = arith.addi %s0, %p0 : index
    %k1 = arith.constant 3 : index
    %p1 = arith.muli %i1, %k1 : index
    %s2 = arith.addi %s1, %p1 : index
    %k2 = arith.constant 5 : index
    %p2 = arith.muli %i2, %k2 : index
    %s3 = arith.addi %s2, %p2 : index
    %k3 = arith.constant 11 : index
    %p3 = arith.muli %i3, %k3 : index
    %s4 = arith.addi %s3, %p3 : index
    %k4 = arith.constant 2 : index
    %p4 = arith.muli %i4, %k4 : index
    %s5 = arith.addi %s4, %p4 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s5, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.trunci %q : i32 to i8
    %h = arith.constant 8 : i8
    %v = arith.subi %f, %h : i8
    tensor.yield %v : i8
  } : tensor<2x4x3x2x3xi8>
  return %0 : tensor<2x4x3x2x3xi8>
}
func.func private @nhwgcq_sum(%t: tensor<1x3x6x2x4xi32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<1x3x6x2x4xi32>) outs(%s : tensor<f64>) {
  ^bb0(%x: i32, %sum: f64):
    %one = arith.constant 1 : index
    %i0 = linalg.index 0 : index
    %k0 = arith.constant 3 : index
    %p0 = arith.muli %i0, %k0 : index
    %a0 = arith.addi %one, %p0 : index
    %i1 = linalg.index 1 : index
    %k1 = arith.constant 7 : index
    %p1 = arith.muli %i1, %k1 : index
    %a1 = arith.addi %a0, %p1 : index
    %i2 = linalg.index 2 : index
    %k2 = arith.constant 2 : index
    %p2 = arith.muli %i2, %k2 : index
    %a2 = arith.addi %a1, %p2 : index
    %i3 = linalg.index 3 : index
    %k3 = arith.constant 5 : index
    %p3 = arith.muli %i3, %k3 : index
    %a3 = arith.addi %a2, %p3 : index
    %i4 = linalg.index 4 : index
    %k4 = arith.constant 11 : index
    %p4 = arith.muli %i4, %k4 : index
    %a4 = arith.addi %a3, %p4 : index
    %m = arith.constant 9 : index
    %r = arith.remui %a4, %m : index
    %w = arith.index_cast %r : index to i32
    %f = arith.sitofp %w : i32 to f64
    %d = arith.sitofp %x : i32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func @main() {
  %z1 = arith.constant 3 : i32
  %z2 = arith.constant -2 : i32
  %nchw_a = call @nchw_a() : () -> tensor<2x3x7x8xi8>
  %nchw_b = call @nchw_b() : () -> tensor<4x3x3x2xi8>
  %nchw_e = arith.constant dense<5> : tensor<2x4x3x6xi32>
  %nchw = linalg.conv_2d_nchw_fchw_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}
      ins(%nchw_a, %nchw_b, %z1, %z2 : tensor<2x3x7x8xi8>, tensor<4x3x3x2xi8>, i32, i32) outs(%nchw_e : tensor<2x4x3x6xi32>) -> tensor<2x4x3x6xi32>
  call @nchw_sum(%nchw) : (tensor<2x4x3x6xi32>) -> ()
  %nhwgc_a = call @nhwgc_a() : () -> tensor<1x7x8x2x3xi8>
  %nhwgc_b = call @nhwgc_b() : () -> tensor<2x4x3x2x3xi8>
  %nhwgc_e = arith.constant dense<5> : tensor<1x3x6x2x4xi32>
  %nhwgc = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}
      ins(%nhwgc_a, %nhwgc_b : tensor<1x7x8x2x3xi8>, tensor<2x4x3x2x3xi8>) outs(%nhwgc_e : tensor<1x3x6x2x4xi32>) -> tensor<1x3x6x2x4xi32>
  call @nhwgc_sum(%nhwgc) : (tensor<1x3x6x2x4xi32>) -> ()
  %nhwgcq_a = call @nhwgcq_a() : () -> tensor<1x7x8x2x3xi8>
  %nhwgcq_b = call @nhwgcq_b() : () -> tensor<2x4x3x2x3xi8>
  %nhwgcq_e = arith.constant dense<5> : tensor<1x3x6x2x4xi32>
  %nhwgcq = linalg.conv_2d_nhwgc_gfhwc_q {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}
      ins(%nhwgcq_a, %nhwgcq_b, %z1, %z2 : tensor<1x7x8x2x3xi8>, tensor<2x4x3x2x3xi8>, i32, i32) outs(%nhwgcq_e : tensor<1x3x6x2x4xi32>) -> tensor<1x3x6x2x4xi32>
  call @nhwgcq_sum(%nhwgcq) : (tensor<1x3x6x2x4xi32>) -> ()
  return
}
