// Every operation of arith in custom form: printed as mlir-opt prints it, and the same after a
// detour through the generic form.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @constants
func.func @constants() {
  // CHECK: %c1 = arith.constant 1 : index
  %c1 = arith.constant 1 : index
  %c-7_i32 = arith.constant -7 : i32
  // CHECK: %true = arith.constant true
  %true = arith.constant true
  // CHECK: %false = arith.constant false
  %false = arith.constant false
  // CHECK: %cst = arith.constant 1.500000e+00 : f32
  %cst = arith.constant 1.500000e+00 : f32
  // CHECK: %cst_0 = arith.constant 0x7FC00000 : f32
  %cst_0 = arith.constant 0x7FC00000 : f32
  // CHECK: %cst_1 = arith.constant dense<[1, 2, 3]> : vector<3xi8>
  %cst_1 = arith.constant dense<[1, 2, 3]> : vector<3xi8>
  // CHECK: %cst_2 = arith.constant dense<1.000000e+00> : tensor<2x2xf64>
  %cst_2 = arith.constant dense<1.000000e+00> : tensor<2x2xf64>
  // CHECK: %c5_i17 = arith.constant {note = 1 : i64} 5 : i17
  %c5_i17 = arith.constant {note = 1 : i64} 5 : i17
  return
}

// CHECK-LABEL: func.func @integers
func.func @integers(%a: i32, %b: i32, %v: vector<4xi8>, %t: tensor<?x4xindex>) {
  // CHECK: arith.addi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %0 = arith.addi %a, %b : i32
  // CHECK: arith.addi %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nsw> : i32
  %1 = arith.addi %a, %b overflow<nsw> : i32
  // CHECK: arith.addi %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nsw, nuw> {note} : i32
  %2 = arith.addi %a, %b overflow<nsw, nuw> {note} : i32
  // CHECK: %sum, %overflow = arith.addui_extended %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32, i1
  %sum, %overflow = arith.addui_extended %a, %b : i32, i1
  // CHECK: %sum_0, %overflow_1 = arith.addui_extended %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<4xi8>, vector<4xi1>
  %sum_0, %overflow_1 = arith.addui_extended %v, %v : vector<4xi8>, vector<4xi1>
  // CHECK: arith.subi %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nuw> : vector<4xi8>
  %3 = arith.subi %v, %v overflow<nuw> : vector<4xi8>
  // CHECK: arith.muli %{{[^ ,)]+}}, %{{[^ ,)]+}} : tensor<?x4xindex>
  %4 = arith.muli %t, %t : tensor<?x4xindex>
  // CHECK: %low, %high = arith.mulsi_extended %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %low, %high = arith.mulsi_extended %a, %b : i32
  // CHECK: %low_2, %high_3 = arith.mului_extended %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %low_2, %high_3 = arith.mului_extended %a, %b : i32
  // CHECK: arith.divui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %5 = arith.divui %a, %b : i32
  // CHECK: arith.divsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %6 = arith.divsi %a, %b : i32
  // CHECK: arith.ceildivui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %7 = arith.ceildivui %a, %b : i32
  // CHECK: arith.ceildivsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %8 = arith.ceildivsi %a, %b : i32
  // CHECK: arith.floordivsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %9 = arith.floordivsi %a, %b : i32
  // CHECK: arith.remui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %10 = arith.remui %a, %b : i32
  // CHECK: arith.remsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %11 = arith.remsi %a, %b : i32
  // CHECK: arith.andi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %12 = arith.andi %a, %b : i32
  // CHECK: arith.ori %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %13 = arith.ori %a, %b : i32
  // CHECK: arith.xori %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %14 = arith.xori %a, %b : i32
  // CHECK: arith.shli %{{[^ ,)]+}}, %{{[^ ,)]+}} overflow<nsw> : i32
  %15 = arith.shli %a, %b overflow<nsw> : i32
  // CHECK: arith.shrui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %16 = arith.shrui %a, %b : i32
  // CHECK: arith.shrsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %17 = arith.shrsi %a, %b : i32
  // CHECK: arith.maxsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %18 = arith.maxsi %a, %b : i32
  // CHECK: arith.maxui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %19 = arith.maxui %a, %b : i32
  // CHECK: arith.minsi %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %20 = arith.minsi %a, %b : i32
  // CHECK: arith.minui %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %21 = arith.minui %a, %b : i32
  return
}

