// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @poison
// CHECK-NEXT:    %{{.*}} = ub.poison : i32
// CHECK-NEXT:    %{{.*}} = ub.poison {note} : memref<4xf32>
// CHECK-NEXT:    %{{.*}} = ub.poison : vector<4xi64>
// GENERIC:     %{{.*}} = "ub.poison"() <{value = #ub.poison}> : () -> i32
// GENERIC:     %{{.*}} = "ub.poison"() <{value = #ub.poison}> {note} : () -> memref<4xf32>
func.func @poison() {
  %a = ub.poison : i32
  %b = ub.poison {note} : memref<4xf32>
  %c = ub.poison <#ub.poison> : vector<4xi64>
  return
}
