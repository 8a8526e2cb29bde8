// RUN: freehold opt %s --forward-stores --canonicalize --cse | FileCheck %s

// What is stored is used again; of two stores to one place the first one goes away; two loads become one.
// CHECK-LABEL: func.func @same_place
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK-NEXT:      %[[X:.*]] = memref.load %arg0[%[[I]]]
// CHECK-NEXT:      %[[Y:.*]] = arith.mulf %[[X]], %[[X]]
// CHECK-NEXT:      %[[Z:.*]] = arith.addf %[[Y]], %[[X]]
// CHECK-NEXT:      memref.store %[[Z]], %arg0[%[[I]]]
// CHECK-NEXT:    }
func.func @same_place(%a: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %again = memref.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %again : f32
    memref.store %y, %a[%i] : memref<?xf32>
    %w = memref.load %a[%i] : memref<?xf32>
    %z = arith.addf %w, %x : f32
    memref.store %z, %a[%i] : memref<?xf32>
  }
  return
}

// An allocation that is not read any more goes away with views, sizes and deallocations.
// CHECK-LABEL: func.func @unread
// CHECK-NOT:     memref.alloc
// CHECK:         scf.for
// CHECK-NEXT:      %[[X:.*]] = memref.load %arg0
// CHECK-NEXT:      memref.store %[[X]], %arg1
// CHECK-NEXT:    }
// CHECK-NEXT:    return %arg2
func.func @unread(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc(%n) : memref<?xf32>
  %view = memref.cast %t : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %size = memref.dim %t, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %view[%i] : memref<?xf32, strided<[?], offset: ?>>
    %y = memref.load %view[%i] : memref<?xf32, strided<[?], offset: ?>>
    memref.store %y, %b[%i] : memref<?xf32>
  }
  memref.dealloc %t : memref<?xf32>
  return %size : index
}

// Others may look at it: a call, a load elsewhere, who it is returned to.
// CHECK-LABEL: func.func @read
// CHECK-COUNT-3: memref.alloc
// CHECK:         scf.for
// CHECK-COUNT-3:   memref.store
func.func @read(%n: index, %f: f32) -> (memref<?xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc(%n) : memref<?xf32>
  %t = memref.alloc(%n) : memref<?xf32>
  %u = memref.alloc(%n) : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %s[%i] : memref<?xf32>
    %x = memref.load %s[%i] : memref<?xf32>
    memref.store %x, %t[%i] : memref<?xf32>
    %y = memref.load %t[%i] : memref<?xf32>
    memref.store %y, %u[%i] : memref<?xf32>
    %z = memref.load %u[%i] : memref<?xf32>
  }
  func.call @look(%s) : (memref<?xf32>) -> ()
  %first = memref.load %t[%c0] : memref<?xf32>
  memref.dealloc %s : memref<?xf32>
  memref.dealloc %t : memref<?xf32>
  return %u, %first : memref<?xf32>, f32
}
func.func private @look(memref<?xf32>)

// A store to another buffer may change the element; not if the buffers were compared around the loop.
// CHECK-LABEL: func.func @overlap
// CHECK:         scf.for
// CHECK-NEXT:      %[[X:.*]] = memref.load %arg0
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      %[[Y:.*]] = memref.load %arg0
// CHECK-NEXT:      memref.store %[[Y]], %arg1
// CHECK:         scf.for
// CHECK-NEXT:      %[[Z:.*]] = memref.load %arg0
// CHECK-NEXT:      memref.store %[[Z]], %arg1
// CHECK-NEXT:    } {freehold.disjoint}
func.func @overlap(%a: memref<?xf32>, %b: memref<?xf32>, %n: index, %j: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%j] : memref<?xf32>
    %y = memref.load %a[%i] : memref<?xf32>
    memref.store %y, %b[%i] : memref<?xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %b[%i] : memref<?xf32>
    %y = memref.load %a[%i] : memref<?xf32>
    memref.store %y, %b[%i] : memref<?xf32>
  } {freehold.disjoint}
  return
}

// Other subscripts may be the same number; constants may not, but in a layout of stride zero two elements
// are in one place.
// CHECK-LABEL: func.func @subscripts
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK-NEXT:      memref.store %arg4, %arg0[%[[I]]]
// CHECK-NEXT:      memref.store %arg5, %arg0[%arg3]
// CHECK-NEXT:      %[[X:.*]] = memref.load %arg0[%[[I]]]
// CHECK-NEXT:      memref.store %[[X]], %arg0[%c0]
// CHECK-NEXT:      memref.store %arg4, %arg0[%c1]
// CHECK-NEXT:      memref.store %arg4, %arg1[%c0]
// CHECK-NEXT:      memref.store %arg5, %arg1[%c1]
// CHECK-NEXT:      memref.load %arg1[%c0]
func.func @subscripts(%a: memref<?xf32>, %s: memref<?xf32, strided<[?], offset: ?>>, %n: index, %j: index, %f: f32, %g: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %f) -> (f32) {
    memref.store %f, %a[%i] : memref<?xf32>
    memref.store %g, %a[%j] : memref<?xf32>
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
    memref.store %f, %a[%c1] : memref<?xf32>
    %y = memref.load %a[%c0] : memref<?xf32>
    memref.store %f, %s[%c0] : memref<?xf32, strided<[?], offset: ?>>
    memref.store %g, %s[%c1] : memref<?xf32, strided<[?], offset: ?>>
    %z = memref.load %s[%c0] : memref<?xf32, strided<[?], offset: ?>>
    %t = arith.addf %y, %z : f32
    %u = arith.addf %t, %sum : f32
    scf.yield %u : f32
  }
  return %r : f32
}

// What is inside of an inner loop counts as well; a call may do anything; an element of a vector is not
// the vector.
// CHECK-LABEL: func.func @between
// CHECK:         scf.for %[[I:[a-z0-9]+]] =
// CHECK-NEXT:      memref.store %arg2, %arg0[%[[I]]]
// CHECK-NEXT:      scf.for
// CHECK:           }
// CHECK-NEXT:      %[[X:.*]] = memref.load %arg0[%[[I]]]
// CHECK-NEXT:      memref.store %[[X]], %arg0[%c0]
// CHECK-NEXT:      call
// CHECK-NEXT:      %[[Y:.*]] = memref.load %arg0[%c0]
// CHECK-NEXT:      memref.store %[[Y]], %arg0[%c1]
// CHECK-NEXT:      %[[V:.*]] = vector.load %arg0[%c1]
// CHECK-NEXT:      vector.store %[[V]], %arg0[%[[I]]]
func.func @between(%a: memref<?xf32>, %n: index, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    memref.store %f, %a[%i] : memref<?xf32>
    scf.for %j = %c0 to %n step %c1 {
      %x = memref.load %a[%j] : memref<?xf32>
      %y = arith.addf %x, %f : f32
      memref.store %y, %a[%j] : memref<?xf32>
    }
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %a[%c0] : memref<?xf32>
    func.call @unknown() : () -> ()
    %y = memref.load %a[%c0] : memref<?xf32>
    memref.store %y, %a[%c1] : memref<?xf32>
    %v = vector.load %a[%c1] : memref<?xf32>, vector<4xf32>
    vector.store %v, %a[%i] : memref<?xf32>, vector<4xf32>
  }
  return
}
func.func private @unknown()
