// RUN: freehold opt %s --fold-memref-alias-ops | FileCheck %s
// RUN: freehold opt %s --fold-memref-alias-ops | freehold run - | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT

// CHECK-LABEL: func.func @strides
// CHECK-NEXT:    %[[I:.*]] = affine.apply #{{.*}}()[%arg1, %arg3]
// CHECK-NEXT:    %[[J:.*]] = affine.apply #{{.*}}()[%arg2, %arg4]
// CHECK-NEXT:    memref.load %arg0[%[[I]], %[[J]]]
func.func @strides(%m: memref<12x32xf32>, %a: index, %b: index, %i: index, %j: index) -> f32 {
  %s = memref.subview %m[%a, %b] [4, 4] [2, %b] : memref<12x32xf32> to memref<4x4xf32, strided<[64, ?], offset: ?>>
  %v = memref.load %s[%i, %j] : memref<4x4xf32, strided<[64, ?], offset: ?>>
  return %v : f32
}

// A dimension less, and a view of a view.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT:    %[[J:.*]] = affine.apply #{{.*}}()[%arg2]
// CHECK-NEXT:    memref.load %arg0[%arg1, %[[J]]]
// CHECK-NEXT:    return
func.func @nested(%m: memref<12x32xf32>, %a: index, %j: index) -> f32 {
  %s = memref.subview %m[%a, 3] [1, 8] [1, 1] : memref<12x32xf32> to memref<8xf32, strided<[1], offset: ?>>
  %t = memref.subview %s[1] [2] [2] : memref<8xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[2], offset: ?>>
  %v = memref.load %t[%j] : memref<2xf32, strided<[2], offset: ?>>
  return %v : f32
}

// Transfers that may cross the edge of the view stay.
// CHECK-LABEL: func.func @vectors
// CHECK:         %[[S:.*]] = memref.subview %arg0[0, 0] [4, 8] [1, 1]
// CHECK:         vector.load %arg0[%{{.*}}, %{{.*}}] : memref<12x32xf32>, vector<4xf32>
// CHECK:         vector.transfer_read %arg0[%{{.*}}], %{{.*}} {in_bounds = [true]}
// CHECK:         vector.transfer_read %[[S]][
func.func @vectors(%m: memref<12x32xf32>, %i: index) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>) {
  %p = arith.constant 0.0 : f32
  %s = memref.subview %m[0, 0] [4, 8] [1, 1] : memref<12x32xf32> to memref<4x8xf32, strided<[32, 1]>>
  %a = vector.load %s[%i, %i] : memref<4x8xf32, strided<[32, 1]>>, vector<4xf32>
  %b = vector.transfer_read %s[%i, %i], %p {in_bounds = [true]} : memref<4x8xf32, strided<[32, 1]>>, vector<4xf32>
  %c = vector.transfer_read %s[%i, %i], %p : memref<4x8xf32, strided<[32, 1]>>, vector<4xf32>
  return %a, %b, %c : vector<4xf32>, vector<4xf32>, vector<4xf32>
}

// OUT:      13
// OUT-NEXT: 13
// OUT-NEXT: 13
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c13 = arith.constant 13 : index
  %m = memref.alloc() : memref<4x8xindex>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      %r = arith.muli %i, %c8 : index
      %k = arith.addi %r, %j : index
      memref.store %k, %m[%i, %j] : memref<4x8xindex>
    }
  }
  %flat = memref.collapse_shape %m [[0, 1]] : memref<4x8xindex> into memref<32xindex>
  %a = memref.load %flat[%c13] : memref<32xindex>
  vector.print %a : index
  %box = memref.expand_shape %flat [[0, 1, 2]] output_shape [2, 2, 8] : memref<32xindex> into memref<2x2x8xindex>
  %part = memref.subview %box[0, 1, 1] [2, 1, 4] [1, 1, 2] : memref<2x2x8xindex> to memref<2x4xindex, strided<[16, 2], offset: 9>>
  %c2 = arith.constant 2 : index
  %b = memref.load %part[%c0, %c2] : memref<2x4xindex, strided<[16, 2], offset: 9>>
  vector.print %b : index
  %c5 = arith.constant 5 : index
  %d = memref.load %box[%c0, %c1, %c5] : memref<2x2x8xindex>
  vector.print %d : index
  memref.dealloc %m : memref<4x8xindex>
  return
}
