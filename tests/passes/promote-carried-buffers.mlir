// RUN: freehold opt %s --split-input-file --promote-carried-buffers --canonicalize | FileCheck %s

// What the loop carries is on the stack. It is handed on afterwards, in a buffer of its own.
// CHECK-LABEL: func.func @returned
// CHECK:         %[[STATE:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2xf32>
// CHECK:         %[[FIRST:.*]] = memref.alloc() : memref<2xf32>
// CHECK:         %[[X0:.*]] = memref.load %[[FIRST]][%c0]
// CHECK-NEXT:    memref.store %[[X0]], %[[STATE]][%c0]
// CHECK-NEXT:    %[[X1:.*]] = memref.load %[[FIRST]][%c1]
// CHECK-NEXT:    memref.store %[[X1]], %[[STATE]][%c1]
// CHECK-NEXT:    memref.dealloc %[[FIRST]]
// CHECK-NEXT:    scf.for %{{.*}} = %c0 to %c8 step %c1 {
// CHECK-NEXT:      %[[NEW:.*]] = memref.alloc() {alignment = 64 : i64} : memref<3x2xf32>
// CHECK:           memref.load %[[STATE]]
// CHECK-NOT:       memref.dealloc %[[STATE]]
// CHECK:           %[[ROW:.*]] = memref.subview %[[NEW]][0, 0]
// CHECK:           %[[Y0:.*]] = memref.load %{{.*}}[%c0]
// CHECK-NEXT:      memref.store %[[Y0]], %[[STATE]][%c0]
// CHECK:           memref.dealloc %[[NEW]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[LAST:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
// CHECK:         memref.store %{{.*}}, %[[LAST]][%c0]
// CHECK:         return %[[LAST]]
func.func @returned(%v: f32) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<2xf32>
  memref.store %v, %first[%c0] : memref<2xf32>
  memref.store %v, %first[%c1] : memref<2xf32>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<2xf32>) {
    %new = memref.alloc() {alignment = 64 : i64} : memref<3x2xf32>
    %x = memref.load %old[%c1] : memref<2xf32>
    %y = math.exp %x : f32
    memref.store %y, %new[%c0, %c0] : memref<3x2xf32>
    memref.store %x, %new[%c0, %c1] : memref<3x2xf32>
    memref.dealloc %old : memref<2xf32>
    %row = memref.subview %new[0, 0] [1, 2] [1, 1] : memref<3x2xf32> to memref<2xf32, strided<[1]>>
    %cast = memref.cast %row : memref<2xf32, strided<[1]>> to memref<2xf32>
    scf.yield %cast : memref<2xf32>
  }
  return %last : memref<2xf32>
}

// -----

// What is only read after the loop is read where it is. Many elements are copied as a whole.
// CHECK-LABEL: func.func @read
// CHECK:         %[[STATE:.*]] = memref.alloca() : memref<16xf32>
// CHECK:         memref.copy %{{.*}}, %[[STATE]]
// CHECK:         scf.for
// CHECK:           memref.copy %{{.*}}, %[[STATE]]
// CHECK-NEXT:      memref.dealloc
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.load %[[STATE]]
// CHECK-NEXT:    return
func.func @read(%v: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<16xf32>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<16xf32>) {
    %new = memref.alloc() : memref<16xf32>
    %x = memref.load %old[%i] : memref<16xf32>
    memref.store %x, %new[%c0] : memref<16xf32>
    memref.dealloc %old : memref<16xf32>
    scf.yield %new : memref<16xf32>
  }
  %r = memref.load %last[%c0] : memref<16xf32>
  memref.dealloc %last : memref<16xf32>
  return %r : f32
}

// -----

