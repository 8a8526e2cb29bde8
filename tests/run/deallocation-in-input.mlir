// What a pipeline has printed is freed by owners, and every strategy leaves it as it is.

// RUN: freehold opt %s --hlo-deallocation-pipeline | freehold run - --check | FileCheck %s
// RUN: freehold opt %s --hlo-deallocation-pipeline | freehold run - --check --dealloc=hlo -O0 | FileCheck %s
// RUN: freehold opt %s --hlo-deallocation-pipeline | freehold run - --check --dealloc=clone -O1 | FileCheck %s
// RUN: freehold opt %s --hlo-deallocation-pipeline | freehold run - --check --dealloc=copy -O3 | FileCheck %s
// RUN: freehold opt %s --hlo-deallocation-pipeline | freehold run - --check --dealloc=none | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=lowering=runtime | freehold run - --check | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=lowering=runtime | freehold run - --check --dealloc=hlo | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=lowering=runtime | freehold run - --check --dealloc=clone | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=lowering=runtime | freehold run - --check --dealloc=copy -O0 | FileCheck %s
// RUN: freehold run %s --check --dealloc=hlo | FileCheck %s
// RUN: freehold run %s --check | FileCheck %s

func.func private @printI64(i64)
func.func private @printNewline()

// The result is an argument or new.
func.func private @pick(%c: i1, %m: memref<4xi64>) -> memref<4xi64> attributes {no_inline} {
  %r = scf.if %c -> memref<4xi64> {
    %n = memref.alloc() : memref<4xi64>
    %v = arith.constant 5 : i64
    linalg.fill ins(%v : i64) outs(%n : memref<4xi64>)
    scf.yield %n : memref<4xi64>
  } else {
    scf.yield %m : memref<4xi64>
  }
  return %r : memref<4xi64>
}

func.func private @make(%v: i64, %n: index) -> memref<?xi64> attributes {no_inline} {
  %m = memref.alloc(%n) : memref<?xi64>
  linalg.fill ins(%v : i64) outs(%m : memref<?xi64>)
  return %m : memref<?xi64>
}

func.func private @print(%x: i64) {
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

// CHECK:      6
// CHECK-NEXT: 5
// CHECK-NEXT: 6
// CHECK-NEXT: 7
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %six = arith.constant 6 : i64
  %seven = arith.constant 7 : i64
  %m = memref.alloc() : memref<4xi64>
  linalg.fill ins(%six : i64) outs(%m : memref<4xi64>)
  scf.for %i = %c0 to %c3 step %c1 {
    %b = arith.cmpi eq, %i, %c1 : index
    %p = func.call @pick(%b, %m) : (i1, memref<4xi64>) -> memref<4xi64>
    %x = memref.load %p[%c1] : memref<4xi64>
    func.call @print(%x) : (i64) -> ()
  }
  %k = call @make(%seven, %c3) : (i64, index) -> memref<?xi64>
  %y = memref.load %k[%c0] : memref<?xi64>
  call @print(%y) : (i64) -> ()
  return
}
