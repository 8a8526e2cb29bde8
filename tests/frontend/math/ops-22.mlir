// Operations that math has from MLIR 22 on, printed as mlir-opt-22 prints them.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @f
func.func @f(%x: f32, %v: vector<4xf32>, %t: tensor<4xf64>, %a: f32, %b: f32) {
  // CHECK: math.isnan %{{[^ ,)]+}} : f32
  %0 = math.isnan %x : f32
  // CHECK: math.isinf %{{[^ ,)]+}} : vector<4xf32>
  %1 = math.isinf %v : vector<4xf32>
  // CHECK: math.isfinite %{{[^ ,)]+}} : tensor<4xf64>
  %2 = math.isfinite %t : tensor<4xf64>
  // CHECK: math.isnormal %{{[^ ,)]+}} {foo} : f32
  %3 = math.isnormal %x {foo} : f32
  // CHECK: math.clampf %{{[^ ,)]+}} to [%{{[^ ,)]+}}, %{{[^ ,)]+}}] fastmath<fast> : f32
  %4 = math.clampf %x to [%a, %b] fastmath<fast> : f32
  // CHECK: %sin, %cos = math.sincos %{{[^ ,)]+}} fastmath<nnan> : vector<4xf32>
  %5, %6 = math.sincos %v fastmath<nnan> : vector<4xf32>
  // CHECK: math.erfc %{{[^ ,)]+}} : f32
  %7 = math.erfc %x : f32
  return
}