// Not what is large, what goes two ways, what is not freed in each iteration, or what begins as something else.
// CHECK-LABEL: func.func @large
// CHECK-NOT:     memref.alloca
// CHECK-LABEL: func.func @two
// CHECK-NOT:     memref.alloca
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     memref.alloca
// CHECK-LABEL: func.func @given
// CHECK-NOT:     memref.alloca
// CHECK:         return
func.func @large(%v: f32) -> memref<17xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<17xf32>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<17xf32>) {
    %new = memref.alloc() : memref<17xf32>
    memref.store %v, %new[%c0] : memref<17xf32>
    memref.dealloc %old : memref<17xf32>
    scf.yield %new : memref<17xf32>
  }
  return %last : memref<17xf32>
}

func.func @two(%v: f32) -> (memref<2xf32>, memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<2xf32>
  %other = memref.alloc() : memref<2xf32>
  %last:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first, %b = %other) -> (memref<2xf32>, memref<2xf32>) {
    %new = memref.alloc() : memref<2xf32>
    memref.store %v, %new[%c0] : memref<2xf32>
    memref.dealloc %old : memref<2xf32>
    scf.yield %new, %new : memref<2xf32>, memref<2xf32>
  }
  return %last#0, %last#1 : memref<2xf32>, memref<2xf32>
}

func.func @kept(%v: f32, %c: i1) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<2xf32>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<2xf32>) {
    %new = memref.alloc() : memref<2xf32>
    memref.store %v, %new[%c0] : memref<2xf32>
    scf.if %c {
      memref.dealloc %old : memref<2xf32>
    }
    scf.yield %new : memref<2xf32>
  }
  return %last : memref<2xf32>
}

func.func @given(%v: f32, %first: memref<2xf32>) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<2xf32>) {
    %new = memref.alloc() : memref<2xf32>
    memref.store %v, %new[%c0] : memref<2xf32>
    memref.dealloc %old : memref<2xf32>
    scf.yield %new : memref<2xf32>
  }
  return %last : memref<2xf32>
}

// -----

// Iterations that run at the same time have a buffer each.
// CHECK-LABEL: func.func @parallel
// CHECK-NOT:     memref.alloca
func.func @parallel(%v: f32, %out: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.parallel (%k) = (%c0) to (%c4) step (%c1) {
    %first = memref.alloc() : memref<2xf32>
    %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%old = %first) -> (memref<2xf32>) {
      %new = memref.alloc() : memref<2xf32>
      %x = memref.load %old[%c0] : memref<2xf32>
      memref.store %x, %new[%c1] : memref<2xf32>
      memref.dealloc %old : memref<2xf32>
      scf.yield %new : memref<2xf32>
    }
    %r = memref.load %last[%c0] : memref<2xf32>
    memref.store %r, %out[%k] : memref<4xf32>
    memref.dealloc %last : memref<2xf32>
  }
  return
}

// -----

// The address of the new buffer, as a number, may be used in the next iteration, when the buffer is still there.
// CHECK-LABEL: func.func @address
// CHECK-NOT:     memref.alloca
// CHECK-LABEL: func.func @last_address
// CHECK:         %[[STATE:.*]] = memref.alloca() {alignment = 64 : i64}
// CHECK:         scf.for
// CHECK:           memref.dealloc
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[LAST:.*]] = memref.alloc() {alignment = 64 : i64}
// CHECK:         memref.extract_aligned_pointer_as_index %[[LAST]]
func.func private @begin(index)
func.func @address(%v: f32) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<2xf32>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<2xf32>) {
    %new = memref.alloc() : memref<2xf32>
    %p = memref.extract_aligned_pointer_as_index %new : memref<2xf32> -> index
    func.call @begin(%p) : (index) -> ()
    memref.dealloc %old : memref<2xf32>
    scf.yield %new : memref<2xf32>
  }
  return %last : memref<2xf32>
}

func.func @last_address(%v: f32) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %first = memref.alloc() : memref<2xf32>
  %last = scf.for %i = %c0 to %c8 step %c1 iter_args(%old = %first) -> (memref<2xf32>) {
    %new = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
    memref.store %v, %new[%c0] : memref<2xf32>
    memref.dealloc %old : memref<2xf32>
    scf.yield %new : memref<2xf32>
  }
  %p = memref.extract_aligned_pointer_as_index %last : memref<2xf32> -> index
  return %p : index
}
