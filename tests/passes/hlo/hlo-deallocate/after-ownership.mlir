// Functions that call what an earlier run made return flags were made to free everything by that run, and are left as they
// are.
//
// RUN: freehold opt %s --pass-pipeline='builtin.module(buffer-deallocation-pipeline{private-function-dynamic-ownership=true},hlo-deallocation-pipeline)' | FileCheck %s
// RUN: freehold opt %s --pass-pipeline='builtin.module(buffer-deallocation-pipeline{private-function-dynamic-ownership=true},hlo-deallocation-pipeline)' | freehold interpret - | FileCheck %s --check-prefix=RESULT
//
// CHECK-LABEL: func.func private @same
// CHECK-LABEL: func.func @main() -> memref<5xf32> {
// CHECK-NOT: deallocation.
// RESULT: result #0: 5xf32 = [2.0, 2.0, 2.0, 2.0, 2.0]
func.func private @same(%x: memref<5xf32>) -> memref<5xf32> {
  %c1 = arith.constant 1 : index
  %v = memref.load %x[%c1] : memref<5xf32>
  %c0 = arith.constant 0 : index
  memref.store %v, %x[%c0] : memref<5xf32>
  return %x : memref<5xf32>
}
func.func @main() -> memref<5xf32> {
  %cst = arith.constant 2.0 : f32
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<5xf32>
  linalg.fill ins(%cst : f32) outs(%a : memref<5xf32>)
  %r = call @same(%a) : (memref<5xf32>) -> memref<5xf32>
  memref.store %cst, %r[%c1] : memref<5xf32>
  return %r : memref<5xf32>
}
