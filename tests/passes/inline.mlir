// RUN: freehold opt %s --split-input-file --inline | FileCheck %s
// RUN: freehold opt %s --split-input-file --inline="max-callee-ops=2" | FileCheck %s --check-prefix=SMALL
// RUN: freehold opt %s --split-input-file --inline="tensors=true" | FileCheck %s --check-prefix=TENSORS

// A chain of calls, and a private function of which nothing is left.

// CHECK-NOT: @square
// SMALL-NOT: @square
func.func private @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  return %y : f32
}

// CHECK-LABEL: func.func @fourth(
// CHECK-SAME: %[[X:.*]]: f32
// CHECK-NEXT: %[[S:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT: %[[F:.*]] = arith.mulf %[[S]], %[[S]]
// CHECK-NEXT: return %[[F]]
// SMALL-LABEL: func.func @fourth(
// SMALL-NOT: call
func.func @fourth(%x: f32) -> f32 {
  %s = call @square(%x) : (f32) -> f32
  %f = call @square(%s) : (f32) -> f32
  return %f : f32
}

// Three operations, the return counted: too many for SMALL.
// CHECK-LABEL: func.func @user
// CHECK-NOT: call
// SMALL-LABEL: func.func @user
// SMALL: call @fourth
func.func @user(%x: f32) -> f32 {
  %f = call @fourth(%x) : (f32) -> f32
  return %f : f32
}

// -----

// Into regions: one block goes anywhere, several only where several may be.

// CHECK-LABEL: func.func @clamp
func.func @clamp(%x: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %less = arith.cmpi slt, %x, %zero : i32
  cf.cond_br %less, ^low, ^fine(%x : i32)
^low:
  cf.br ^fine(%zero : i32)
^fine(%r: i32):
  return %r : i32
}

func.func @next(%x: i32) -> i32 {
  %one = arith.constant 1 : i32
  %y = arith.addi %x, %one : i32
  return %y : i32
}

// CHECK-LABEL: func.func @in_loop
// CHECK: scf.for
// CHECK-NEXT: %[[C:.*]] = func.call @clamp
// CHECK-NEXT: arith.constant 1 : i32
// CHECK-NEXT: %[[Y:.*]] = arith.addi %[[C]]
// CHECK-NEXT: scf.yield %[[Y]]
func.func @in_loop(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%before = %x) -> (i32) {
    %c = func.call @clamp(%before) : (i32) -> i32
    %y = func.call @next(%c) : (i32) -> i32
    scf.yield %y : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @in_blocks
// CHECK-SAME: %[[A:.*]]: i32, %[[B:.*]]: i32
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant 0
// CHECK-NEXT: %[[LESS:.*]] = arith.cmpi slt, %[[A]], %[[ZERO]]
// CHECK-NEXT: cf.cond_br %[[LESS]], ^[[LOW:bb[0-9]+]], ^[[FINE:bb[0-9]+]](%[[A]] : i32)
// CHECK-NEXT: ^[[LOW]]:
// CHECK-NEXT: cf.br ^[[FINE]](%[[ZERO]] : i32)
// CHECK-NEXT: ^[[FINE]](%[[R:.*]]: i32):
// CHECK-NEXT: cf.br ^[[AFTER:bb[0-9]+]](%[[R]] : i32)
// CHECK-NEXT: ^[[AFTER]](%[[P:.*]]: i32):
// CHECK-NEXT: arith.constant 0
// CHECK-NEXT: arith.cmpi slt, %[[B]]
// CHECK: %[[SUM:.*]] = arith.addi %[[P]],
// CHECK-NEXT: return %[[SUM]]
func.func @in_blocks(%a: i32, %b: i32) -> i32 {
  %p = call @clamp(%a) : (i32) -> i32
  %q = call @clamp(%b) : (i32) -> i32
  %sum = arith.addi %p, %q : i32
  return %sum : i32
}

// -----

// What stays a call: recursion, memory of the stack, functions that ask for it, effects in bodies that are no
// control flow, declarations.

// CHECK-LABEL: func.func private @down
func.func private @down(%n: i32) -> i32 {
  // CHECK: call @down
  %r = call @down(%n) : (i32) -> i32
  return %r : i32
}

func.func private @scratch() -> f32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloca() : memref<4xf32>
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}

func.func private @apart(%x: f32) -> f32 attributes {passthrough = ["noinline"]} {
  return %x : f32
}

// MLIR 22's way to say so.
func.func private @kept(%x: f32) -> f32 attributes {no_inline} {
  return %x : f32
}

func.func private @plain(%x: f32) -> f32 {
  return %x : f32
}

func.func private @reads(%m: memref<4xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %x = memref.load %m[%c0] : memref<4xf32>
  return %x : f32
}

func.func private @elsewhere(f32) -> f32

