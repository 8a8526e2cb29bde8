// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=8 vectorize-reductions" | FileCheck %s
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=8" | FileCheck %s --check-prefix=WITHOUT
// RUN: freehold run %s | FileCheck %s --check-prefix=PRINTED
// RUN: freehold opt %s --affine-super-vectorize="virtual-vector-size=8 vectorize-reductions" | freehold run - | FileCheck %s --check-prefix=PRINTED

// WITHOUT-NOT: vector<8x

// Two values, one of which begins with what changes nothing.
// CHECK-LABEL: func.func @both
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0> : vector<8xi32>
// CHECK-DAG:     %[[LEAST:.*]] = arith.constant dense<-2147483648> : vector<8xi32>
// CHECK:         %[[R:.*]]:2 = affine.for %[[I:.*]] = 0 to 64 step 8 iter_args(%[[S:.*]] = %[[ZERO]], %[[M:.*]] = %[[LEAST]]) -> (vector<8xi32>, vector<8xi32>) {
// CHECK:           %[[A:.*]] = vector.transfer_read %arg0[%[[I]]]
// CHECK:           %[[T:.*]] = arith.addi %[[S]], %[[A]] : vector<8xi32>
// CHECK:           %[[X:.*]] = arith.maxsi %[[A]], %[[M]] : vector<8xi32>
// CHECK:           affine.yield %[[T]], %[[X]] : vector<8xi32>, vector<8xi32>
// CHECK-DAG:     %[[SUM:.*]] = vector.reduction <add>, %[[R]]#0 : vector<8xi32> into i32
// CHECK-DAG:     %[[MOST:.*]] = vector.reduction <maxsi>, %[[R]]#1 : vector<8xi32> into i32
// CHECK-DAG:     %[[BOTH:.*]] = arith.maxsi %[[MOST]], %arg1 : i32
// CHECK:         return %[[SUM]], %[[BOTH]] : i32, i32
func.func @both(%A: memref<64xi32>, %init: i32) -> (i32, i32) {
  %z = arith.constant 0 : i32
  %r:2 = affine.for %i = 0 to 64 iter_args(%s = %z, %m = %init) -> (i32, i32) {
    %a = affine.load %A[%i] : memref<64xi32>
    %t = arith.addi %s, %a : i32
    %x = arith.maxsi %a, %m : i32
    affine.yield %t, %x : i32, i32
  }
  return %r#0, %r#1 : i32, i32
}

// CHECK-LABEL: func.func @floats
// CHECK:         arith.constant dense<-0.000000e+00> : vector<8xf32>
// CHECK:         arith.addf %{{.*}}, %{{.*}} fastmath<reassoc> : vector<8xf32>
func.func @floats(%A: memref<64xf32>) -> f32 {
  %z = arith.constant -0.0 : f32
  %r = affine.for %i = 0 to 64 iter_args(%s = %z) -> f32 {
    %a = affine.load %A[%i] : memref<64xf32>
    %t = arith.addf %s, %a fastmath<reassoc> : f32
    affine.yield %t : f32
  }
  return %r : f32
}

// Not: a sum of floats in its order, a value that is used on the way, one that is no combination, and another one beside it.
// CHECK-LABEL: func.func @kept
// CHECK-NOT:     vector
// CHECK:         return
func.func @kept(%A: memref<64xf32>, %B: memref<64xi32>) -> (f32, i32, i32) {
  %z = arith.constant 0.0 : f32
  %zi = arith.constant 0 : i32
  %r = affine.for %i = 0 to 64 iter_args(%s = %z) -> f32 {
    %a = affine.load %A[%i] : memref<64xf32>
    %t = arith.addf %s, %a : f32
    affine.yield %t : f32
  }
  %q = affine.for %i = 0 to 64 iter_args(%s = %zi) -> i32 {
    %a = affine.load %B[%i] : memref<64xi32>
    %t = arith.addi %s, %a : i32
    affine.store %t, %B[%i] : memref<64xi32>
    affine.yield %t : i32
  }
  %p:2 = affine.for %i = 0 to 64 iter_args(%s = %zi, %u = %zi) -> (i32, i32) {
    %a = affine.load %B[%i] : memref<64xi32>
    %t = arith.addi %s, %a : i32
    %v = arith.subi %a, %u : i32
    affine.yield %t, %v : i32, i32
  }
  return %r, %q, %p#1 : f32, i32, i32
}

// PRINTED:      20160
// PRINTED-NEXT: 1000
func.func @main() {
  %m = memref.alloc() : memref<64xi32>
  affine.for %i = 0 to 64 {
    %v = affine.apply affine_map<(d0) -> (10 * d0)>(%i)
    %w = arith.index_cast %v : index to i32
    affine.store %w, %m[%i] : memref<64xi32>
  }
  %init = arith.constant 1000 : i32
  %r:2 = call @both(%m, %init) : (memref<64xi32>, i32) -> (i32, i32)
  vector.print %r#0 : i32
  vector.print %r#1 : i32
  memref.dealloc %m : memref<64xi32>
  return
}
