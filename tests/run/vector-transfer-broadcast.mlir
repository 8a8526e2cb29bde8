// Transfers that repeat elements: MLIR 22 does not ask that such dimensions are said to be within memory, and what is
// printed says so for MLIR 19.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O2 | FileCheck %s
// RUN: freehold run %s -O3 --vector-bits=256 | FileCheck %s
// RUN: freehold opt %s | FileCheck %s --check-prefix=PRINTED

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %padding = arith.constant -1.0 : f32
  %m = memref.alloc() : memref<2x2xf32>
  %numbers = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf32>
  vector.transfer_write %numbers, %m[%c0, %c0] : vector<2x2xf32>, memref<2x2xf32>
  // CHECK: ( 4, 4, 4 )
  // PRINTED: vector.transfer_read %{{.*}} {in_bounds = [true], permutation_map = #map} : memref<2x2xf32>, vector<3xf32>
  %0 = vector.transfer_read %m[%c1, %c1], %padding {permutation_map = affine_map<(d0, d1) -> (0)>} : memref<2x2xf32>, vector<3xf32>
  vector.print %0 : vector<3xf32>
  // Rows beyond the edge are padding.
  // CHECK-NEXT: ( ( 3, 3 ), ( -1, -1 ) )
  // PRINTED: {in_bounds = [false, true], permutation_map = #map1}
  %1 = vector.transfer_read %m[%c1, %c0], %padding {permutation_map = affine_map<(d0, d1) -> (d0, 0)>} : memref<2x2xf32>, vector<2x2xf32>
  vector.print %1 : vector<2x2xf32>
  // CHECK-NEXT: ( ( 2, 2 ), ( 2, 2 ) )
  // PRINTED: {in_bounds = [true, true], permutation_map = #map2}
  %2 = vector.transfer_read %m[%c0, %c1], %padding {permutation_map = affine_map<(d0, d1) -> (0, 0)>} : memref<2x2xf32>, vector<2x2xf32>
  vector.print %2 : vector<2x2xf32>
  memref.dealloc %m : memref<2x2xf32>
  return
}
