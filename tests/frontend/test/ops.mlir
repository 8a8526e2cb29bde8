// The operations that only tests use.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @memory
// CHECK-SAME:      (%[[A:.*]]: memref<4xf32>)
// CHECK-NEXT:    %[[B:.*]] = test.alloc : memref<4xf32>
// CHECK-NEXT:    test.copy(%[[A]], %[[B]]) : (memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:    test.memref_user(%[[A]], %[[B]]) {note} : (memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:    return
func.func @memory(%a: memref<4xf32>) {
  %b = test.alloc : memref<4xf32>
  test.copy(%a, %b) : (memref<4xf32>, memref<4xf32>)
  test.memref_user(%a, %b) {note} : (memref<4xf32>, memref<4xf32>)
  return
}

// CHECK-LABEL: func.func @region_if
// CHECK-SAME:      (%[[A:.*]]: memref<4xf32>)
// CHECK-NEXT:    %[[R:.*]] = test.region_if %[[A]] : memref<4xf32> -> (memref<4xf32>) then {
// CHECK-NEXT:    ^bb0(%[[X:.*]]: memref<4xf32>):
// CHECK-NEXT:      test.region_if_yield %[[X]] : memref<4xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:    ^bb0(%[[Y:.*]]: memref<4xf32>):
// CHECK-NEXT:      test.region_if_yield %[[Y]] : memref<4xf32>
// CHECK-NEXT:    } join {
// CHECK-NEXT:    ^bb0(%[[Z:.*]]: memref<4xf32>):
// CHECK-NEXT:      test.region_if_yield %[[Z]] : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]] : memref<4xf32>
func.func @region_if(%a: memref<4xf32>) -> memref<4xf32> {
  %r = test.region_if %a : memref<4xf32> -> (memref<4xf32>) then {
  ^bb0(%x: memref<4xf32>):
    test.region_if_yield %x : memref<4xf32>
  } else {
  ^bb0(%x: memref<4xf32>):
    test.region_if_yield %x : memref<4xf32>
  } join {
  ^bb0(%x: memref<4xf32>):
    test.region_if_yield %x : memref<4xf32>
  }
  return %r : memref<4xf32>
}
