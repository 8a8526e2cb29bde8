// Functions whose frees were lowered already stay as they are under hlo, and so do the signatures of what they call.

// RUN: freehold opt %s --buffer-deallocation-pipeline=lowering=runtime | freehold run - --dealloc=hlo --check | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=lowering=runtime | freehold run - -O0 --dealloc=hlo --check | FileCheck %s
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s

func.func private @view(%x: i64) -> (memref<2xi64, strided<[1], offset: 2>>, memref<4xi64>) attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<4xi64>)
  %v = memref.subview %a[2] [2] [1] : memref<4xi64> to memref<2xi64, strided<[1], offset: 2>>
  return %v, %a : memref<2xi64, strided<[1], offset: 2>>, memref<4xi64>
}

func.func private @twice(%m: memref<4xi64>, %x: i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>) attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  %b = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<4xi64>)
  memref.copy %m, %b : memref<4xi64> to memref<4xi64>
  return %a, %a, %b : memref<4xi64>, memref<4xi64>, memref<4xi64>
}

// CHECK: 40
// CHECK-NEXT: 7
func.func @main() {
  %c0 = arith.constant 0 : index
  %n = arith.constant 40 : i64
  %m = arith.constant 7 : i64
  %r:2 = call @view(%n) : (i64) -> (memref<2xi64, strided<[1], offset: 2>>, memref<4xi64>)
  %s:3 = call @twice(%r#1, %m) : (memref<4xi64>, i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>)
  %t:3 = call @twice(%s#2, %m) : (memref<4xi64>, i64) -> (memref<4xi64>, memref<4xi64>, memref<4xi64>)
  %x = memref.load %t#2[%c0] : memref<4xi64>
  vector.print %x : i64
  %y = memref.load %t#1[%c0] : memref<4xi64>
  vector.print %y : i64
  return
}
