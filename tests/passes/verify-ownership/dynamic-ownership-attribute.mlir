// RUN: freehold opt --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true --verify-ownership=strict=true %s | FileCheck %s
// RUN: freehold opt --ownership-based-buffer-deallocation=private-function-dynamic-ownership=true --verify-ownership="strict=true private-function-dynamic-ownership=true" %s | FileCheck %s
// RUN: freehold opt --buffer-deallocation-pipeline=private-function-dynamic-ownership=true --verify-ownership=strict=true %s | FileCheck %s --check-prefix=LOWERED

// Which functions return flags says the attribute that the pass leaves on them.

// The address of this one is taken: it returns what belongs to the caller.
// CHECK-LABEL: func.func private @same(
// CHECK-SAME: -> memref<3xi32>
// CHECK: bufferization.clone
// LOWERED-LABEL: func.func private @same(
func.func private @same(%m: memref<3xi32>) -> memref<3xi32> {
  return %m : memref<3xi32>
}

// CHECK-LABEL: func.func private @fresh(
// CHECK-SAME: -> memref<3xi32>
// CHECK-NOT: i1
func.func private @fresh() -> memref<3xi32> {
  %m = memref.alloc() : memref<3xi32>
  return %m : memref<3xi32>
}

// This one is only ever called.
// CHECK-LABEL: func.func private @either(
// CHECK-SAME: -> (memref<3xi32>, i1) attributes {freehold.dynamic_ownership}
func.func private @either(%c: i1, %m: memref<3xi32>) -> memref<3xi32> {
  %new = memref.alloc() : memref<3xi32>
  %r = arith.select %c, %m, %new : memref<3xi32>
  return %r : memref<3xi32>
}

func.func private @call_later(() -> memref<3xi32>)

func.func @main(%c: i1) {
  %later = func.constant @fresh : () -> memref<3xi32>
  func.call @call_later(%later) : (() -> memref<3xi32>) -> ()
  %m = memref.alloc() : memref<3xi32>
  %e = func.call @either(%c, %m) : (i1, memref<3xi32>) -> memref<3xi32>
  %same = func.constant @same : (memref<3xi32>) -> memref<3xi32>
  %r = func.call_indirect %same(%e) : (memref<3xi32>) -> memref<3xi32>
  return
}
