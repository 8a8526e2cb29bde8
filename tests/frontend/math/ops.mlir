// Every operation of math in custom form: printed as mlir-opt prints it, and the same after a
// detour through the generic form.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @floats
func.func @floats(%x: f32, %y: f32, %v: vector<4xf64>, %i: i32, %w: vector<4xi8>) {
  // CHECK: math.absf %{{[^ ,)]+}} : f32
  %0 = math.absf %x : f32
  // CHECK: math.acos %{{[^ ,)]+}} : f32
  %1 = math.acos %x : f32
  // CHECK: math.acosh %{{[^ ,)]+}} : f32
  %2 = math.acosh %x : f32
  // CHECK: math.asin %{{[^ ,)]+}} : f32
  %3 = math.asin %x : f32
  // CHECK: math.asinh %{{[^ ,)]+}} : f32
  %4 = math.asinh %x : f32
  // CHECK: math.atan %{{[^ ,)]+}} : f32
  %5 = math.atan %x : f32
  // CHECK: math.atanh %{{[^ ,)]+}} : f32
  %6 = math.atanh %x : f32
  // CHECK: math.cbrt %{{[^ ,)]+}} : f32
  %7 = math.cbrt %x : f32
  // CHECK: math.ceil %{{[^ ,)]+}} : f32
  %8 = math.ceil %x : f32
  // CHECK: math.cos %{{[^ ,)]+}} : f32
  %9 = math.cos %x : f32
  // CHECK: math.cosh %{{[^ ,)]+}} : f32
  %10 = math.cosh %x : f32
  // CHECK: math.sin %{{[^ ,)]+}} : f32
  %11 = math.sin %x : f32
  // CHECK: math.sinh %{{[^ ,)]+}} : f32
  %12 = math.sinh %x : f32
  // CHECK: math.erf %{{[^ ,)]+}} : f32
  %13 = math.erf %x : f32
  // CHECK: math.exp %{{[^ ,)]+}} : f32
  %14 = math.exp %x : f32
  // CHECK: math.exp2 %{{[^ ,)]+}} : f32
  %15 = math.exp2 %x : f32
  // CHECK: math.expm1 %{{[^ ,)]+}} : f32
  %16 = math.expm1 %x : f32
  // CHECK: math.floor %{{[^ ,)]+}} : f32
  %17 = math.floor %x : f32
  // CHECK: math.log %{{[^ ,)]+}} : f32
  %18 = math.log %x : f32
  // CHECK: math.log10 %{{[^ ,)]+}} : f32
  %19 = math.log10 %x : f32
  // CHECK: math.log1p %{{[^ ,)]+}} : f32
  %20 = math.log1p %x : f32
  // CHECK: math.log2 %{{[^ ,)]+}} : f32
  %21 = math.log2 %x : f32
  // CHECK: math.rsqrt %{{[^ ,)]+}} : f32
  %22 = math.rsqrt %x : f32
  // CHECK: math.sqrt %{{[^ ,)]+}} : f32
  %23 = math.sqrt %x : f32
  // CHECK: math.tan %{{[^ ,)]+}} : f32
  %24 = math.tan %x : f32
  // CHECK: math.tanh %{{[^ ,)]+}} : f32
  %25 = math.tanh %x : f32
  // CHECK: math.roundeven %{{[^ ,)]+}} : f32
  %26 = math.roundeven %x : f32
  // CHECK: math.round %{{[^ ,)]+}} : f32
  %27 = math.round %x : f32
  // CHECK: math.trunc %{{[^ ,)]+}} : f32
  %28 = math.trunc %x : f32
  // CHECK: math.exp %{{[^ ,)]+}} fastmath<fast> {note} : vector<4xf64>
  %30 = math.exp %v fastmath<fast> {note} : vector<4xf64>
  // CHECK: math.atan2 %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %31 = math.atan2 %x, %y : f32
  // CHECK: math.copysign %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<nnan> : f32
  %32 = math.copysign %x, %y fastmath<nnan> : f32
  // CHECK: math.powf %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<4xf64>
  %33 = math.powf %v, %v : vector<4xf64>
  // CHECK: math.fma %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %34 = math.fma %x, %y, %x : f32
  // CHECK: math.fpowi %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32, i32
  %35 = math.fpowi %x, %i : f32, i32
  // CHECK: math.fpowi %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<fast> : vector<4xf64>, vector<4xi8>
  %36 = math.fpowi %v, %w fastmath<fast> : vector<4xf64>, vector<4xi8>
  return
}

// CHECK-LABEL: func.func @integers
func.func @integers(%i: i32, %v: vector<4xindex>) {
  // CHECK: math.absi %{{[^ ,)]+}} : i32
  %0 = math.absi %i : i32
  // CHECK: math.ctlz %{{[^ ,)]+}} : i32
  %1 = math.ctlz %i : i32
  // CHECK: math.cttz %{{[^ ,)]+}} : vector<4xindex>
  %2 = math.cttz %v : vector<4xindex>
  // CHECK: math.ctpop %{{[^ ,)]+}} {note} : i32
  %3 = math.ctpop %i {note} : i32
  // CHECK: math.ipowi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %4 = math.ipowi %i, %i : i32
  return
}
