// Affine maps and integer sets: simplification, printing and aliases.

// RUN: freehold opt %s --allow-unregistered-dialect | freehold opt --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-op-generic | freehold opt --allow-unregistered-dialect | FileCheck %s

// Aliases are numbered in the order in which they are printed.
// CHECK: #map = affine_map<(d0, d1)[s0, s1] -> (d0 + d1 * 2 - s0, (d0 + 1) floordiv 4, (d1 ceildiv 3) mod 7, -d0, 3, s0 * s1, d0 * s0, -(d0 + d1), d0 - d1 * 2, -d0 + 5, d0 mod 8 + 3)>
#terms = affine_map<(d0, d1)[s0, s1] -> (d0 + d1 * 2 - s0, (d0 + 1) floordiv 4, d1 ceildiv 3 mod 7, -d0, 3, s0 * s1, d0 * s0, -(d0 + d1), d0 - 2 * d1, 5 - d0, d0 mod 8 + 3)>
// CHECK: #map1 = affine_map<() -> ()>
#nothing = affine_map<() -> ()>
// CHECK: #map2 = affine_map<()[s0] -> (s0)>
#symbol = affine_map<()[s0] -> (s0)>
// CHECK: #map3 = affine_map<(d0, d1) -> (d1, d0)>
#swap = affine_map<(i, j) -> (j, i)>
// CHECK: #map4 = affine_map<(d0) -> (d0 * 2, d0 * 4, d0, 0, 0, 0, d0, d0, d0, 0, d0 * 2, d0 mod 4, d0 + 2, 3, -4, 1, 4, d0 mod 4)>
#folded = affine_map<(d0) -> (d0 + d0, d0 + d0 * 3, (d0 * 4) floordiv 4, (d0 * 8) mod 4, d0 * 0, 0 * d0, d0 + 0, 1 * d0, d0 floordiv 1, d0 mod 1, d0 * 6 floordiv 3, (d0 + 8) mod 4, (d0 * 4 + 8) floordiv 4, 7 floordiv 2, -7 floordiv 2, -7 mod 4, 7 ceildiv 2, d0 - (d0 floordiv 4) * 4)>
// CHECK: #set = affine_set<(d0)[s0] : (d0 - 1 == 0, d0 * 2 - s0 >= 0, -d0 + 10 >= 0, d0 - s0 == 0)>
#bounds = affine_set<(d0)[s0] : (d0 - 1 == 0, d0 * 2 >= s0, d0 <= 10, d0 == s0)>
// CHECK: #set1 = affine_set<() : (0 == 0)>
#all = affine_set<() : ()>
// CHECK: #set2 = affine_set<(d0) : (1 == 0)>
#none = affine_set<(d0) : (1 == 0)>

// CHECK-LABEL: "affine_text.aliases"
// CHECK-SAME:  a = #map, b = #map1, c = #map2, d = #map3, e = #set, f = #set1, g = #set2, h = [#map, #map3], i = #map4
"affine_text.aliases"() {a = #terms, b = #nothing, c = #symbol, d = #swap, e = #bounds, f = #all, g = #none, h = [#terms, #swap], i = #folded} : () -> ()

// CHECK-LABEL: "affine_text.in_types"
// CHECK-SAME:  a = memref<4x4xf32, #map3>
// CHECK-SAME:  () -> memref<4x4xf32, #map5>
"affine_text.in_types"() {a = memref<4x4xf32, #swap>} : () -> (memref<4x4xf32, affine_map<(a, b) -> (a + b)>>)