// CHECK-LABEL: func.func @callers
func.func @callers(%n: i32, %x: f32, %m: memref<4xf32>) -> (i32, f32, f32, f32, f32, f32) {
  // CHECK: call @down
  %0 = call @down(%n) : (i32) -> i32
  // CHECK: call @scratch
  %1 = call @scratch() : () -> f32
  // CHECK: call @apart
  %2 = call @apart(%x) : (f32) -> f32
  // CHECK: call @elsewhere
  %3 = call @elsewhere(%x) : (f32) -> f32
  // CHECK: call @kept
  %4 = call @kept(%x) : (f32) -> f32
  // CHECK: call @plain
  %5 = call @plain(%x) {no_inline} : (f32) -> f32
  // CHECK: linalg.generic
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    outs(%m : memref<4xf32>) {
  ^bb0(%out: f32):
    // CHECK: call @reads
    %y = func.call @reads(%m) : (memref<4xf32>) -> f32
    linalg.yield %y : f32
  }
  return %0, %1, %2, %3, %4, %5 : i32, f32, f32, f32, f32, f32
}

// -----

// Bodies on elements take functions of any size that have no effects, also by way of others.

func.func private @double(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}
func.func private @twice(%x: f32) -> f32 {
  %y = call @double(%x) : (f32) -> f32
  %z = call @double(%y) : (f32) -> f32
  return %z : f32
}
func.func private @clamped(%x: f32) -> f32 {
  %zero = arith.constant 0.0 : f32
  %is_negative = arith.cmpf olt, %x, %zero : f32
  cf.cond_br %is_negative, ^end(%zero : f32), ^end(%x : f32)
^end(%y: f32):
  return %y : f32
}
// CHECK-LABEL: func.func @on_elements
// CHECK: ^bb0(%[[X:.*]]: f32):
// CHECK-NEXT: %[[D:.*]] = arith.addf %[[X]], %[[X]]
// CHECK-NEXT: %[[Q:.*]] = arith.addf %[[D]], %[[D]]
// CHECK-NEXT: call @clamped(%[[Q]])
// SMALL-LABEL: func.func @on_elements
// SMALL-NOT: call @twice
// SMALL: call @clamped
func.func @on_elements(%m: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
    outs(%m : memref<4xf32>) {
  ^bb0(%x: f32):
    %y = func.call @twice(%x) : (f32) -> f32
    %z = func.call @clamped(%y) : (f32) -> f32
    linalg.yield %z : f32
  }
  return
}

// -----

// Calls of tensors alone.

func.func private @scalar(%x: f32) -> f32 {
  return %x : f32
}
func.func private @tensor(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// TENSORS-LABEL: func.func @both
// TENSORS-SAME: %[[X:.*]]: f32, %[[T:.*]]: tensor<4xf32>
// TENSORS-NEXT: %[[Y:.*]] = call @scalar(%[[X]])
// TENSORS-NEXT: return %[[Y]], %[[T]]
func.func @both(%x: f32, %t: tensor<4xf32>) -> (f32, tensor<4xf32>) {
  %y = call @scalar(%x) : (f32) -> f32
  %u = call @tensor(%t) : (tensor<4xf32>) -> tensor<4xf32>
  return %y, %u : f32, tensor<4xf32>
}

// -----

// Of two functions that call each other, one is part of the other.

// CHECK-LABEL: func.func @even
// CHECK: call @even
// CHECK-LABEL: func.func @odd
func.func @even(%n: i32) -> i32 {
  %r = call @odd(%n) : (i32) -> i32
  return %r : i32
}
func.func @odd(%n: i32) -> i32 {
  %r = call @even(%n) : (i32) -> i32
  return %r : i32
}

// -----

// Affine operations take any operands only at the top of a function.

func.func private @sum(%m: memref<?xf32>, %n: index) {
  affine.for %i = 0 to %n {
    %x = affine.load %m[%i] : memref<?xf32>
    affine.store %x, %m[%i] : memref<?xf32>
  }
  return
}

// CHECK-LABEL: func.func @affine
// CHECK-NEXT: affine.for
// CHECK: scf.for
// CHECK-NEXT: call @sum
func.func @affine(%m: memref<?xf32>, %n: index) {
  call @sum(%m, %n) : (memref<?xf32>, index) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @sum(%m, %i) : (memref<?xf32>, index) -> ()
  }
  return
}

// -----

// In modules inside, each has its own names.

func.func @f() -> i32 {
  %0 = arith.constant 1 : i32
  return %0 : i32
}
// CHECK-LABEL: module @inner
// CHECK: func.func @g
// CHECK-NEXT: arith.constant 2
// CHECK-NEXT: return
module @inner {
  func.func @f() -> i32 {
    %0 = arith.constant 2 : i32
    return %0 : i32
  }
  func.func @g() -> i32 {
    %0 = call @f() : () -> i32
    return %0 : i32
  }
}
