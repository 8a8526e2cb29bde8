// RUN: freehold opt %s --affine-scalrep | FileCheck %s

// CHECK-LABEL: func.func @forward
// CHECK-NEXT:    affine.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:      affine.store %arg1, %arg0[%[[I]]]
// CHECK-NEXT:      affine.store %arg1, %arg0[%[[I]] + 1]
// CHECK-NEXT:      arith.addf %arg1, %arg1
func.func @forward(%m: memref<9xf32>, %f: f32) {
  affine.for %i = 0 to 8 {
    affine.store %f, %m[%i] : memref<9xf32>
    affine.store %f, %m[%i + 1] : memref<9xf32>
    %v = affine.load %m[%i] : memref<9xf32>
    %w = arith.addf %v, %v : f32
    func.call @use(%w) : (f32) -> ()
  }
  return
}

// Into a loop that writes nothing, and a buffer that nobody reads any more.
// CHECK-LABEL: func.func @into
// CHECK-NEXT:    affine.for %[[I:.*]] = 0 to 8 {
// CHECK-NEXT:      affine.store %arg0, %arg1[%[[I]]]
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @into(%f: f32, %o: memref<8xf32>) {
  %m = memref.alloc() : memref<f32>
  affine.store %f, %m[] : memref<f32>
  affine.for %i = 0 to 8 {
    %v = affine.load %m[] : memref<f32>
    affine.store %v, %o[%i] : memref<8xf32>
  }
  memref.dealloc %m : memref<f32>
  return
}

// A later iteration sees what this one writes; the other argument may be the same buffer; a call may write.
// CHECK-LABEL: func.func @kept
// CHECK-COUNT-3: affine.load
func.func @kept(%m: memref<f32>, %o: memref<f32>, %f: f32, %g: f32) {
  affine.store %f, %m[] : memref<f32>
  affine.for %i = 0 to 8 {
    %v = affine.load %m[] : memref<f32>
    %w = arith.addf %v, %g : f32
    affine.store %w, %m[] : memref<f32>
  }
  affine.store %f, %m[] : memref<f32>
  affine.store %g, %o[] : memref<f32>
  %a = affine.load %m[] : memref<f32>
  func.call @use(%a) : (f32) -> ()
  %b = affine.load %m[] : memref<f32>
  func.call @use(%b) : (f32) -> ()
  return
}
// Rows that overlap: the second store is to the place of the first one.
// CHECK-LABEL: func.func @rows
// CHECK:         affine.load
func.func @rows(%m: memref<8x8xf32, strided<[1, 1]>>, %f: f32, %g: f32) {
  affine.store %f, %m[0, 1] : memref<8x8xf32, strided<[1, 1]>>
  affine.store %g, %m[1, 0] : memref<8x8xf32, strided<[1, 1]>>
  %a = affine.load %m[0, 1] : memref<8x8xf32, strided<[1, 1]>>
  func.call @use(%a) : (f32) -> ()
  return
}
func.func private @use(f32)
