// One buffer under several names: what is written through one is read through the others, however functions return
// it, whoever frees it, and where results become arguments.

// RUN: freehold run %s --dealloc=none -O0 | FileCheck %s
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s
// RUN: freehold run %s -O0 --dealloc=clone --check | FileCheck %s
// RUN: freehold run %s -O2 --dealloc=copy --check | FileCheck %s
// RUN: freehold opt %s --native-pipeline="workspace=static dealloc=none" | freehold run - --dealloc=none -O0 --check | FileCheck %s
// RUN: freehold opt %s --native-pipeline="workspace=static dealloc=clone optimize=false" | freehold run - --dealloc=none --check | FileCheck %s

func.func private @twice(%v: i64) -> (memref<4xi64>, memref<4xi64>) attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%v : i64) outs(%a : memref<4xi64>)
  return %a, %a : memref<4xi64>, memref<4xi64>
}

// Others may call it as it is.
func.func @given(%a: memref<4xi64>, %v: i64) -> (memref<?xi64>, memref<4xi64>, memref<4xi64>) attributes {no_inline} {
  %n = memref.alloc() : memref<4xi64>
  linalg.fill ins(%v : i64) outs(%n : memref<4xi64>)
  %c = memref.cast %a : memref<4xi64> to memref<?xi64>
  return %c, %n, %n : memref<?xi64>, memref<4xi64>, memref<4xi64>
}

// Both returns hand on the first argument, and what was called did so before.
func.func private @branches(%a: memref<4xi64>, %c: i1) -> (memref<4xi64>, memref<?xi64>) attributes {no_inline} {
  %x = arith.constant 30 : i64
  %r:3 = call @given(%a, %x) : (memref<4xi64>, i64) -> (memref<?xi64>, memref<4xi64>, memref<4xi64>)
  cf.cond_br %c, ^left, ^right
^left:
  return %r#1, %r#0 : memref<4xi64>, memref<?xi64>
^right:
  return %r#2, %r#0 : memref<4xi64>, memref<?xi64>
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %x5 = arith.constant 5 : i64
  %x9 = arith.constant 9 : i64
  %t:2 = call @twice(%x5) : (i64) -> (memref<4xi64>, memref<4xi64>)
  memref.store %x9, %t#0[%c0] : memref<4xi64>
  // CHECK: 9
  %v0 = memref.load %t#1[%c0] : memref<4xi64>
  vector.print %v0 : i64

  %g:3 = call @given(%t#1, %x5) : (memref<4xi64>, i64) -> (memref<?xi64>, memref<4xi64>, memref<4xi64>)
  memref.store %x5, %g#0[%c0] : memref<?xi64>
  memref.store %x9, %g#2[%c0] : memref<4xi64>
  // CHECK-NEXT: 5
  // CHECK-NEXT: 9
  %v1 = memref.load %t#0[%c0] : memref<4xi64>
  vector.print %v1 : i64
  %v2 = memref.load %g#1[%c0] : memref<4xi64>
  vector.print %v2 : i64

  %b:2 = call @branches(%g#1, %true) : (memref<4xi64>, i1) -> (memref<4xi64>, memref<?xi64>)
  memref.store %x5, %b#1[%c1] : memref<?xi64>
  // CHECK-NEXT: 5
  // CHECK-NEXT: 30
  %v3 = memref.load %g#2[%c1] : memref<4xi64>
  vector.print %v3 : i64
  %v4 = memref.load %b#0[%c1] : memref<4xi64>
  vector.print %v4 : i64
  return
}
