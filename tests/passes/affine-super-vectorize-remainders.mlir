// Trip counts that the vector's size does not divide, or that nobody knows.
//
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=8 vectorize-reductions" | FileCheck %s
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=4,2 test-fastest-varying=0,1" | FileCheck %s --check-prefix=TRANSPOSED
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=8 vectorize-reductions" | freehold run - | FileCheck %s --check-prefix=PRINTED
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=4,2 test-fastest-varying=0,1" | freehold run - | FileCheck %s --check-prefix=PRINTED
// RUN: freehold run %s | FileCheck %s --check-prefix=PRINTED

// The memory goes on behind the loop: what is stored there has to stay.
// CHECK-LABEL: func.func private @stored
// CHECK:         affine.for %[[I:.*]] = 3 to 13 step 8 {
// CHECK-NEXT:      %[[LEFT:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK-NEXT:      %[[MASK:.*]] = vector.create_mask %[[LEFT]] : vector<8xi1>
// CHECK:           vector.transfer_read %arg0[%[[I]]], %{{.*}} : memref<20xi32>, vector<8xi32>
// CHECK:           vector.transfer_write %{{.*}}, %arg0[%[[I]]], %[[MASK]] : vector<8xi32>, memref<20xi32>
func.func private @stored(%m: memref<20xi32>) {
  affine.for %i = 3 to 13 {
    %x = affine.load %m[%i] : memref<20xi32>
    %y = arith.muli %x, %x : i32
    affine.store %y, %m[%i] : memref<20xi32>
  }
  return
}

// Here it ends, also behind a shift.
// CHECK-LABEL: func.func private @ends
// CHECK:         affine.for %[[I:.*]] = 0 to 20 step 8 {
// CHECK-NOT:       mask
// CHECK:           vector.transfer_write %{{.*}}, %arg0[%[[I]]] : vector<8xi32>, memref<20xi32>
// CHECK:         affine.for %[[I:.*]] = 0 to 18 step 8 {
// CHECK-NOT:       mask
// CHECK:           vector.transfer_write %{{.*}}, %arg0[%{{.*}}] : vector<8xi32>, memref<20xi32>
// CHECK:         return
func.func private @ends(%m: memref<20xi32>) {
  affine.for %i = 0 to 20 {
    %x = affine.load %m[%i] : memref<20xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %m[%i] : memref<20xi32>
  }
  affine.for %i = 0 to 18 {
    %x = affine.load %m[%i + 2] : memref<20xi32>
    %y = arith.addi %x, %x : i32
    affine.store %y, %m[%i + 2] : memref<20xi32>
  }
  return
}

// Parts beyond the end are not combined. An end may be a value, or the least of several.
// CHECK-LABEL: func.func private @combined
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0> : vector<8xi32>
// CHECK:         affine.for %[[I:.*]] = 0 to 13 step 8 iter_args(%[[SUM:.*]] = %[[ZERO]]) -> (vector<8xi32>) {
// CHECK-NEXT:      %[[LEFT:.*]] = affine.apply #{{.*}}(%[[I]])
// CHECK-NEXT:      %[[MASK:.*]] = vector.create_mask %[[LEFT]] : vector<8xi1>
// CHECK:           %[[X:.*]] = vector.transfer_read %arg0[%[[I]]]
// CHECK:           %[[Y:.*]] = arith.select %[[MASK]], %[[X]], %[[ZERO]] : vector<8xi1>, vector<8xi32>
// CHECK:           arith.addi %[[SUM]], %[[Y]] : vector<8xi32>
// CHECK:         affine.for %[[I:.*]] = 0 to %arg1 step 8
// CHECK-NEXT:      affine.apply #{{.*}}(%[[I]])[%arg1]
// CHECK:         affine.for %[[I:.*]] = 0 to min #[[MAP:.*]](%arg1)
// CHECK-NEXT:      %[[END:.*]] = affine.min #[[MAP]](%arg1)
// CHECK-NEXT:      affine.apply #{{.*}}(%[[END]], %[[I]])
func.func private @combined(%m: memref<20xi32>, %n: index) -> (i32, i32, i32) {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = affine.for %i = 0 to 13 iter_args(%s = %zero) -> i32 {
    %x = affine.load %m[%i] : memref<20xi32>
    %t = arith.addi %s, %x : i32
    affine.yield %t : i32
  }
  %b = affine.for %i = 0 to %n iter_args(%s = %one) -> i32 {
    %x = affine.load %m[%i + 1] : memref<20xi32>
    %t = arith.muli %s, %x : i32
    affine.yield %t : i32
  }
  %c = affine.for %i = 0 to min affine_map<(d0) -> (d0 + 3, 9)>(%n) iter_args(%s = %zero) -> i32 {
    %x = affine.load %m[%i] : memref<20xi32>
    %t = arith.maxsi %s, %x : i32
    affine.yield %t : i32
  }
  return %a, %b, %c : i32, i32, i32
}

