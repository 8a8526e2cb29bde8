// RUN: freehold opt %s --scf-parallel-loop-fusion | FileCheck %s
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT

// CHECK-LABEL: func.func @pair
// CHECK:         %[[S:.*]] = memref.alloc
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) {
// CHECK-NEXT:      %[[X:.*]] = memref.load %arg0[%[[I]], %[[J]]]
// CHECK-NEXT:      memref.store %[[X]], %[[S]][%[[I]], %[[J]]]
// CHECK-NEXT:      %[[Y:.*]] = memref.load %[[S]][%[[I]], %[[J]]]
// CHECK-NEXT:      %[[Z:.*]] = arith.addf %[[Y]], %[[Y]]
// CHECK-NEXT:      memref.store %[[Z]], %[[S]][%[[I]], %[[J]]]
// CHECK-NEXT:      scf.reduce
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @pair(%a: memref<2x2xf32>) -> memref<2x2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = memref.alloc() : memref<2x2xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) {
    %x = memref.load %a[%i, %j] : memref<2x2xf32>
    memref.store %x, %s[%i, %j] : memref<2x2xf32>
  }
  scf.parallel (%i, %j) = (%c0, %c0) to (%c2, %c2) step (%c1, %c1) {
    %x = memref.load %s[%i, %j] : memref<2x2xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %s[%i, %j] : memref<2x2xf32>
  }
  return %s : memref<2x2xf32>
}

// Both reduce something.
// CHECK-LABEL: func.func @reductions
// CHECK:         %[[R:.*]]:2 = scf.parallel (%[[I:.*]]) = (%c0) to (%c2) step (%c1) init (%arg1, %arg2) -> (f32, f32) {
// CHECK-NEXT:      %[[X:.*]] = memref.load %arg0[%[[I]]]
// CHECK-NEXT:      %[[Y:.*]] = memref.load %arg0[%[[I]]]
// CHECK-NEXT:      scf.reduce(%[[X]], %[[Y]] : f32, f32) {
// CHECK-NEXT:      ^bb0
// CHECK-NEXT:        arith.addf
// CHECK-NEXT:        scf.reduce.return
// CHECK-NEXT:      }, {
// CHECK-NEXT:      ^bb0
// CHECK-NEXT:        arith.maximumf
// CHECK-NEXT:        scf.reduce.return
// CHECK:         return %[[R]]#0, %[[R]]#1
func.func @reductions(%a: memref<2xf32>, %f: f32, %g: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init(%f) -> f32 {
    %x = memref.load %a[%i] : memref<2xf32>
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %m: f32):
      %z = arith.addf %l, %m : f32
      scf.reduce.return %z : f32
    }
  }
  %s = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init(%g) -> f32 {
    %x = memref.load %a[%i] : memref<2xf32>
    scf.reduce(%x : f32) {
    ^bb0(%l: f32, %m: f32):
      %z = arith.maximumf %l, %m : f32
      scf.reduce.return %z : f32
    }
  }
  return %r, %s : f32, f32
}

// All stay: bounds of other values, an effect between, a result that is used between, a shifted subscript,
// buffers that may overlap, a loop inside.
// CHECK-LABEL: func.func @left
// CHECK-COUNT-11: scf.parallel
func.func @left(%a: memref<4xf32>, %b: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %d2 = arith.constant 2 : index
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %f, %a[%i] : memref<4xf32>
  }
  scf.parallel (%i) = (%c0) to (%d2) step (%c1) {
    memref.store %f, %a[%i] : memref<4xf32>
  }
  memref.store %f, %b[%c0] : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%d2) step (%c1) {
    memref.store %f, %a[%i] : memref<4xf32>
  }
  %r = scf.parallel (%i) = (%c0) to (%c2) step (%c1) init(%f) -> f32 {
    scf.reduce(%f : f32) {
    ^bb0(%l: f32, %m: f32):
      %z = arith.addf %l, %m : f32
      scf.reduce.return %z : f32
    }
  }
  %twice = arith.addf %r, %r : f32
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %twice, %a[%i] : memref<4xf32>
  }
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %j = arith.addi %i, %c1 : index
    %x = memref.load %a[%j] : memref<4xf32>
    %y = arith.addf %x, %x : f32
  }
  memref.store %f, %b[%c0] : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %f, %a[%i] : memref<4xf32>
  }
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %x = memref.load %b[%i] : memref<4xf32>
    %y = arith.addf %x, %x : f32
  }
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    scf.parallel (%j) = (%c0) to (%c2) step (%c1) {
      %x = memref.load %b[%i] : memref<4xf32>
      %y = arith.addf %x, %x : f32
    }
  }
  memref.store %f, %b[%c0] : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %f, %a[%i] : memref<4xf32>
  }
  return
}

// Upstream fuses these. In one loop, some iterations would load what others have stored.
// CHECK-LABEL: func.func @places
// CHECK-COUNT-6: scf.parallel
func.func @places(%a: memref<4xf32>, %b: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = memref.alloc() : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    %x = memref.load %a[%c0] : memref<4xf32>
    memref.store %x, %s[%i] : memref<4xf32>
  }
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %f, %a[%c0] : memref<4xf32>
  }
  memref.store %f, %b[%c1] : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %f, %a[%i] : memref<4xf32>
  }
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %f, %a[%c1] : memref<4xf32>
  }
  memref.store %f, %b[%c1] : memref<4xf32>
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    func.call @set(%a, %f) : (memref<4xf32>, f32) -> ()
  }
  scf.parallel (%i) = (%c0) to (%c2) step (%c1) {
    memref.store %f, %a[%i] : memref<4xf32>
  }
  memref.dealloc %s : memref<4xf32>
  return
}
func.func private @set(%a: memref<4xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  memref.store %f, %a[%c0] : memref<4xf32>
  return
}

// OUT: 6
// OUT-NEXT: 5
func.func @main() {
  %c1 = arith.constant 1 : index
  %three = arith.constant 3.0 : f32
  %five = arith.constant 5.0 : f32
  %m = memref.alloc() : memref<2x2xf32>
  memref.store %three, %m[%c1, %c1] : memref<2x2xf32>
  %r = func.call @pair(%m) : (memref<2x2xf32>) -> memref<2x2xf32>
  %x = memref.load %r[%c1, %c1] : memref<2x2xf32>
  func.call @printF32(%x) : (f32) -> ()
  func.call @printNewline() : () -> ()
  %v = memref.alloc() : memref<2xf32>
  %c0 = arith.constant 0 : index
  memref.store %three, %v[%c0] : memref<2xf32>
  memref.store %three, %v[%c1] : memref<2xf32>
  %s:2 = func.call @reductions(%v, %three, %five) : (memref<2xf32>, f32, f32) -> (f32, f32)
  func.call @printF32(%s#1) : (f32) -> ()
  func.call @printNewline() : () -> ()
  memref.dealloc %v : memref<2xf32>
  memref.dealloc %m : memref<2x2xf32>
  memref.dealloc %r : memref<2x2xf32>
  return
}
func.func private @printF32(f32)
func.func private @printNewline()
