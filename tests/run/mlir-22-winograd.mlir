// The transforms of Winograd's convolution along both dimensions or one; the sums are those of mlir-opt's decomposition.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s

// CHECK: {{^-213.5$}}
// CHECK-NEXT: {{^-1786$}}
// CHECK-NEXT: {{^1$}}
// CHECK-NEXT: {{^-27.3125$}}
// CHECK-NEXT: {{^48.3008$}}
// CHECK-NEXT: {{^113419$}}
// CHECK-NEXT: {{^64.5517$}}
// CHECK-NEXT: {{^15.7422$}}
// CHECK-NEXT: {{^-135187$}}
// CHECK-NEXT: {{^8.75$}}
// CHECK-NEXT: {{^-2.6875$}}
// CHECK-NEXT: {{^-4796$}}
// CHECK-NEXT: {{^-33$}}
// CHECK-NEXT: {{^-176$}}
// CHECK-NEXT: {{^-110.5$}}
// CHECK-NEXT: {{^-203$}}
// CHECK-NEXT: {{^-47$}}
// CHECK-NEXT: {{^20.6333$}}
// CHECK-NEXT: {{^29.0625$}}
// CHECK-NEXT: {{^-2082$}}

func.func private @filter0() -> tensor<2x3x3x3xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<2x3x3x3xf32>
  return %0 : tensor<2x3x3x3xf32>
}
func.func private @filter0_init() -> tensor<4x4x3x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<4x4x3x2xf32>
  return %0 : tensor<4x4x3x2xf32>
}
func.func private @filter0_sum(%t: tensor<4x4x3x2xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<4x4x3x2xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @input0() -> tensor<2x6x8x3xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<2x6x8x3xf32>
  return %0 : tensor<2x6x8x3xf32>
}
func.func private @input0_init() -> tensor<4x4x2x3x2x3xf32> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<4x4x2x3x2x3xf32>
  return %0 : tensor<4x4x2x3x2x3xf32>
}
func.func private @input0_sum(%t: tensor<4x4x2x3x2x3xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<4x4x2x3x2x3xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %i5 = linalg.index 5 : index
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %a5 = arith.addi %a4, %p5 : index
    %m = arith.constant 9 : index
    %r = arith.remui %a5, %m : index
    %w = arith.index_cast %r : index to i32
    %f = arith.sitofp %w : i32 to f64
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @output0() -> tensor<4x4x2x3x2x2xf32> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<4x4x2x3x2x2xf32>
  return %0 : tensor<4x4x2x3x2x2xf32>
}
func.func private @output0_init() -> tensor<2x4x6x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<2x4x6x2xf32>
  return %0 : tensor<2x4x6x2xf32>
}
func.func private @output0_sum(%t: tensor<2x4x6x2xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<2x4x6x2xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @filter1() -> tensor<3x3x3x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<3x3x3x2xf32>
  return %0 : tensor<3x3x3x2xf32>
}
func.func private @filter1_init() -> tensor<6x6x2x3xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x6x2x3xf32>
  return %0 : tensor<6x6x2x3xf32>
}
func.func private @filter1_sum(%t: tensor<6x6x2x3xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<6x6x2x3xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @input1() -> tensor<1x10x6x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<1x10x6x2xf32>
  return %0 : tensor<1x10x6x2xf32>
}
func.func private @input1_init() -> tensor<6x6x2x1x1x2xf32> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x6x2x1x1x2xf32>
  return %0 : tensor<6x6x2x1x1x2xf32>
}
func.func private @input1_sum(%t: tensor<6x6x2x1x1x2xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<6x6x2x1x1x2xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %i5 = linalg.index 5 : index
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %a5 = arith.addi %a4, %p5 : index
    %m = arith.constant 9 : index
    %r = arith.remui %a5, %m : index
    %w = arith.index_cast %r : index to i32
    %f = arith.sitofp %w : i32 to f64
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @output1() -> tensor<6x6x2x1x1x3xf32> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x6x2x1x1x3xf32>
  return %0 : tensor<6x6x2x1x1x3xf32>
}
func.func private @output1_init() -> tensor<1x8x4x3xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<1x8x4x3xf32>
  return %0 : tensor<1x8x4x3xf32>
}
func.func private @output1_sum(%t: tensor<1x8x4x3xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<1x8x4x3xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @filter2() -> tensor<2x5x5x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<2x5x5x2xf32>
  return %0 : tensor<2x5x5x2xf32>
}
func.func private @filter2_init() -> tensor<6x6x2x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x6x2x2xf32>
  return %0 : tensor<6x6x2x2xf32>
}
func.func private @filter2_sum(%t: tensor<6x6x2x2xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<6x6x2x2xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @input2() -> tensor<1x6x8x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<1x6x8x2xf32>
  return %0 : tensor<1x6x8x2xf32>
}
func.func private @input2_init() -> tensor<6x6x1x2x1x2xf32> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x6x1x2x1x2xf32>
  return %0 : tensor<6x6x1x2x1x2xf32>
}
func.func private @input2_sum(%t: tensor<6x6x1x2x1x2xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<6x6x1x2x1x2xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %i5 = linalg.index 5 : index
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %a5 = arith.addi %a4, %p5 : index
    %m = arith.constant 9 : index
    %r = arith.remui %a5, %m : index
    %w = arith.index_cast %r : index to i32
    %f = arith.sitofp %w : i32 to f64
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @output2() -> tensor<6x6x1x2x1x2xf32> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x6x1x2x1x2xf32>
  return %0 : tensor<6x6x1x2x1x2xf32>
}
func.func private @output2_init() -> tensor<1x2x4x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<1x2x4x2xf32>
  return %0 : tensor<1x2x4x2xf32>
}
func.func private @output2_sum(%t: tensor<1x2x4x2xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<1x2x4x2xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @filter3() -> tensor<3x3x1x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<3x3x1x2xf32>
  return %0 : tensor<3x3x1x2xf32>
}
func.func private @filter3_init() -> tensor<6x1x2x3xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x1x2x3xf32>
  return %0 : tensor<6x1x2x3xf32>
}
func.func private @filter3_sum(%t: tensor<6x1x2x3xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<6x1x2x3xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @input3() -> tensor<1x10x3x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<1x10x3x2xf32>
  return %0 : tensor<1x10x3x2xf32>
}
func.func private @input3_init() -> tensor<6x1x2x3x1x2xf32> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x1x2x3x1x2xf32>
  return %0 : tensor<6x1x2x3x1x2xf32>
}
func.func private @input3_sum(%t: tensor<6x1x2x3x1x2xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<6x1x2x3x1x2xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %i5 = linalg.index 5 : index
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %a5 = arith.addi %a4, %p5 : index
    %m = arith.constant 9 : index
    %r = arith.remui %a5, %m : index
    %w = arith.index_cast %r : index to i32
    %f = arith.sitofp %w : i32 to f64
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @output3() -> tensor<6x1x2x3x1x3xf32> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x1x2x3x1x3xf32>
  return %0 : tensor<6x1x2x3x1x3xf32>
}
func.func private @output3_init() -> tensor<1x8x3x3xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<1x8x3x3xf32>
  return %0 : tensor<1x8x3x3xf32>
}
func.func private @output3_sum(%t: tensor<1x8x3x3xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<1x8x3x3xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @filter4() -> tensor<2x1x3x1xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<2x1x3x1xf32>
  return %0 : tensor<2x1x3x1xf32>
}
func.func private @filter4_init() -> tensor<1x4x1x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<1x4x1x2xf32>
  return %0 : tensor<1x4x1x2xf32>
}
func.func private @filter4_sum(%t: tensor<1x4x1x2xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<1x4x1x2xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @input4() -> tensor<2x3x6x1xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<2x3x6x1xf32>
  return %0 : tensor<2x3x6x1xf32>
}
func.func private @input4_init() -> tensor<1x4x3x2x2x1xf32> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<1x4x3x2x2x1xf32>
  return %0 : tensor<1x4x3x2x2x1xf32>
}
func.func private @input4_sum(%t: tensor<1x4x3x2x2x1xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<1x4x3x2x2x1xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %i5 = linalg.index 5 : index
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %a5 = arith.addi %a4, %p5 : index
    %m = arith.constant 9 : index
    %r = arith.remui %a5, %m : index
    %w = arith.index_cast %r : index to i32
    %f = arith.sitofp %w : i32 to f64
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @filter5() -> tensor<1x3x3x1xf64> {
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
    %f = arith.uitofp %q : i32 to f64
    %h = arith.constant 8.0 : f64
    %v = arith.subf %f, %h : f64
    tensor.yield %v : f64
  } : tensor<1x3x3x1xf64>
  return %0 : tensor<1x3x3x1xf64>
}
func.func private @filter5_init() -> tensor<4x4x1x1xf64> {
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
    %f = arith.uitofp %q : i32 to f64
    %h = arith.constant 8.0 : f64
    %v = arith.subf %f, %h : f64
    tensor.yield %v : f64
  } : tensor<4x4x1x1xf64>
  return %0 : tensor<4x4x1x1xf64>
}
func.func private @filter5_sum(%t: tensor<4x4x1x1xf64>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<4x4x1x1xf64>) outs(%s : tensor<f64>) {
  ^bb0(%x: f64, %sum: f64):
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
    %one_f = arith.constant 1.0 : f64
    %d = arith.mulf %x, %one_f : f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @input5() -> tensor<1x6x6x1xf64> {
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
    %f = arith.uitofp %q : i32 to f64
    %h = arith.constant 8.0 : f64
    %v = arith.subf %f, %h : f64
    tensor.yield %v : f64
  } : tensor<1x6x6x1xf64>
  return %0 : tensor<1x6x6x1xf64>
}
func.func private @input5_init() -> tensor<4x4x2x2x1x1xf64> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f64
    %h = arith.constant 8.0 : f64
    %v = arith.subf %f, %h : f64
    tensor.yield %v : f64
  } : tensor<4x4x2x2x1x1xf64>
  return %0 : tensor<4x4x2x2x1x1xf64>
}
func.func private @input5_sum(%t: tensor<4x4x2x2x1x1xf64>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<4x4x2x2x1x1xf64>) outs(%s : tensor<f64>) {
  ^bb0(%x: f64, %sum: f64):
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
    %i5 = linalg.index 5 : index
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %a5 = arith.addi %a4, %p5 : index
    %m = arith.constant 9 : index
    %r = arith.remui %a5, %m : index
    %w = arith.index_cast %r : index to i32
    %f = arith.sitofp %w : i32 to f64
    %one_f = arith.constant 1.0 : f64
    %d = arith.mulf %x, %one_f : f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @output5() -> tensor<4x4x2x2x1x1xf64> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f64
    %h = arith.constant 8.0 : f64
    %v = arith.subf %f, %h : f64
    tensor.yield %v : f64
  } : tensor<4x4x2x2x1x1xf64>
  return %0 : tensor<4x4x2x2x1x1xf64>
}
func.func private @output5_init() -> tensor<1x4x4x1xf64> {
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
    %f = arith.uitofp %q : i32 to f64
    %h = arith.constant 8.0 : f64
    %v = arith.subf %f, %h : f64
    tensor.yield %v : f64
  } : tensor<1x4x4x1xf64>
  return %0 : tensor<1x4x4x1xf64>
}
func.func private @output5_sum(%t: tensor<1x4x4x1xf64>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<1x4x4x1xf64>) outs(%s : tensor<f64>) {
  ^bb0(%x: f64, %sum: f64):
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
    %one_f = arith.constant 1.0 : f64
    %d = arith.mulf %x, %one_f : f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @filter6() -> tensor<2x5x1x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<2x5x1x2xf32>
  return %0 : tensor<2x5x1x2xf32>
}
func.func private @filter6_init() -> tensor<6x1x2x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x1x2x2xf32>
  return %0 : tensor<6x1x2x2xf32>
}
func.func private @filter6_sum(%t: tensor<6x1x2x2xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<6x1x2x2xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @input6() -> tensor<1x10x1x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<1x10x1x2xf32>
  return %0 : tensor<1x10x1x2xf32>
}
func.func private @input6_init() -> tensor<6x1x3x1x1x2xf32> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x1x3x1x1x2xf32>
  return %0 : tensor<6x1x3x1x1x2xf32>
}
func.func private @input6_sum(%t: tensor<6x1x3x1x1x2xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<6x1x3x1x1x2xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %i5 = linalg.index 5 : index
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %a5 = arith.addi %a4, %p5 : index
    %m = arith.constant 9 : index
    %r = arith.remui %a5, %m : index
    %w = arith.index_cast %r : index to i32
    %f = arith.sitofp %w : i32 to f64
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func private @output6() -> tensor<6x1x3x1x1x2xf32> {
  %0 = tensor.generate {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index, %i5: index):
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
    %k5 = arith.constant 13 : index
    %p5 = arith.muli %i5, %k5 : index
    %s6 = arith.addi %s5, %p5 : index
    %m = arith.constant 17 : index
    %r = arith.remui %s6, %m : index
    %q = arith.index_cast %r : index to i32
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<6x1x3x1x1x2xf32>
  return %0 : tensor<6x1x3x1x1x2xf32>
}
func.func private @output6_init() -> tensor<1x6x1x2xf32> {
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
    %f = arith.uitofp %q : i32 to f32
    %h = arith.constant 8.0 : f32
    %v = arith.subf %f, %h : f32
    tensor.yield %v : f32
  } : tensor<1x6x1x2xf32>
  return %0 : tensor<1x6x1x2xf32>
}
func.func private @output6_sum(%t: tensor<1x6x1x2xf32>) {
  %z = arith.constant 0.0 : f64
  %e = tensor.empty() : tensor<f64>
  %s = linalg.fill ins(%z : f64) outs(%e : tensor<f64>) -> tensor<f64>
  // Elements count differently, so that each must be in its place.
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> ()>], iterator_types = ["reduction", "reduction", "reduction", "reduction"]}
      ins(%t : tensor<1x6x1x2xf32>) outs(%s : tensor<f64>) {
  ^bb0(%x: f32, %sum: f64):
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
    %d = arith.extf %x : f32 to f64
    %y = arith.mulf %d, %f : f64
    %n = arith.addf %sum, %y : f64
    linalg.yield %n : f64
  } -> tensor<f64>
  %r = tensor.extract %0[] : tensor<f64>
  vector.print %r : f64
  return
}
func.func @main() {
  %filter0 = call @filter0() : () -> tensor<2x3x3x3xf32>
  %filter0_init = call @filter0_init() : () -> tensor<4x4x3x2xf32>
  %filter0_r = linalg.winograd_filter_transform fmr(F_2_3) ins(%filter0 : tensor<2x3x3x3xf32>) outs(%filter0_init : tensor<4x4x3x2xf32>) -> tensor<4x4x3x2xf32>
  call @filter0_sum(%filter0_r) : (tensor<4x4x3x2xf32>) -> ()
  %input0 = call @input0() : () -> tensor<2x6x8x3xf32>
  %input0_init = call @input0_init() : () -> tensor<4x4x2x3x2x3xf32>
  %input0_r = linalg.winograd_input_transform fmr(F_2_3) ins(%input0 : tensor<2x6x8x3xf32>) outs(%input0_init : tensor<4x4x2x3x2x3xf32>) -> tensor<4x4x2x3x2x3xf32>
  call @input0_sum(%input0_r) : (tensor<4x4x2x3x2x3xf32>) -> ()
  %output0 = call @output0() : () -> tensor<4x4x2x3x2x2xf32>
  %output0_init = call @output0_init() : () -> tensor<2x4x6x2xf32>
  %output0_r = linalg.winograd_output_transform fmr(F_2_3) ins(%output0 : tensor<4x4x2x3x2x2xf32>) outs(%output0_init : tensor<2x4x6x2xf32>) -> tensor<2x4x6x2xf32>
  call @output0_sum(%output0_r) : (tensor<2x4x6x2xf32>) -> ()
  %filter1 = call @filter1() : () -> tensor<3x3x3x2xf32>
  %filter1_init = call @filter1_init() : () -> tensor<6x6x2x3xf32>
  %filter1_r = linalg.winograd_filter_transform fmr(F_4_3) ins(%filter1 : tensor<3x3x3x2xf32>) outs(%filter1_init : tensor<6x6x2x3xf32>) -> tensor<6x6x2x3xf32>
  call @filter1_sum(%filter1_r) : (tensor<6x6x2x3xf32>) -> ()
  %input1 = call @input1() : () -> tensor<1x10x6x2xf32>
  %input1_init = call @input1_init() : () -> tensor<6x6x2x1x1x2xf32>
  %input1_r = linalg.winograd_input_transform fmr(F_4_3) ins(%input1 : tensor<1x10x6x2xf32>) outs(%input1_init : tensor<6x6x2x1x1x2xf32>) -> tensor<6x6x2x1x1x2xf32>
  call @input1_sum(%input1_r) : (tensor<6x6x2x1x1x2xf32>) -> ()
  %output1 = call @output1() : () -> tensor<6x6x2x1x1x3xf32>
  %output1_init = call @output1_init() : () -> tensor<1x8x4x3xf32>
  %output1_r = linalg.winograd_output_transform fmr(F_4_3) ins(%output1 : tensor<6x6x2x1x1x3xf32>) outs(%output1_init : tensor<1x8x4x3xf32>) -> tensor<1x8x4x3xf32>
  call @output1_sum(%output1_r) : (tensor<1x8x4x3xf32>) -> ()
  %filter2 = call @filter2() : () -> tensor<2x5x5x2xf32>
  %filter2_init = call @filter2_init() : () -> tensor<6x6x2x2xf32>
  %filter2_r = linalg.winograd_filter_transform fmr(F_2_5) ins(%filter2 : tensor<2x5x5x2xf32>) outs(%filter2_init : tensor<6x6x2x2xf32>) -> tensor<6x6x2x2xf32>
  call @filter2_sum(%filter2_r) : (tensor<6x6x2x2xf32>) -> ()
  %input2 = call @input2() : () -> tensor<1x6x8x2xf32>
  %input2_init = call @input2_init() : () -> tensor<6x6x1x2x1x2xf32>
  %input2_r = linalg.winograd_input_transform fmr(F_2_5) ins(%input2 : tensor<1x6x8x2xf32>) outs(%input2_init : tensor<6x6x1x2x1x2xf32>) -> tensor<6x6x1x2x1x2xf32>
  call @input2_sum(%input2_r) : (tensor<6x6x1x2x1x2xf32>) -> ()
  %output2 = call @output2() : () -> tensor<6x6x1x2x1x2xf32>
  %output2_init = call @output2_init() : () -> tensor<1x2x4x2xf32>
  %output2_r = linalg.winograd_output_transform fmr(F_2_5) ins(%output2 : tensor<6x6x1x2x1x2xf32>) outs(%output2_init : tensor<1x2x4x2xf32>) -> tensor<1x2x4x2xf32>
  call @output2_sum(%output2_r) : (tensor<1x2x4x2xf32>) -> ()
  %filter3 = call @filter3() : () -> tensor<3x3x1x2xf32>
  %filter3_init = call @filter3_init() : () -> tensor<6x1x2x3xf32>
  %filter3_r = linalg.winograd_filter_transform fmr(F_4_3) ins(%filter3 : tensor<3x3x1x2xf32>) outs(%filter3_init : tensor<6x1x2x3xf32>) -> tensor<6x1x2x3xf32>
  call @filter3_sum(%filter3_r) : (tensor<6x1x2x3xf32>) -> ()
  %input3 = call @input3() : () -> tensor<1x10x3x2xf32>
  %input3_init = call @input3_init() : () -> tensor<6x1x2x3x1x2xf32>
  %input3_r = linalg.winograd_input_transform fmr(F_4_3) ins(%input3 : tensor<1x10x3x2xf32>) outs(%input3_init : tensor<6x1x2x3x1x2xf32>) -> tensor<6x1x2x3x1x2xf32>
  call @input3_sum(%input3_r) : (tensor<6x1x2x3x1x2xf32>) -> ()
  %output3 = call @output3() : () -> tensor<6x1x2x3x1x3xf32>
  %output3_init = call @output3_init() : () -> tensor<1x8x3x3xf32>
  %output3_r = linalg.winograd_output_transform fmr(F_4_3) ins(%output3 : tensor<6x1x2x3x1x3xf32>) outs(%output3_init : tensor<1x8x3x3xf32>) -> tensor<1x8x3x3xf32>
  call @output3_sum(%output3_r) : (tensor<1x8x3x3xf32>) -> ()
  %filter4 = call @filter4() : () -> tensor<2x1x3x1xf32>
  %filter4_init = call @filter4_init() : () -> tensor<1x4x1x2xf32>
  %filter4_r = linalg.winograd_filter_transform fmr(F_2_3) ins(%filter4 : tensor<2x1x3x1xf32>) outs(%filter4_init : tensor<1x4x1x2xf32>) -> tensor<1x4x1x2xf32>
  call @filter4_sum(%filter4_r) : (tensor<1x4x1x2xf32>) -> ()
  %input4 = call @input4() : () -> tensor<2x3x6x1xf32>
  %input4_init = call @input4_init() : () -> tensor<1x4x3x2x2x1xf32>
  %input4_r = linalg.winograd_input_transform fmr(F_2_3) ins(%input4 : tensor<2x3x6x1xf32>) outs(%input4_init : tensor<1x4x3x2x2x1xf32>) -> tensor<1x4x3x2x2x1xf32>
  call @input4_sum(%input4_r) : (tensor<1x4x3x2x2x1xf32>) -> ()
  %filter5 = call @filter5() : () -> tensor<1x3x3x1xf64>
  %filter5_init = call @filter5_init() : () -> tensor<4x4x1x1xf64>
  %filter5_r = linalg.winograd_filter_transform fmr(F_2_3) ins(%filter5 : tensor<1x3x3x1xf64>) outs(%filter5_init : tensor<4x4x1x1xf64>) -> tensor<4x4x1x1xf64>
  call @filter5_sum(%filter5_r) : (tensor<4x4x1x1xf64>) -> ()
  %input5 = call @input5() : () -> tensor<1x6x6x1xf64>
  %input5_init = call @input5_init() : () -> tensor<4x4x2x2x1x1xf64>
  %input5_r = linalg.winograd_input_transform fmr(F_2_3) ins(%input5 : tensor<1x6x6x1xf64>) outs(%input5_init : tensor<4x4x2x2x1x1xf64>) -> tensor<4x4x2x2x1x1xf64>
  call @input5_sum(%input5_r) : (tensor<4x4x2x2x1x1xf64>) -> ()
  %output5 = call @output5() : () -> tensor<4x4x2x2x1x1xf64>
  %output5_init = call @output5_init() : () -> tensor<1x4x4x1xf64>
  %output5_r = linalg.winograd_output_transform fmr(F_2_3) ins(%output5 : tensor<4x4x2x2x1x1xf64>) outs(%output5_init : tensor<1x4x4x1xf64>) -> tensor<1x4x4x1xf64>
  call @output5_sum(%output5_r) : (tensor<1x4x4x1xf64>) -> ()
  %filter6 = call @filter6() : () -> tensor<2x5x1x2xf32>
  %filter6_init = call @filter6_init() : () -> tensor<6x1x2x2xf32>
  %filter6_r = linalg.winograd_filter_transform fmr(F_2_5) ins(%filter6 : tensor<2x5x1x2xf32>) outs(%filter6_init : tensor<6x1x2x2xf32>) -> tensor<6x1x2x2xf32>
  call @filter6_sum(%filter6_r) : (tensor<6x1x2x2xf32>) -> ()
  %input6 = call @input6() : () -> tensor<1x10x1x2xf32>
  %input6_init = call @input6_init() : () -> tensor<6x1x3x1x1x2xf32>
  %input6_r = linalg.winograd_input_transform fmr(F_2_5) ins(%input6 : tensor<1x10x1x2xf32>) outs(%input6_init : tensor<6x1x3x1x1x2xf32>) -> tensor<6x1x3x1x1x2xf32>
  call @input6_sum(%input6_r) : (tensor<6x1x3x1x1x2xf32>) -> ()
  %output6 = call @output6() : () -> tensor<6x1x3x1x1x2xf32>
  %output6_init = call @output6_init() : () -> tensor<1x6x1x2xf32>
  %output6_r = linalg.winograd_output_transform fmr(F_2_5) ins(%output6 : tensor<6x1x3x1x1x2xf32>) outs(%output6_init : tensor<1x6x1x2xf32>) -> tensor<1x6x1x2xf32>
  call @output6_sum(%output6_r) : (tensor<1x6x1x2xf32>) -> ()
  return
}
