// RUN: freehold opt --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true --verify-ownership %s | FileCheck %s
// RUN: freehold opt --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true --lower-deallocations --verify-ownership %s | FileCheck %s
// RUN: freehold opt --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true --lower-deallocations --verify-ownership=private-function-dynamic-ownership=true %s | FileCheck %s

// Lowering changes nothing about who owns what a loop hands on: memory of the caller in one place,
// the function's own in another.
// CHECK-LABEL: func.func private @turns(
func.func private @turns(%n: index, %given: memref<3xi64>) -> (memref<3xi64>, memref<3xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %own = memref.alloc() : memref<3xi64>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %own, %q = %given) -> (memref<3xi64>, memref<3xi64>) {
    scf.yield %q, %own : memref<3xi64>, memref<3xi64>
  }
  return %r#0, %r#1 : memref<3xi64>, memref<3xi64>
}
func.func @main(%n: index) {
  %m = memref.alloc() : memref<3xi64>
  %r:2 = call @turns(%n, %m) : (index, memref<3xi64>) -> (memref<3xi64>, memref<3xi64>)
  return
}
