// RUN: freehold opt %s --vectorize-loops --contract-buffers | FileCheck %s

// Rows of 301 elements do not begin at the beginning of a register, but one row does: nothing looks at its address.
// CHECK-LABEL: func.func @row
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<301xf32>
// CHECK-NOT:     memref.extract_aligned_pointer_as_index
// CHECK:         vector.store %{{.*}} : memref<301xf32>, vector<4xf32>
// CHECK:         return
func.func @row(%x: memref<500x301xf32>, %y: memref<500xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c301 = arith.constant 301 : index
  %c500 = arith.constant 500 : index
  %b = memref.alloc() {alignment = 64 : i64} : memref<500x301xf32>
  scf.for %i = %c0 to %c500 step %c1 {
    scf.for %j = %c0 to %c301 step %c1 {
      %0 = memref.load %x[%i, %j] : memref<500x301xf32>
      %1 = arith.mulf %0, %0 : f32
      memref.store %1, %b[%i, %j] : memref<500x301xf32>
    }
    scf.for %j = %c0 to %c301 step %c1 {
      %0 = memref.load %b[%i, %j] : memref<500x301xf32>
      %1 = memref.load %y[%i] : memref<500xf32>
      %2 = arith.subf %1, %0 : f32
      memref.store %2, %y[%i] : memref<500xf32>
    }
  }
  memref.dealloc %b : memref<500x301xf32>
  return
}

// Of a buffer that stays as it is, each row has elements before the first register.
// CHECK-LABEL: func.func @rows
// CHECK:         memref.extract_aligned_pointer_as_index
func.func @rows(%x: memref<500x301xf32>) -> memref<500x301xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c301 = arith.constant 301 : index
  %c500 = arith.constant 500 : index
  %b = memref.alloc() {alignment = 64 : i64} : memref<500x301xf32>
  scf.for %i = %c0 to %c500 step %c1 {
    scf.for %j = %c0 to %c301 step %c1 {
      %0 = memref.load %x[%i, %j] : memref<500x301xf32>
      %1 = arith.mulf %0, %0 : f32
      memref.store %1, %b[%i, %j] : memref<500x301xf32>
    }
  }
  return %b : memref<500x301xf32>
}
