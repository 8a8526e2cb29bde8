// A buffer that is returned twice is one buffer to callers in the module where results become arguments.

// RUN: freehold opt %s --native-pipeline=workspace=static | freehold run - --dealloc=none --check | FileCheck %s
// RUN: freehold opt %s --native-pipeline="workspace=static optimize=false" | freehold run - --dealloc=none --check | FileCheck %s
// RUN: freehold opt %s --native-pipeline="workspace=static dealloc=clone" | freehold run - --dealloc=none --check | FileCheck %s
// RUN: freehold opt %s --native-pipeline="workspace=static dealloc=copy" | freehold run - --dealloc=none --check | FileCheck %s
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s -O0 --check | FileCheck %s

func.func private @twice(%v: i64) -> (memref<4xi64>, memref<4xi64>) attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%v : i64) outs(%a : memref<4xi64>)
  return %a, %a : memref<4xi64>, memref<4xi64>
}

// CHECK: 9
func.func @main() {
  %c0 = arith.constant 0 : index
  %x5 = arith.constant 5 : i64
  %x9 = arith.constant 9 : i64
  %a:2 = call @twice(%x5) : (i64) -> (memref<4xi64>, memref<4xi64>)
  memref.store %x9, %a#0[%c0] : memref<4xi64>
  %v = memref.load %a#1[%c0] : memref<4xi64>
  vector.print %v : i64
  return
}
