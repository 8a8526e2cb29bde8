// Every operation of complex in custom form: printed as mlir-opt prints it, and the same after a
// detour through the generic form.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @complex
func.func @complex(%a: complex<f32>, %b: complex<f32>, %x: f64) {
  // CHECK: complex.conj %{{[^ ,)]+}} : complex<f32>
  %0 = complex.conj %a : complex<f32>
  // CHECK: complex.cos %{{[^ ,)]+}} : complex<f32>
  %1 = complex.cos %a : complex<f32>
  // CHECK: complex.exp %{{[^ ,)]+}} : complex<f32>
  %2 = complex.exp %a : complex<f32>
  // CHECK: complex.expm1 %{{[^ ,)]+}} : complex<f32>
  %3 = complex.expm1 %a : complex<f32>
  // CHECK: complex.log %{{[^ ,)]+}} : complex<f32>
  %4 = complex.log %a : complex<f32>
  // CHECK: complex.log1p %{{[^ ,)]+}} : complex<f32>
  %5 = complex.log1p %a : complex<f32>
  // CHECK: complex.neg %{{[^ ,)]+}} : complex<f32>
  %6 = complex.neg %a : complex<f32>
  // CHECK: complex.rsqrt %{{[^ ,)]+}} : complex<f32>
  %7 = complex.rsqrt %a : complex<f32>
  // CHECK: complex.sign %{{[^ ,)]+}} : complex<f32>
  %8 = complex.sign %a : complex<f32>
  // CHECK: complex.sin %{{[^ ,)]+}} : complex<f32>
  %9 = complex.sin %a : complex<f32>
  // CHECK: complex.sqrt %{{[^ ,)]+}} : complex<f32>
  %10 = complex.sqrt %a : complex<f32>
  // CHECK: complex.tan %{{[^ ,)]+}} : complex<f32>
  %11 = complex.tan %a : complex<f32>
  // CHECK: complex.tanh %{{[^ ,)]+}} : complex<f32>
  %12 = complex.tanh %a : complex<f32>
  // CHECK: complex.add %{{[^ ,)]+}}, %{{[^ ,)]+}} : complex<f32>
  %14 = complex.add %a, %b : complex<f32>
  // CHECK: complex.sub %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<fast> : complex<f32>
  %15 = complex.sub %a, %b fastmath<fast> : complex<f32>
  // CHECK: complex.mul %{{[^ ,)]+}}, %{{[^ ,)]+}} : complex<f32>
  %16 = complex.mul %a, %b : complex<f32>
  // CHECK: complex.div %{{[^ ,)]+}}, %{{[^ ,)]+}} : complex<f32>
  %17 = complex.div %a, %b : complex<f32>
  // CHECK: complex.pow %{{[^ ,)]+}}, %{{[^ ,)]+}} : complex<f32>
  %18 = complex.pow %a, %b : complex<f32>
  // CHECK: complex.atan2 %{{[^ ,)]+}}, %{{[^ ,)]+}} {note} : complex<f32>
  %19 = complex.atan2 %a, %b {note} : complex<f32>
  // CHECK: complex.abs %{{[^ ,)]+}} : complex<f32>
  %20 = complex.abs %a : complex<f32>
  // CHECK: complex.angle %{{[^ ,)]+}} fastmath<nnan> : complex<f32>
  %21 = complex.angle %a fastmath<nnan> : complex<f32>
  // CHECK: complex.re %{{[^ ,)]+}} : complex<f32>
  %22 = complex.re %a : complex<f32>
  // CHECK: complex.im %{{[^ ,)]+}} : complex<f32>
  %23 = complex.im %a : complex<f32>
  // CHECK: complex.eq %{{[^ ,)]+}}, %{{[^ ,)]+}} : complex<f32>
  %24 = complex.eq %a, %b : complex<f32>
  // CHECK: complex.neq %{{[^ ,)]+}}, %{{[^ ,)]+}} : complex<f32>
  %25 = complex.neq %a, %b : complex<f32>
  // CHECK: complex.create %{{[^ ,)]+}}, %{{[^ ,)]+}} : complex<f64>
  %26 = complex.create %x, %x : complex<f64>
  // CHECK: complex.bitcast %{{[^ ,)]+}} : complex<f32> to i64
  %27 = complex.bitcast %a : complex<f32> to i64
  // CHECK: %cst = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
  %cst = complex.constant [1.000000e+00 : f32, 0.000000e+00 : f32] : complex<f32>
  // CHECK: %cst_0 = complex.constant [1.000000e+00, 2.000000e+00] {note} : complex<f64>
  %cst_0 = complex.constant [1.000000e+00, 2.000000e+00] {note} : complex<f64>
  return
}