// What elements behind the end are nobody knows, so nothing is divided by them.
// CHECK-LABEL: func.func private @divided
// CHECK-NOT:     vector.transfer
// CHECK:         return
func.func private @divided(%m: memref<20xi32>) {
  affine.for %i = 0 to 13 {
    %x = affine.load %m[%i] : memref<20xi32>
    %y = arith.divsi %x, %x : i32
    affine.store %y, %m[%i] : memref<20xi32>
  }
  return
}

// The mask has the order of the memory.
// TRANSPOSED-LABEL: func.func private @transposed
// TRANSPOSED:         affine.for %[[I:.*]] = 0 to 6 step 4 {
// TRANSPOSED-NEXT:      affine.for %[[J:.*]] = 0 to 4 step 2 {
// TRANSPOSED:             %[[MASK:.*]] = vector.create_mask %c2, %{{.*}} : vector<2x4xi1>
// TRANSPOSED:             vector.transfer_write %{{.*}}, %arg0[%[[J]], %[[I]]], %[[MASK]] {{.*}} : vector<4x2xi32>, memref<5x8xi32>
func.func private @transposed(%m: memref<5x8xi32>) {
  affine.for %i = 0 to 6 {
    affine.for %j = 0 to 4 {
      %x = affine.load %m[%j, %i] : memref<5x8xi32>
      %y = arith.addi %x, %x : i32
      affine.store %y, %m[%j, %i] : memref<5x8xi32>
    }
  }
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %z = arith.constant 0 : i32
  %m = memref.alloc() : memref<20xi32>
  affine.for %i = 0 to 20 {
    %v = arith.index_cast %i : index to i32
    affine.store %v, %m[%i] : memref<20xi32>
  }
  // PRINTED: 78
  // PRINTED: 120
  // PRINTED: 7
  %r:3 = call @combined(%m, %c5) : (memref<20xi32>, index) -> (i32, i32, i32)
  vector.print %r#0 : i32
  vector.print %r#1 : i32
  vector.print %r#2 : i32
  // PRINTED: 0, 1, 2, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 13, 14, 15, 16, 17, 18, 19
  call @stored(%m) : (memref<20xi32>) -> ()
  %s = vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<20xi32>, vector<20xi32>
  vector.print %s : vector<20xi32>
  // PRINTED: 0, 2, 8, 36, 64, 100, 144, 196, 256, 324, 400, 484, 576, 52, 56, 60, 64, 68, 72, 76
  call @ends(%m) : (memref<20xi32>) -> ()
  %e = vector.transfer_read %m[%c0], %z {in_bounds = [true]} : memref<20xi32>, vector<20xi32>
  vector.print %e : vector<20xi32>
  memref.dealloc %m : memref<20xi32>
  // PRINTED: ( ( 2, 2, 2, 2, 2, 2, 1, 1 ), ( 2, 2, 2, 2, 2, 2, 1, 1 ), ( 2, 2, 2, 2, 2, 2, 1, 1 ), ( 2, 2, 2, 2, 2, 2, 1, 1 ), ( 1, 1, 1, 1, 1, 1, 1, 1 ) )
  %t = memref.alloc() : memref<5x8xi32>
  %one = arith.constant 1 : i32
  linalg.fill ins(%one : i32) outs(%t : memref<5x8xi32>)
  call @transposed(%t) : (memref<5x8xi32>) -> ()
  %u = vector.transfer_read %t[%c0, %c0], %z {in_bounds = [true, true]} : memref<5x8xi32>, vector<5x8xi32>
  vector.print %u : vector<5x8xi32>
  memref.dealloc %t : memref<5x8xi32>
  return
}
