// Who frees one buffer itself has no copies of others: a store through a name that a call returned is seen through the
// other one.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s --dealloc=hlo | FileCheck %s

// CHECK: 5, 0
func.func @twice(%i: index, %x: memref<2xf32>) -> (memref<2xf32>, memref<2xf32>) {
  return %x, %x : memref<2xf32>, memref<2xf32>
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5.0 : f32
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<2xf32>
  linalg.fill ins(%five : f32) outs(%a : memref<2xf32>)
  %b = memref.alloc() : memref<2xf32>
  %v = memref.load %a[%c0] : memref<2xf32>
  linalg.fill ins(%v : f32) outs(%b : memref<2xf32>)
  memref.dealloc %a : memref<2xf32>
  %f = constant @twice : (index, memref<2xf32>) -> (memref<2xf32>, memref<2xf32>)
  %r:2 = call_indirect %f(%c1, %b) : (index, memref<2xf32>) -> (memref<2xf32>, memref<2xf32>)
  memref.store %zero, %r#1[%c1] : memref<2xf32>
  %p = vector.load %b[%c0] : memref<2xf32>, vector<2xf32>
  vector.print %p : vector<2xf32>
  return
}
