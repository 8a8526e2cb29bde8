// `freehold explain`: where every buffer is freed, and why, in words.

// RUN: freehold explain %s | FileCheck %s
// RUN: not freehold explain %S/inputs/escapes.mlir 2>&1 | FileCheck %s --check-prefix=REJECTED
// RUN: not freehold explain %S/missing.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// REJECTED: escapes.mlir:3:3: error: 'memref.store' op buffer escapes: a memref stored in memory cannot be tracked
// MISSING: error: cannot open input file

func.func private @use(memref<4xf32>)
func.func private @pair() -> (memref<4xf32>, memref<4xf32>)

// After the last use.
func.func @plain() {
  %m = memref.alloc() : memref<4xf32>
  call @use(%m) : (memref<4xf32>) -> ()
  return
}
// CHECK:      explain.mlir:[[@LINE-4]]:8: remark: buffer allocated here is freed in 1 place
// CHECK-NEXT: explain.mlir:[[@LINE-4]]:3: note: freed after this, which is the last to need it

// A free is conditional where paths with different ownership meet.
func.func @diamond(%arg: memref<4xf32>, %c: i1) {
  cf.cond_br %c, ^new, ^join(%arg : memref<4xf32>)
^new:
  %m = memref.alloc() : memref<4xf32>
  call @use(%m) : (memref<4xf32>) -> ()
  cf.br ^join(%m : memref<4xf32>)
^join(%x: memref<4xf32>):
  call @use(%x) : (memref<4xf32>) -> ()
  return
}
// CHECK-NEXT: explain.mlir:[[@LINE-7]]:8: remark: buffer allocated here is freed in 1 place if it is owned there
// CHECK-NEXT: explain.mlir:[[@LINE-6]]:3: note: ownership moves to block argument #0 here
// CHECK-NEXT: explain.mlir:[[@LINE-5]]:3: note: freed as block argument #0 after this, which is the last to need it, if an i1 says that it is owned
// CHECK-NEXT: explain.mlir:[[@LINE-12]]:3: note: conditional, because block argument #0 may come from here: argument #0, the caller's memory, which is not to be freed
// CHECK-NEXT: explain.mlir:[[@LINE-9]]:3: note: conditional, because block argument #0 may come from here: a buffer that is to be freed

// Which of two buffers is returned is known at run time only.
func.func @choose(%c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  call @use(%a) : (memref<4xf32>) -> ()
  call @use(%b) : (memref<4xf32>) -> ()
  %r = arith.select %c, %a, %b : memref<4xf32>
  return %r : memref<4xf32>
}
// CHECK-NEXT: explain.mlir:[[@LINE-7]]:8: remark: buffer allocated here is freed or handed on in 1 place, as addresses say
// CHECK-NEXT: explain.mlir:[[@LINE-4]]:8: note: the result of 'arith.select' may be the same buffer as the result of 'memref.alloc': it is needed as long
// CHECK-NEXT: explain.mlir:[[@LINE-4]]:3: note: the result of 'arith.select' may be the same buffer as the result of 'memref.alloc': addresses are compared here, and the result of 'memref.alloc' is freed if they differ
// CHECK-NEXT: explain.mlir:[[@LINE-9]]:8: remark: buffer allocated here is freed or handed on in 1 place, as addresses say
// CHECK-NEXT: explain.mlir:[[@LINE-7]]:8: note: the result of 'arith.select' may be the same buffer as the result of 'memref.alloc': it is needed as long
// CHECK-NEXT: explain.mlir:[[@LINE-7]]:3: note: the result of 'arith.select' may be the same buffer as the result of 'memref.alloc': addresses are compared here, and the result of 'memref.alloc' is freed if they differ

// The caller frees what it gets, so an argument is copied.
func.func @copy(%arg: memref<4xf32>) -> memref<4xf32> {
  return %arg : memref<4xf32>
}
// CHECK-NEXT: explain.mlir:[[@LINE-2]]:3: remark: a copy of operand #0 is returned: the caller frees results, and this is argument #0, the caller's memory; writes to the copy do not change it

func.func @make() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  call @use(%m) : (memref<4xf32>) -> ()
  return %m : memref<4xf32>
}
// CHECK-NEXT: explain.mlir:[[@LINE-4]]:8: remark: buffer allocated here is handed to the caller
// CHECK-NEXT: explain.mlir:[[@LINE-3]]:3: note: returned here: the caller frees it

// Two results of a call may be one buffer.
func.func @calls() {
  %r:2 = call @pair() : () -> (memref<4xf32>, memref<4xf32>)
  call @use(%r#0) : (memref<4xf32>) -> ()
  call @use(%r#1) : (memref<4xf32>) -> ()
  return
}
// CHECK-NEXT: explain.mlir:[[@LINE-5]]:10: remark: buffer handed over by this call is freed in 1 place
// CHECK-NEXT: explain.mlir:[[@LINE-4]]:3: note: freed after this, which is the last to need it
// CHECK-NEXT: explain.mlir:[[@LINE-7]]:10: remark: buffer handed over by this call is freed in 1 place if it is owned there
// CHECK-NEXT: explain.mlir:[[@LINE-6]]:3: note: freed after this, which is the last to need it, if an i1 says that it is owned
// CHECK-NEXT: explain.mlir:[[@LINE-9]]:10: note: conditional, because result #1 of 'func.call' may be the buffer of an earlier result
