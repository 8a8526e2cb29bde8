// A write to what a function returns of its argument: functions return what the caller
// frees, so that is a copy of the argument unless it comes with its owner.
//
// RUN: freehold run %s | FileCheck %s --check-prefix=COPY
// RUN: freehold run %s -O0 | FileCheck %s --check-prefix=COPY
// RUN: freehold opt %s --buffer-deallocation-pipeline | freehold run --dealloc=none - | FileCheck %s --check-prefix=COPY
// RUN: freehold run %s --dealloc=hlo | FileCheck %s --check-prefix=SAME
// RUN: freehold run %s --dealloc=none | FileCheck %s --check-prefix=SAME
// RUN: freehold opt %s --buffer-deallocation-pipeline=private-function-dynamic-ownership=true | freehold run --dealloc=none - | FileCheck %s --check-prefix=SAME
// RUN: freehold explain %s 2>&1 | FileCheck %s --check-prefix=WHY
//
// COPY: 3
// SAME: 9
// WHY: a copy of operand #0 is returned: the caller frees results, and this is argument #0, the caller's memory; writes to the copy do not change it

func.func private @printI64(i64)
func.func private @same(%m: memref<4xi64>) -> memref<4xi64> {
  return %m : memref<4xi64>
}
func.func @main() {
  %c2 = arith.constant 2 : index
  %three = arith.constant 3 : i64
  %nine = arith.constant 9 : i64
  %m = memref.alloc() : memref<4xi64>
  memref.store %three, %m[%c2] : memref<4xi64>
  %r = call @same(%m) : (memref<4xi64>) -> memref<4xi64>
  memref.store %nine, %r[%c2] : memref<4xi64>
  %v = memref.load %m[%c2] : memref<4xi64>
  call @printI64(%v) : (i64) -> ()
  return
}
