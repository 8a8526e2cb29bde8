// What an earlier run made return with its owner may be an argument, which is then used as long as the result is: the older
// passes free no copy of it before.
//
// RUN: freehold run %s --dealloc=copy --check | FileCheck %s
// RUN: freehold run %s --dealloc=clone --check | FileCheck %s
// RUN: freehold run %s --dealloc=hlo --check | FileCheck %s
// RUN: freehold run %s --dealloc=ownership --check | FileCheck %s

func.func private @printI64(i64)
func.func private @printNewline()

func.func private @same(%m: memref<4xi64>) -> (memref<4xi64>, i1) attributes {freehold.dynamic_ownership, no_inline} {
  %false = arith.constant false
  return %m, %false : memref<4xi64>, i1
}

func.func @main() {
  %true = arith.constant true
  %false = arith.constant false
  %seven = arith.constant 7 : i64
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %first = memref.alloc() : memref<4xi64>
  memref.store %seven, %first[%c1] : memref<4xi64>
  %0:3 = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %first, %n = %first, %owned = %false) -> (memref<4xi64>, memref<4xi64>, i1) {
    scf.if %owned {
      memref.dealloc %m : memref<4xi64>
    }
    %new = memref.alloc() : memref<4xi64>
    %number = arith.index_cast %i : index to i64
    memref.store %number, %new[%c1] : memref<4xi64>
    scf.yield %new, %new, %true : memref<4xi64>, memref<4xi64>, i1
  }
  %1:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%m = %first, %owned = %false) -> (memref<4xi64>, i1) {
    scf.if %owned {
      memref.dealloc %m : memref<4xi64>
    }
    %r:2 = func.call @same(%0#1) : (memref<4xi64>) -> (memref<4xi64>, i1)
    scf.yield %r#0, %r#1 : memref<4xi64>, i1
  }
  %x = memref.load %1#0[%c1] : memref<4xi64>
  // CHECK: {{^2$}}
  call @printI64(%x) : (i64) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %first : memref<4xi64>
  scf.if %0#2 {
    memref.dealloc %0#0 : memref<4xi64>
  }
  scf.if %1#1 {
    memref.dealloc %1#0 : memref<4xi64>
  }
  return
}
