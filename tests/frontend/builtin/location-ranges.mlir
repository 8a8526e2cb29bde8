// Locations of MLIR 22 may say where they end, as JAX writes them. They are where they begin.

// RUN: freehold opt %s --mlir-print-debuginfo | FileCheck %s

// CHECK-DAG: loc("a.py":1:2)
// CHECK-DAG: loc("b.py":3:4)
func.func @f() {
  return loc("b.py":3:4 to 5:6)
} loc("a.py":1:2 to :9)
