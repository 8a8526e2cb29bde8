// Conversions by a scale, whose exponent alone counts: 3.0 stands for 2, 0.7 for a half, zero and smaller numbers for
// zero, infinity and NaN for NaN.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s

func.func @extend(%x: f16, %scale: f32) {
  %r = arith.scaling_extf %x, %scale : f16, f32 to f32
  vector.print %r : f32
  %d = arith.scaling_extf %x, %scale : f16, f32 to f64
  vector.print %d : f64
  return
}

func.func @narrow(%x: f32, %scale: f32) {
  %r = arith.scaling_truncf %x, %scale : f32, f32 to f16
  %w = arith.extf %r : f16 to f32
  vector.print %w : f32
  return
}

func.func @main() {
  %x = arith.constant 1.5 : f16
  %three = arith.constant 3.0 : f32
  %part = arith.constant 0.7 : f32
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 1.0e-39 : f32
  %negative = arith.constant -8.5 : f32
  %inf = arith.constant 0x7F800000 : f32
  // CHECK: 3
  // CHECK-NEXT: 3
  call @extend(%x, %three) : (f16, f32) -> ()
  // CHECK-NEXT: 0.75
  // CHECK-NEXT: 0.75
  call @extend(%x, %part) : (f16, f32) -> ()
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  call @extend(%x, %zero) : (f16, f32) -> ()
  // CHECK-NEXT: 0
  // CHECK-NEXT: 0
  call @extend(%x, %least) : (f16, f32) -> ()
  // CHECK-NEXT: 12
  // CHECK-NEXT: 12
  call @extend(%x, %negative) : (f16, f32) -> ()
  // CHECK-NEXT: nan
  // CHECK-NEXT: nan
  call @extend(%x, %inf) : (f16, f32) -> ()

  %y = arith.constant 3.001 : f32
  // CHECK-NEXT: 1.50098
  call @narrow(%y, %three) : (f32, f32) -> ()
  // CHECK-NEXT: 6.00391
  call @narrow(%y, %part) : (f32, f32) -> ()
  // CHECK-NEXT: inf
  call @narrow(%y, %zero) : (f32, f32) -> ()
  // CHECK-NEXT: 0.375244
  call @narrow(%y, %negative) : (f32, f32) -> ()
  // CHECK-NEXT: nan
  call @narrow(%y, %inf) : (f32, f32) -> ()

  // The scale is a number of the format that is computed in: more than a hundred thousand is infinite in f16.
  // CHECK-NEXT: inf
  %large = arith.constant 5.0e5 : f32
  %eighth = arith.constant 0.125 : f8E5M2
  %h = arith.scaling_extf %eighth, %large : f8E5M2, f32 to f16
  %hw = arith.extf %h : f16 to f32
  vector.print %hw : f32

  // Vectors, element by element.
  // CHECK-NEXT: ( 1, 4, 12 )
  %v = arith.constant dense<[1.0, 2.0, 3.0]> : vector<3xf32>
  %s = arith.constant dense<[1.9, 2.5, 4.0]> : vector<3xf32>
  %e = arith.scaling_extf %v, %s : vector<3xf32>, vector<3xf32> to vector<3xf64>
  vector.print %e : vector<3xf64>
  // CHECK-NEXT: ( 1, 1, 0.75 )
  %d = arith.constant dense<[1.0, 2.0, 3.0]> : vector<3xf64>
  %t = arith.scaling_truncf %d, %s : vector<3xf64>, vector<3xf32> to vector<3xf32>
  vector.print %t : vector<3xf32>
  // One scale for all.
  // CHECK-NEXT: ( 2, 4, 6 )
  %all = arith.scaling_extf %v, %three : vector<3xf32>, f32 to vector<3xf64>
  vector.print %all : vector<3xf64>
  // CHECK-NEXT: 1.1
  %u = arith.constant 1.1 : f64
  %one = arith.constant 1.0 : f32
  %down = arith.scaling_truncf %u, %one downward : f64, f32 to f32
  vector.print %down : f32
  return
}
