// Conversions by a scale, which arith has from MLIR 22 on.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @scaling
func.func @scaling(%x: f8E5M2, %s: f32, %v: vector<4xf32>, %t: tensor<4xf64>, %h: f16) {
  // CHECK: arith.scaling_extf %{{[^ ]+}}, %{{[^ ]+}} : f8E5M2, f32 to f32
  %0 = arith.scaling_extf %x, %s : f8E5M2, f32 to f32
  // CHECK: arith.scaling_extf %{{[^ ]+}}, %{{[^ ]+}} fastmath<fast> : f8E5M2, f16 to f64
  %1 = arith.scaling_extf %x, %h fastmath<fast> : f8E5M2, f16 to f64
  // CHECK: arith.scaling_truncf %{{[^ ]+}}, %{{[^ ]+}} to_nearest_even : vector<4xf32>, vector<4xf32> to vector<4xf16>
  %2 = arith.scaling_truncf %v, %v to_nearest_even : vector<4xf32>, vector<4xf32> to vector<4xf16>
  // CHECK: arith.scaling_truncf %{{[^ ]+}}, %{{[^ ]+}} downward fastmath<nnan> {x = 1 : i32} : tensor<4xf64>, tensor<4xf64> to tensor<4xf32>
  %3 = arith.scaling_truncf %t, %t downward fastmath<nnan> {x = 1 : i32} : tensor<4xf64>, tensor<4xf64> to tensor<4xf32>
  return
}
