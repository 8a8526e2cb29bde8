// A write to what a function returns of its argument. Functions return what the caller frees, so by the pass alone that
// would be a copy of the argument, and an error, unless it comes with its owner; before, callers take the argument itself.
//
// RUN: freehold run %s | FileCheck %s --check-prefix=SAME
// RUN: freehold run %s -O0 --check | FileCheck %s --check-prefix=SAME
// RUN: not freehold opt %s --buffer-deallocation-pipeline 2>&1 | FileCheck %s --check-prefix=COPY
// RUN: freehold opt %s --buffer-deallocation-pipeline=borrowed-results | freehold run --dealloc=none - | FileCheck %s --check-prefix=SAME
// RUN: freehold run %s --dealloc=hlo | FileCheck %s --check-prefix=SAME
// RUN: freehold run %s --dealloc=none | FileCheck %s --check-prefix=SAME
// RUN: not freehold opt %s --buffer-deallocation-pipeline=private-function-dynamic-ownership=true 2>&1 | FileCheck %s --check-prefix=PUBLIC
// RUN: freehold explain %s 2>&1 | FileCheck %s --check-prefix=WHY
//
// COPY: [[@LINE+28]]:3: error: 'memref.store' op writes through one of two names of a buffer that has to be copied
// COPY: [[@LINE+34]]:3: error: 'memref.store' op writes through one of two names of a buffer that has to be copied
// PUBLIC-NOT: error:
// PUBLIC: [[@LINE+32]]:3: error: 'memref.store' op writes through one of two names of a buffer that has to be copied
// SAME: 9
// SAME-NEXT: 9
// WHY: a copy of operand #0 is returned: the caller frees results, and this is argument #0, the caller's memory; writes to the copy do not change it

func.func private @printI64(i64)
func.func private @printNewline()
func.func private @same(%m: memref<4xi64>) -> memref<4xi64> {
  return %m : memref<4xi64>
}
// One that others may call.
func.func @first(%m: memref<4xi64>) -> memref<4xi64> attributes {no_inline} {
  return %m : memref<4xi64>
}
func.func private @second(%m: memref<4xi64>) -> memref<4xi64> attributes {no_inline} {
  %r = call @first(%m) : (memref<4xi64>) -> memref<4xi64>
  return %r : memref<4xi64>
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
  call @printNewline() : () -> ()
  %n = memref.alloc() : memref<4xi64>
  memref.store %three, %n[%c2] : memref<4xi64>
  %s = call @second(%n) : (memref<4xi64>) -> memref<4xi64>
  memref.store %nine, %s[%c2] : memref<4xi64>
  %w = memref.load %n[%c2] : memref<4xi64>
  call @printI64(%w) : (i64) -> ()
  return
}
