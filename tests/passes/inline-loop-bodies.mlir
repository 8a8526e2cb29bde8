// RUN: freehold opt %s --inline="max-callee-ops=0 loop-bodies" | FileCheck %s

// Functions of any size are inlined if their one call is in a loop.

func.func private @step(%m: memref<4xf32>, %i: index) {
  %x = memref.load %m[%i] : memref<4xf32>
  %y = arith.addf %x, %x : f32
  memref.store %y, %m[%i] : memref<4xf32>
  return
}

func.func private @twice(%m: memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  memref.copy %m, %t : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return
}

func.func private @before(%m: memref<4xf32>) {
  %t = memref.alloc() : memref<4xf32>
  memref.copy %m, %t : memref<4xf32> to memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  return
}

// CHECK-NOT: @step
// CHECK-LABEL: func.func @loops(
// CHECK: call @before
// CHECK: scf.for
// CHECK-NEXT: scf.if
// CHECK-NEXT: memref.load
// CHECK-NEXT: arith.addf
// CHECK-NEXT: memref.store
// CHECK: call @twice
// CHECK: call @twice
func.func @loops(%m: memref<4xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  call @before(%m) : (memref<4xf32>) -> ()
  scf.for %i = %c0 to %n step %c1 {
    scf.if %c {
      func.call @step(%m, %i) : (memref<4xf32>, index) -> ()
    }
    func.call @twice(%m) : (memref<4xf32>) -> ()
  }
  call @twice(%m) : (memref<4xf32>) -> ()
  return
}
