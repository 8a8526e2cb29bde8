// RUN: freehold opt %s --buffer-results-to-out-params="hoist-static-allocs hoist-dynamic-allocs check-sizes" --split-input-file --allow-unregistered-dialect | FileCheck %s

// Sizes that callers know are theirs to get right.
// CHECK:       #[[$TWICE:.*]] = affine_map<()[s0, s1] -> (s0, s1 * 2)>
// CHECK-LABEL: func.func @hoisted(
// CHECK-SAME:    attributes {freehold.requires = {{\[\[}}#[[$TWICE]], "equal", [1, 0, 0, 0]]]}
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     cf.assert
func.func @hoisted(%a: memref<?xf32>) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %m = arith.muli %n, %c2 : index
  %r = memref.alloc(%m) : memref<?xf32>
  "test.fill"(%a, %r) : (memref<?xf32>, memref<?xf32>) -> ()
  return %r : memref<?xf32>
}

// -----

// Other sizes are asserted, before anything is written.
// CHECK-LABEL: func.func @computed(%arg0: index, %arg1: memref<?xf32>)
// CHECK-NOT:     freehold.requires
// CHECK:         %[[N:.*]] = "test.size"
// CHECK:         %[[DIM:.*]] = memref.dim %arg1
// CHECK-NEXT:    %[[EQ:.*]] = arith.cmpi eq, %[[DIM]], %[[N]] : index
// CHECK-NEXT:    cf.assert %[[EQ]], "dimension #0 of a result does not fit its argument"
// CHECK-NEXT:    "test.fill"
func.func @computed(%a: index) -> memref<?xf32> {
  %n = "test.size"(%a) : (index) -> index
  %r = memref.alloc(%n) : memref<?xf32>
  "test.fill"(%r) : (memref<?xf32>) -> ()
  return %r : memref<?xf32>
}

// -----

// Copies are as large.
// CHECK-LABEL: func.func @copied(
// CHECK-SAME:    freehold.requires = {{\[\[}}#{{.*}}, "equal", [1, 0, 0, 0]]]
// CHECK:         memref.copy %arg0, %arg1
func.func @copied(%a: memref<?xf32>) -> memref<?xf32> {
  return %a : memref<?xf32>
}
