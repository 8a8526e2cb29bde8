// RUN: freehold opt %s --lower-affine | FileCheck %s
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s --threads=3 | FileCheck %s --check-prefix=OUT

// CHECK-LABEL: func.func @access
// CHECK:         arith.muli
// CHECK:         arith.addi
// CHECK:         memref.load
// CHECK:         arith.andi
// CHECK:         memref.store
func.func @access(%m: memref<?xi64>, %i: index) {
  %v = affine.load %m[%i * 2 + 1] : memref<?xi64>
  affine.store %v, %m[%i mod 8] : memref<?xi64>
  return
}

// A parallel loop stays one; its reductions get regions.
// CHECK-LABEL: func.func @parallel
// CHECK-SAME:    %[[M:.*]]: memref<4x5xf32>, %[[N:.*]]: index, %[[K:.*]]: index
// CHECK:         %[[LOW:.*]] = arith.maxsi %[[N]], %{{.*}} : index
// CHECK:         %[[HIGH:.*]] = arith.minsi %[[K]], %{{.*}} : index
// CHECK:         scf.parallel (%[[I:.*]], %[[J:.*]]) = (%c0, %[[LOW]]) to (%[[N]], %[[HIGH]]) step (%c2, %{{.*}}) init (%cst, %{{.*}}) -> (f32, f32) {
// CHECK-NEXT:      %[[X:.*]] = memref.load %[[M]][%[[I]], %[[J]]] : memref<4x5xf32>
// CHECK-NEXT:      scf.reduce(%[[X]], %[[X]] : f32, f32) {
// CHECK-NEXT:      ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32):
// CHECK-NEXT:        %[[SUM:.*]] = arith.addf %[[A]], %[[B]] : f32
// CHECK-NEXT:        scf.reduce.return %[[SUM]] : f32
// CHECK-NEXT:      }, {
// CHECK:             arith.maximumf
func.func @parallel(%m: memref<4x5xf32>, %n: index, %k: index) -> (f32, f32) {
  %r:2 = affine.parallel (%i, %j) = (0, max(%n, 1)) to (%n, min(%k, 5)) step (2, 1) reduce ("addf", "maximumf") -> (f32, f32) {
    %x = affine.load %m[%i, %j] : memref<4x5xf32>
    affine.yield %x, %x : f32, f32
  }
  return %r#0, %r#1 : f32, f32
}

func.func private @printI64(i64)
func.func private @printNewline()

// Sums over a triangle, an even-odd condition, and a parallel reduction.
// CHECK-LABEL: func.func @main
// CHECK-NOT:     affine.
// OUT: 45
// OUT-NEXT: 20
// OUT-NEXT: 10
// OUT-NEXT: 20
func.func @main() {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 10 : index
  %triangle = affine.for %i = 0 to %n iter_args(%a = %zero) -> (i64) {
    %row = affine.for %j = 0 to affine_map<(d0) -> (d0)>(%i) iter_args(%b = %a) -> (i64) {
      %next = arith.addi %b, %one : i64
      affine.yield %next : i64
    }
    affine.yield %row : i64
  }
  func.call @printI64(%triangle) : (i64) -> ()
  func.call @printNewline() : () -> ()
  %evens = affine.for %i = 0 to 10 iter_args(%a = %zero) -> (i64) {
    %r = affine.if affine_set<(d0) : (d0 mod 2 == 0)>(%i) -> i64 {
      %v = arith.index_cast %i : index to i64
      affine.yield %v : i64
    } else {
      affine.yield %zero : i64
    }
    %next = arith.addi %a, %r : i64
    affine.yield %next : i64
  }
  func.call @printI64(%evens) : (i64) -> ()
  func.call @printNewline() : () -> ()
  %sum = affine.parallel (%i, %j) = (0, 0) to (5, 2) reduce ("addi") -> i64 {
    affine.yield %one : i64
  }
  func.call @printI64(%sum) : (i64) -> ()
  func.call @printNewline() : () -> ()
  %m = memref.alloc() : memref<4x5xi64>
  affine.parallel (%i, %j) = (0, 0) to (4, 5) {
    affine.store %one, %m[%i, %j] : memref<4x5xi64>
  }
  %stored = affine.parallel (%i, %j) = (0, 0) to (4, 5) reduce ("addi") -> i64 {
    %x = affine.load %m[%i, %j] : memref<4x5xi64>
    affine.yield %x : i64
  }
  func.call @printI64(%stored) : (i64) -> ()
  func.call @printNewline() : () -> ()
  return
}
