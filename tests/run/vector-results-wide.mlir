// Vectors of wide integers come out whole, and so does what is returned behind them.
//
// RUN: freehold run - -O0 < %s | FileCheck %s
// RUN: freehold run - -O2 < %s | FileCheck %s

// CHECK: result #0: 3xi128 = [1, -1, 170141183460469231731687303715884105727]
// CHECK-NEXT: result #1: 2x2xf32
// CHECK-NEXT: {{\[\[}}2.0, 2.0],
// CHECK-NEXT:  [2.0, 2.0]]
func.func @main() -> (vector<3xi128>, memref<2x2xf32>) {
  %v = arith.constant dense<[1, -1, 170141183460469231731687303715884105727]> : vector<3xi128>
  %x = arith.constant 2.0 : f32
  %m = memref.alloc() : memref<2x2xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<2x2xf32>)
  return %v, %m : vector<3xi128>, memref<2x2xf32>
}
