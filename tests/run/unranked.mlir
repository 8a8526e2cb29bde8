// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold run %s --check -O0 | FileCheck %s
// RUN: freehold run %s --check --dealloc-lowering=generic | FileCheck %s
// RUN: freehold run %s --check --dealloc-lowering=specialized | FileCheck %s
// RUN: freehold run %s --check --dealloc-lowering=runtime | FileCheck %s
// RUN: freehold run %s --check --dealloc=clone | FileCheck %s
// RUN: freehold run %s --check --dealloc=copy | FileCheck %s
// RUN: freehold run %s --check --dealloc=hlo | FileCheck %s

// Buffers of any rank are picked, returned twice and told apart like others.

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @pick(%first: i1, %other: memref<*xi64>) -> memref<*xi64> attributes {passthrough = ["noinline"]} {
  %c1 = arith.constant 1 : index
  %x = arith.constant 12 : i64
  %a = memref.alloc() : memref<3xi64>
  memref.store %x, %a[%c1] : memref<3xi64>
  %b = memref.cast %a : memref<3xi64> to memref<*xi64>
  %r = scf.if %first -> memref<*xi64> {
    scf.yield %b : memref<*xi64>
  } else {
    scf.yield %other : memref<*xi64>
  }
  return %r : memref<*xi64>
}

func.func private @twice(%m: memref<3xi64>) -> (memref<*xi64>, memref<*xi64>) attributes {passthrough = ["noinline"]} {
  %r = memref.cast %m : memref<3xi64> to memref<*xi64>
  return %r, %r : memref<*xi64>, memref<*xi64>
}

// CHECK: 12
// CHECK: 34
// CHECK: 34
func.func @main() {
  %c1 = arith.constant 1 : index
  %true = arith.constant true
  %false = arith.constant false
  %x = arith.constant 34 : i64
  %a = memref.alloc() : memref<3xi64>
  memref.store %x, %a[%c1] : memref<3xi64>
  %any = memref.cast %a : memref<3xi64> to memref<*xi64>
  %p = call @pick(%true, %any) : (i1, memref<*xi64>) -> memref<*xi64>
  %q = call @pick(%false, %any) : (i1, memref<*xi64>) -> memref<*xi64>
  %r:2 = call @twice(%a) : (memref<3xi64>) -> (memref<*xi64>, memref<*xi64>)
  call @show(%p) : (memref<*xi64>) -> ()
  call @show(%q) : (memref<*xi64>) -> ()
  call @show(%r#1) : (memref<*xi64>) -> ()
  return
}

func.func private @show(%m: memref<*xi64>) {
  %c1 = arith.constant 1 : index
  %row = memref.cast %m : memref<*xi64> to memref<3xi64>
  %x = memref.load %row[%c1] : memref<3xi64>
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