// CHECK-LABEL: func.func @floats
func.func @floats(%a: f32, %b: f32, %v: vector<[4]xf16>) {
  // CHECK: arith.negf %{{[^ ,)]+}} : f32
  %0 = arith.negf %a : f32
  // CHECK: arith.addf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<fast> : f32
  %1 = arith.addf %a, %b fastmath<fast> : f32
  // CHECK: arith.subf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<nnan,contract> {note = "x"} : f32
  %2 = arith.subf %a, %b fastmath<nnan,contract> {note = "x"} : f32
  // CHECK: arith.mulf %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<[4]xf16>
  %3 = arith.mulf %v, %v : vector<[4]xf16>
  // CHECK: arith.divf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %4 = arith.divf %a, %b : f32
  // CHECK: arith.remf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %5 = arith.remf %a, %b : f32
  // CHECK: arith.maximumf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %6 = arith.maximumf %a, %b : f32
  // CHECK: arith.maxnumf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %7 = arith.maxnumf %a, %b : f32
  // CHECK: arith.minimumf %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %8 = arith.minimumf %a, %b : f32
  // CHECK: arith.minnumf %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<afn> : f32
  %9 = arith.minnumf %a, %b fastmath<afn> : f32
  return
}

// CHECK-LABEL: func.func @casts
func.func @casts(%i: i32, %f: f32, %x: index, %v: vector<2xi8>, %m: memref<4xi32>) {
  // CHECK: arith.extui %{{[^ ,)]+}} : i32 to i64
  %0 = arith.extui %i : i32 to i64
  // CHECK: arith.extsi %{{[^ ,)]+}} : vector<2xi8> to vector<2xi16>
  %1 = arith.extsi %v : vector<2xi8> to vector<2xi16>
  // CHECK: arith.trunci %{{[^ ,)]+}} : i32 to i1
  %2 = arith.trunci %i : i32 to i1
  // CHECK: arith.extf %{{[^ ,)]+}} fastmath<contract> : f32 to f64
  %3 = arith.extf %f fastmath<contract> : f32 to f64
  // CHECK: arith.truncf %{{[^ ,)]+}} : f32 to bf16
  %4 = arith.truncf %f : f32 to bf16
  // CHECK: arith.truncf %{{[^ ,)]+}} to_nearest_even fastmath<fast> : f32 to f16
  %5 = arith.truncf %f to_nearest_even fastmath<fast> : f32 to f16
  // CHECK: arith.truncf %{{[^ ,)]+}} toward_zero : f32 to f16
  %6 = arith.truncf %f toward_zero : f32 to f16
  // CHECK: arith.uitofp %{{[^ ,)]+}} : i32 to f32
  %7 = arith.uitofp %i : i32 to f32
  // CHECK: arith.sitofp %{{[^ ,)]+}} : vector<2xi8> to vector<2xf16>
  %8 = arith.sitofp %v : vector<2xi8> to vector<2xf16>
  // CHECK: arith.fptoui %{{[^ ,)]+}} : f32 to i8
  %9 = arith.fptoui %f : f32 to i8
  // CHECK: arith.fptosi %{{[^ ,)]+}} : f32 to i128
  %10 = arith.fptosi %f : f32 to i128
  // CHECK: arith.index_cast %{{[^ ,)]+}} : index to i32
  %11 = arith.index_cast %x : index to i32
  // CHECK: arith.index_castui %{{[^ ,)]+}} : i32 to index
  %12 = arith.index_castui %i : i32 to index
  // CHECK: arith.bitcast %{{[^ ,)]+}} : f32 to i32
  %13 = arith.bitcast %f : f32 to i32
  // CHECK: arith.index_cast %{{[^ ,)]+}} : memref<4xi32> to memref<4xindex>
  %14 = arith.index_cast %m : memref<4xi32> to memref<4xindex>
  return
}

// CHECK-LABEL: func.func @comparisons
func.func @comparisons(%i: i32, %f: f32, %c: i1, %v: vector<4xf32>, %m: vector<4xi1>, %b: memref<4xf32>) {
  // CHECK: arith.cmpi slt, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %0 = arith.cmpi slt, %i, %i : i32
  // CHECK: arith.cmpi uge, %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<4xi1>
  %1 = arith.cmpi uge, %m, %m : vector<4xi1>
  // CHECK: arith.cmpf oeq, %{{[^ ,)]+}}, %{{[^ ,)]+}} : f32
  %2 = arith.cmpf oeq, %f, %f : f32
  // CHECK: arith.cmpf true, %{{[^ ,)]+}}, %{{[^ ,)]+}} fastmath<ninf> : vector<4xf32>
  %3 = arith.cmpf true, %v, %v fastmath<ninf> : vector<4xf32>
  // CHECK: arith.select %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : i32
  %4 = arith.select %c, %i, %i : i32
  // CHECK: arith.select %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : vector<4xi1>, vector<4xf32>
  %5 = arith.select %m, %v, %v : vector<4xi1>, vector<4xf32>
  // CHECK: arith.select %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} {note} : vector<4xf32>
  %6 = arith.select %c, %v, %v {note} : vector<4xf32>
  // CHECK: arith.select %{{[^ ,)]+}}, %{{[^ ,)]+}}, %{{[^ ,)]+}} : memref<4xf32>
  %7 = arith.select %c, %b, %b : memref<4xf32>
  return
}
