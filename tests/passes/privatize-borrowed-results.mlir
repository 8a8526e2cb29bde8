// RUN: freehold opt %s --privatize-borrowed-results | FileCheck %s

// The function stays for others; who calls it here calls a version all of whose callers are known.
// CHECK-LABEL: func.func @maybe(
// CHECK-LABEL: func.func private @maybe_once(
func.func @maybe(%m: memref<4xi64>, %c: i1) -> memref<4xi64> {
  %a = memref.alloc() : memref<4xi64>
  %s = arith.select %c, %m, %a : memref<4xi64>
  return %s : memref<4xi64>
}

// A function that calls itself, and its version.
// CHECK-LABEL: func.func @again(
// CHECK:         call @again_once(
// CHECK-LABEL: func.func private @again_once(
// CHECK:         call @again_once(
func.func @again(%m: memref<4xi64>, %c: i1) -> memref<4xi64> {
  %true = arith.constant true
  %r = scf.if %c -> memref<4xi64> {
    scf.yield %m : memref<4xi64>
  } else {
    %q = func.call @again(%m, %true) : (memref<4xi64>, i1) -> memref<4xi64>
    scf.yield %q : memref<4xi64>
  }
  return %r : memref<4xi64>
}

// Of a private function all callers are known already.
// CHECK-LABEL: func.func private @hidden(
// CHECK-NOT:   @hidden_once
memref.global @g : memref<4xi64> = dense<0>
func.func private @hidden() -> memref<4xi64> {
  %g = memref.get_global @g : memref<4xi64>
  return %g : memref<4xi64>
}

// Owned in any case.
// CHECK-LABEL: func.func @new(
// CHECK-NOT:   @new_once
func.func @new(%m: memref<4xi64>) -> memref<4xi64> {
  %a = memref.alloc() : memref<4xi64>
  memref.copy %m, %a : memref<4xi64> to memref<4xi64>
  return %a : memref<4xi64>
}

// Only a copy of what is on the stack lasts.
// CHECK-LABEL: func.func @stack(
// CHECK-NOT:   @stack_once
func.func @stack(%m: memref<4xi64>, %c: i1) -> memref<4xi64> {
  %a = memref.alloca() : memref<4xi64>
  %s = arith.select %c, %m, %a : memref<4xi64>
  return %s : memref<4xi64>
}

// CHECK-LABEL: func.func @uncalled(
// CHECK-NOT:   @uncalled_once
func.func @uncalled(%m: memref<4xi64>) -> memref<4xi64> {
  return %m : memref<4xi64>
}

// CHECK-LABEL: func.func @caller(
// CHECK:         call @maybe_once(
// CHECK:         call @again_once(
// CHECK:         call @hidden()
// CHECK:         call @new(
// CHECK:         call @stack(
func.func @caller(%m: memref<4xi64>, %c: i1) {
  %0 = call @maybe(%m, %c) : (memref<4xi64>, i1) -> memref<4xi64>
  %1 = call @again(%m, %c) : (memref<4xi64>, i1) -> memref<4xi64>
  %2 = call @hidden() : () -> memref<4xi64>
  %3 = call @new(%m) : (memref<4xi64>) -> memref<4xi64>
  %4 = call @stack(%m, %c) : (memref<4xi64>, i1) -> memref<4xi64>
  return
}
