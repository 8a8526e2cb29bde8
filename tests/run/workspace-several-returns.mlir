// A buffer that is another result at each return does not share the argument of one of them.

// RUN: freehold opt %s --native-pipeline="workspace=static optimize=false" | freehold run - --dealloc=none --check | FileCheck %s
// RUN: freehold run %s --check | FileCheck %s

func.func private @two(%c: i1) -> (memref<4xi64>, memref<4xi64>) attributes {no_inline} {
  %x = arith.constant 29 : i64
  %y = arith.constant 44 : i64
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<4xi64>)
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%y : i64) outs(%b : memref<4xi64>)
  cf.cond_br %c, ^left, ^right
^left:
  return %a, %b : memref<4xi64>, memref<4xi64>
^right:
  return %b, %b : memref<4xi64>, memref<4xi64>
}

// CHECK: 29
// CHECK-NEXT: 44
func.func @main() {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %r:2 = call @two(%true) : (i1) -> (memref<4xi64>, memref<4xi64>)
  %x = memref.load %r#0[%c0] : memref<4xi64>
  vector.print %x : i64
  %y = memref.load %r#1[%c0] : memref<4xi64>
  vector.print %y : i64
  return
}
