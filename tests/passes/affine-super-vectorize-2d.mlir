// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=4,8" | FileCheck %s
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=4,8 test-fastest-varying=1,0" | FileCheck %s --check-prefix=ROWS
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=8 test-fastest-varying=1" | FileCheck %s --check-prefix=OUTER
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=8" | FileCheck %s --check-prefix=INNER
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=4,8" | freehold run - | FileCheck %s --check-prefix=PRINTED
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=8 test-fastest-varying=1" | freehold run - | FileCheck %s --check-prefix=PRINTED
// RUN: not freehold opt %s --affine-super-vectorize="virtual-vector-size=4,8 test-fastest-varying=0" 2>&1 | FileCheck %s --check-prefix=DIMS
// RUN: not freehold opt %s --affine-super-vectorize="virtual-vector-size=4,8 vectorize-reductions" 2>&1 | FileCheck %s --check-prefix=REDUCTIONS

// DIMS: error: 'test-fastest-varying' has to be 2 numbers, one for each size
// REDUCTIONS: error: 'vectorize-reductions' is for vectors of one dimension

// CHECK-DAG:   #[[T:.*]] = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-DAG:   #[[ROW:.*]] = affine_map<(d0) -> (0, d0)>
// OUTER-DAG:   #[[COLUMN:.*]] = affine_map<(d0, d1) -> (d0)>

// The two inner loops, or the one that goes along another dimension than the last one.
// CHECK-LABEL: func.func @add
// CHECK:         affine.for %[[K:.*]] = 0 to 3 {
// CHECK:           affine.for %[[I:.*]] = 0 to 8 step 4 {
// CHECK:             affine.for %[[J:.*]] = 0 to 16 step 8 {
// CHECK:               %[[A:.*]] = vector.transfer_read %arg0[%[[K]], %[[I]], %[[J]]], %{{.*}} : memref<3x8x16xf32>, vector<4x8xf32>
// CHECK:               %[[R:.*]] = vector.transfer_read %arg1[%[[J]]], %{{.*}} {in_bounds = [true, false], permutation_map = #[[ROW]]} : memref<16xf32>, vector<4x8xf32>
// CHECK:               %[[S:.*]] = arith.addf %[[A]], %[[R]] : vector<4x8xf32>
// CHECK:               vector.transfer_write %[[S]], %arg0[%[[K]], %[[I]], %[[J]]] : vector<4x8xf32>, memref<3x8x16xf32>
// ROWS-LABEL:  func.func @add
// ROWS:          vector<4x8xf32>
// OUTER-LABEL: func.func @add
// OUTER:         affine.for %{{.*}} = 0 to 3 {
// OUTER:           affine.for %{{.*}} = 0 to 8 step 8 {
// OUTER:             affine.for %{{.*}} = 0 to 16 {
// OUTER:               affine.load %arg1
// INNER-LABEL: func.func @add
// INNER:         affine.for %{{.*}} = 0 to 8 {
// INNER:           affine.for %{{.*}} = 0 to 16 step 8 {
func.func @add(%A: memref<3x8x16xf32> {llvm.noalias}, %R: memref<16xf32> {llvm.noalias}) {
  affine.for %k = 0 to 3 {
    affine.for %i = 0 to 8 {
      affine.for %j = 0 to 16 {
        %a = affine.load %A[%k, %i, %j] : memref<3x8x16xf32>
        %r = affine.load %R[%j] : memref<16xf32>
        %s = arith.addf %a, %r : f32
        affine.store %s, %A[%k, %i, %j] : memref<3x8x16xf32>
      }
    }
  }
  return
}

// CHECK-LABEL: func.func @columns
// CHECK:         vector.transfer_read %arg0[%{{.*}}, %{{.*}}], %{{.*}} {permutation_map = #[[T]]} : memref<16x8xi32>, vector<4x8xi32>
// CHECK:         vector.transfer_write %{{.*}} {permutation_map = #[[T]]} : vector<4x8xi32>, memref<16x8xi32>
// ROWS-LABEL:  func.func @columns
// ROWS-NOT:      vector
// ROWS:          return
// OUTER-LABEL: func.func @columns
// OUTER:         affine.for %{{.*}} = 0 to 8 {
// OUTER:           affine.for %{{.*}} = 0 to 16 step 8 {
// OUTER:             vector.transfer_read {{.*}} {permutation_map = #[[COLUMN]]} : memref<16x8xi32>, vector<8xi32>
func.func @columns(%A: memref<16x8xi32>) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      %a = affine.load %A[%j, %i] : memref<16x8xi32>
      %s = arith.addi %a, %a : i32
      affine.store %s, %A[%j, %i] : memref<16x8xi32>
    }
  }
  return
}

// Not: a diagonal, a transposition, an outer loop that does something else as well, an iteration of the outer loop that
// needs another one.
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     vector
// CHECK:         return
func.func @kept(%A: memref<24x24xf32> {llvm.noalias}, %B: memref<24x24xf32> {llvm.noalias}) {
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      %a = affine.load %A[%i + %j, %j] : memref<24x24xf32>
      affine.store %a, %B[%i, %j] : memref<24x24xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      %a = affine.load %A[%i, %j] : memref<24x24xf32>
      affine.store %a, %B[%j, %i] : memref<24x24xf32>
    }
  }
  affine.for %i = 0 to 8 {
    %b = affine.load %B[%i, 0] : memref<24x24xf32>
    affine.for %j = 0 to 16 {
      affine.store %b, %A[%i, %j] : memref<24x24xf32>
    }
  }
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 16 {
      %a = affine.load %A[%i, %j] : memref<24x24xf32>
      affine.store %a, %A[%i + 1, %j] : memref<24x24xf32>
    }
  }
  return
}

// PRINTED:      ( 0, 2, 4, 6, 8, 10, 12, 14 )
// PRINTED-NEXT: ( 20, 22, 24, 26, 28, 30, 32, 34 )
func.func @main() {
  %m = memref.alloc() : memref<16x8xi32>
  affine.for %i = 0 to 16 {
    affine.for %j = 0 to 8 {
      %v = affine.apply affine_map<(d0, d1) -> (10 * d0 + d1)>(%i, %j)
      %w = arith.index_cast %v : index to i32
      affine.store %w, %m[%i, %j] : memref<16x8xi32>
    }
  }
  call @columns(%m) : (memref<16x8xi32>) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0 : i32
  %r = vector.transfer_read %m[%c0, %c0], %z {in_bounds = [true]} : memref<16x8xi32>, vector<8xi32>
  vector.print %r : vector<8xi32>
  %s = vector.transfer_read %m[%c1, %c0], %z {in_bounds = [true]} : memref<16x8xi32>, vector<8xi32>
  vector.print %s : vector<8xi32>
  memref.dealloc %m : memref<16x8xi32>
  return
}
