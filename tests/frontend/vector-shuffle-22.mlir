// The places of elements that are shuffled are an array of plain numbers in MLIR 22's generic form.
// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s --mlir-version=19 --mlir-print-op-generic | FileCheck %s --check-prefix=V19
// RUN: freehold opt %s --mlir-version=22 --mlir-print-op-generic | FileCheck %s --check-prefix=V22
// RUN: freehold opt %s --mlir-version=19 --mlir-print-op-generic | freehold opt - --mlir-version=22 --mlir-print-op-generic \
// RUN:   | FileCheck %s --check-prefix=V22

// CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 3, 5] : vector<4xf32>, vector<4xf32>
// V19: <{mask = [0, 3, 5]}>
// V22: <{mask = array<i64: 0, 3, 5>}>
func.func @places(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<3xf32> {
  %c = "vector.shuffle"(%a, %b) <{mask = array<i64: 0, 3, 5>}> : (vector<4xf32>, vector<4xf32>) -> vector<3xf32>
  return %c : vector<3xf32>
}
