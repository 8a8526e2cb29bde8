// RUN: freehold opt %s --hoist-loop-loads | FileCheck %s

// What is loaded from one place all the time is loaded once, by index constants inside of the loop too.
// CHECK-LABEL: func.func @fixed
// CHECK:         %[[OUT:.*]] = memref.alloc()
// CHECK:         %[[X:.*]] = memref.load %arg0[%arg1]
// CHECK:         %[[C2:.*]] = arith.constant 2 : index
// CHECK:         %[[Y:.*]] = memref.load %arg0[%[[C2]]]
// CHECK:         scf.for %[[I:.*]] = %c0 to %c64 step %c1 {
// CHECK-NOT:       memref.load
// CHECK:           %[[S:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK:           %[[T:.*]] = arith.addf %[[S]], %[[X]]
// CHECK:           memref.store %[[T]], %[[OUT]][%[[I]]]
func.func @fixed(%a: memref<8xf32>, %at: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %out = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %c64 step %c1 {
    %c2 = arith.constant 2 : index
    %x = memref.load %a[%at] : memref<8xf32>
    %y = memref.load %a[%c2] : memref<8xf32>
    %z = memref.load %a[%at] : memref<8xf32>
    %s = arith.addf %x, %y : f32
    %t = arith.addf %s, %z : f32
    memref.store %t, %out[%i] : memref<64xf32>
  }
  memref.dealloc %out : memref<64xf32>
  return
}

// Nothing is loaded before a loop that may not run. What it carries comes out in both cases.
// CHECK-LABEL: func.func @unknown_bounds
// CHECK:         %[[RUNS:.*]] = arith.cmpi slt, %arg1, %arg2
// CHECK:         %[[R:.*]] = scf.if %[[RUNS]] -> (f32) {
// CHECK:           %[[X:.*]] = memref.load %arg0[]
// CHECK:           %[[LAST:.*]] = scf.for {{.*}} iter_args(%[[S:.*]] = %arg3)
// CHECK:             arith.addf %[[S]], %[[X]]
// CHECK:           scf.yield %[[LAST]]
// CHECK:         } else {
// CHECK-NEXT:      scf.yield %arg3
// CHECK:         return %[[R]]
func.func @unknown_bounds(%a: memref<f32>, %lo: index, %hi: index, %first: f32) -> f32 {
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %lo to %hi step %c1 iter_args(%s = %first) -> (f32) {
    %x = memref.load %a[] : memref<f32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  return %r : f32
}

// Nothing moves that a store in the loop may reach, that is not loaded in every iteration, or whose
// place changes; and nothing past an unknown effect.
// CHECK-LABEL: func.func @stays
// CHECK:         scf.for
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      memref.store
// CHECK:         scf.for
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      memref.store
// CHECK:         scf.for
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        memref.load
// CHECK:         scf.for
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      memref.store
// CHECK:         scf.for
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      call @unknown
func.func @stays(%a: memref<8xf32>, %b: memref<8xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %out = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%c1] : memref<8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%c1] : memref<8xf32>
    memref.store %x, %a[%i] : memref<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    scf.if %c {
      %x = memref.load %a[%c1] : memref<8xf32>
      memref.store %x, %out[%i] : memref<8xf32>
    }
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%i] : memref<8xf32>
    memref.store %x, %out[%c0] : memref<8xf32>
  }
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%c1] : memref<8xf32>
    func.call @unknown(%x) : (f32) -> ()
  }
  memref.dealloc %out : memref<8xf32>
  return
}
func.func private @unknown(f32)

// Where another pass compared addresses around the loop, buffers do not overlap.
// CHECK-LABEL: func.func @compared
// CHECK:         %[[X:.*]] = memref.load %arg0[%c1]
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      memref.store %[[X]]
func.func @compared(%a: memref<8xf32>, %b: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %x = memref.load %a[%c1] : memref<8xf32>
    memref.store %x, %b[%i] : memref<8xf32>
  } {freehold.disjoint}
  return
}
