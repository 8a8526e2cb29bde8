// RUN: freehold opt %s --fuse-multiply-add | FileCheck %s
// RUN: freehold opt %s --fuse-multiply-add="fp=contract" | FileCheck %s --check-prefix=ALL

// Both must have the flag.
// CHECK-LABEL: func.func @flags
// CHECK:         %[[S:.*]] = math.fma %arg0, %arg1, %arg2 fastmath<contract> : f32
// CHECK-NEXT:    %[[P:.*]] = arith.mulf %arg0, %arg2 : f32
// CHECK-NEXT:    %[[T:.*]] = arith.addf %[[P]], %[[S]] fastmath<contract> : f32
// CHECK-NEXT:    return %[[T]]
// ALL-LABEL: func.func @flags
// ALL:         %[[S:.*]] = math.fma %arg0, %arg1, %arg2 fastmath<contract> : f32
// ALL-NEXT:    %[[T:.*]] = math.fma %arg0, %arg2, %[[S]] fastmath<contract> : f32
func.func @flags(%a: f32, %b: f32, %c: f32) -> f32 {
  %p = arith.mulf %a, %b fastmath<contract> : f32
  %s = arith.addf %p, %c fastmath<contract> : f32
  %q = arith.mulf %a, %c : f32
  %t = arith.addf %q, %s fastmath<contract> : f32
  return %t : f32
}

// Differences: a negation is exact.
// ALL-LABEL: func.func @differences
// ALL:         %[[C:.*]] = arith.negf %arg2 : vector<4xf64>
// ALL-NEXT:    %[[S:.*]] = math.fma %arg0, %arg1, %[[C]] : vector<4xf64>
// ALL-NEXT:    %[[A:.*]] = arith.negf %arg0 : vector<4xf64>
// ALL-NEXT:    math.fma %[[A]], %arg2, %[[S]] : vector<4xf64>
func.func @differences(%a: vector<4xf64>, %b: vector<4xf64>, %c: vector<4xf64>) -> vector<4xf64> {
  %p = arith.mulf %a, %b : vector<4xf64>
  %s = arith.subf %p, %c : vector<4xf64>
  %q = arith.mulf %a, %c : vector<4xf64>
  %t = arith.subf %s, %q : vector<4xf64>
  return %t : vector<4xf64>
}

// Products that others use stay, and so do halves.
// ALL-LABEL: func.func @none
// ALL-NOT:     math.fma
func.func @none(%a: f32, %b: f32, %h: f16) -> (f32, f32, f16) {
  %p = arith.mulf %a, %b : f32
  %s = arith.addf %p, %b : f32
  %x = arith.mulf %h, %h : f16
  %y = arith.addf %x, %h : f16
  return %p, %s, %y : f32, f32, f16
}

// Flags of the sum stay, so that loops may still add up in several lanes.
// ALL-LABEL: func.func @any_order
// ALL:         math.fma %arg0, %arg0, %arg1 fastmath<reassoc> : f32
func.func @any_order(%a: f32, %b: f32) -> f32 {
  %q = arith.mulf %a, %a fastmath<nnan> : f32
  %r = arith.addf %q, %b fastmath<reassoc> : f32
  return %r : f32
}

// Products of vectors have no flags: the policy decides. Largest values, integers and halves stay.
// CHECK-LABEL: func.func @products
// CHECK-NOT:     fused_products
// ALL-LABEL: func.func @products
// ALL:         vector.outerproduct %arg0, %arg1, %arg2 {freehold.fused_products}
// ALL:         vector.contract {{.*}} {freehold.fused_products}
// ALL-NOT:     fused_products
func.func @products(%a: vector<2xf32>, %b: vector<4xf32>, %c: vector<2x4xf32>, %i: vector<2xi32>, %j: vector<4xi32>, %k: vector<2x4xi32>, %h: vector<2xf16>, %g: vector<4xf16>, %f: vector<2x4xf16>) -> (vector<2x4xf32>, f32, vector<2x4xf32>, vector<2x4xi32>, vector<2x4xf16>, vector<2x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %o = vector.outerproduct %a, %b, %c : vector<2xf32>, vector<4xf32>
  %d = vector.contract {indexing_maps = [affine_map<(k) -> (k)>, affine_map<(k) -> (k)>, affine_map<(k) -> ()>], iterator_types = ["reduction"]} %b, %b, %zero : vector<4xf32>, vector<4xf32> into f32
  %m = vector.outerproduct %a, %b, %c {kind = #vector.kind<maximumf>} : vector<2xf32>, vector<4xf32>
  %n = vector.outerproduct %i, %j, %k : vector<2xi32>, vector<4xi32>
  %p = vector.outerproduct %h, %g, %f : vector<2xf16>, vector<4xf16>
  %q = vector.outerproduct %a, %b : vector<2xf32>, vector<4xf32>
  return %o, %d, %m, %n, %p, %q : vector<2x4xf32>, f32, vector<2x4xf32>, vector<2x4xi32>, vector<2x4xf16>, vector<2x4xf32>
}
