// Functions that free under conditions, and callers that free what they get from them: nothing is added.
//
// RUN: freehold run %s -O0 --dealloc=none --check | FileCheck %s
// RUN: freehold run %s -O2 --dealloc=ownership --check | FileCheck %s
// RUN: freehold run %s -O2 --dealloc=ownership --private-function-dynamic-ownership --check | FileCheck %s
// RUN: freehold run %s -O2 --dealloc=hlo --check | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation-pipeline=lowering=runtime | freehold run --dealloc=hlo --check - | FileCheck %s
// RUN: freehold opt %s --hlo-deallocation-pipeline | freehold run --dealloc=ownership --check - | FileCheck %s
//
// CHECK: 5{{$}}
// CHECK-NEXT: 7{{$}}
// CHECK-NEXT: 9{{$}}

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @argument(%m: memref<4xi64>, %c: i1) -> memref<4xi64> attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  %v = arith.constant 7 : i64
  linalg.fill ins(%v : i64) outs(%a : memref<4xi64>)
  scf.if %c {
    memref.dealloc %a : memref<4xi64>
  }
  %s = arith.select %c, %m, %a : memref<4xi64>
  return %s : memref<4xi64>
}

// One buffer under two names.
func.func private @twice(%x: i64) -> (memref<4xi64>, memref<4xi64>) attributes {no_inline} {
  %a = memref.alloc() : memref<4xi64>
  linalg.fill ins(%x : i64) outs(%a : memref<4xi64>)
  return %a, %a : memref<4xi64>, memref<4xi64>
}

func.func private @show(%m: memref<4xi64>) {
  %i = arith.constant 0 : index
  %v = memref.load %m[%i] : memref<4xi64>
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func private @use(%c: i1) attributes {no_inline} {
  %m = memref.alloc() : memref<4xi64>
  %v = arith.constant 5 : i64
  %true = arith.constant true
  linalg.fill ins(%v : i64) outs(%m : memref<4xi64>)
  %r = func.call @argument(%m, %c) : (memref<4xi64>, i1) -> memref<4xi64>
  call @show(%r) : (memref<4xi64>) -> ()
  %n = arith.xori %c, %true : i1
  scf.if %n {
    memref.dealloc %r : memref<4xi64>
  }
  memref.dealloc %m : memref<4xi64>
  return
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  call @use(%true) : (i1) -> ()
  call @use(%false) : (i1) -> ()
  %x = arith.constant 8 : i64
  %y = arith.constant 9 : i64
  %i = arith.constant 0 : index
  %r:2 = call @twice(%x) : (i64) -> (memref<4xi64>, memref<4xi64>)
  // Written through one name, read through the other one, freed once.
  memref.store %y, %r#0[%i] : memref<4xi64>
  call @show(%r#1) : (memref<4xi64>) -> ()
  scf.if %true {
    memref.dealloc %r#0 : memref<4xi64>
  }
  return
}
