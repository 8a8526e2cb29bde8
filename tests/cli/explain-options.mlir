// `freehold explain` takes the options of the pass.

// RUN: freehold explain %s | FileCheck %s --check-prefixes=CHECK,BORROWED
// RUN: freehold explain %s --private-function-dynamic-ownership | FileCheck %s --check-prefixes=CHECK,ALL
// RUN: not freehold explain %s --reject-unknown-effects 2>&1 | FileCheck %s --check-prefix=REJECTED

func.func private @either(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  return %r : memref<4xf32>
}
// CHECK: explain-options.mlir:[[@LINE-2]]:3: remark: operand #0 is returned with an i1 that says whether the caller owns it

func.func @caller(%c: i1, %m: memref<4xf32>) {
  %r = call @either(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  memref.copy %r, %m : memref<4xf32> to memref<4xf32>
  return
}
// CHECK: explain-options.mlir:[[@LINE-4]]:8: remark: buffer returned by this call, if an i1 says that it is handed over, is freed in 1 place if it is owned there
// CHECK-NEXT: explain-options.mlir:[[@LINE-4]]:3: note: freed after this, which is the last to need it, if an i1 says that it is owned
// CHECK-NEXT: explain-options.mlir:[[@LINE-6]]:8: note: conditional, because the function that is called says whether the result of 'func.call' is handed over

// Only with the option does a function say so that always hands over what it returns.
func.func private @new() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}
func.func @use() {
  %r = call @new() : () -> memref<4xf32>
  return
}
// BORROWED: explain-options.mlir:[[@LINE-3]]:8: remark: buffer handed over by this call is freed
// ALL: explain-options.mlir:[[@LINE-4]]:8: remark: buffer returned by this call, if an i1 says that it is handed over, is freed

// What this does to memory the operation does not say.
func.func @hint(%m: memref<4xf32>, %i: index) {
  // REJECTED: explain-options.mlir:[[@LINE+1]]:3: error: ops with unknown memory side effects are not supported
  affine.prefetch %m[%i], read, locality<3>, data : memref<4xf32>
  return
}
