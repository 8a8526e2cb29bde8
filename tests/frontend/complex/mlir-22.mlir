// The power of an integer, which complex has from MLIR 22 on.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @powi
func.func @powi(%z: complex<f32>, %n: i64) {
  // CHECK: complex.powi %{{[^ ]+}}, %{{[^ ]+}} : complex<f32>, i64
  %0 = complex.powi %z, %n : complex<f32>, i64
  // CHECK: complex.powi %{{[^ ]+}}, %{{[^ ]+}} fastmath<fast> {a = 1 : i32} : complex<f32>, i64
  %1 = complex.powi %z, %n fastmath<fast> {a = 1 : i32} : complex<f32>, i64
  return
}
