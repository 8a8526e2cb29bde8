// What MLIR 22 has besides: results, kinds and flags.
//
// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s --mlir-version=22 --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC
// RUN: freehold opt %s --mlir-version=22 --mlir-print-op-generic | freehold opt --mlir-version=22 | FileCheck %s

// CHECK-LABEL: func.func @aligned
// GENERIC-LABEL: sym_name = "aligned"
func.func @aligned(%m: memref<8xf32>, %i: index) -> f32 {
  // The result is the operand.
  // CHECK: memref.assume_alignment %[[M:.*]], 16 : memref<8xf32>
  // CHECK: memref.load %[[M]]
  // GENERIC: "memref.assume_alignment"(%{{.*}}) <{alignment = 16 : i32}> : (memref<8xf32>) -> memref<8xf32>
  %a = memref.assume_alignment %m, 16 : memref<8xf32>
  %x = memref.load %a[%i] : memref<8xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @kinds
func.func @kinds(%f: memref<8xf32>, %n: memref<8xi32>, %x: f32, %y: i32, %i: index) {
  // CHECK: memref.atomic_rmw maxnumf
  // GENERIC: kind = 5 : i64
  %0 = memref.atomic_rmw maxnumf %x, %f[%i] : (f32, memref<8xf32>) -> f32
  // CHECK: memref.atomic_rmw andi
  // GENERIC: kind = 2 : i64
  %1 = memref.atomic_rmw andi %y, %n[%i] : (i32, memref<8xi32>) -> i32
  // CHECK: memref.atomic_rmw xori
  // GENERIC: kind = 15 : i64
  %2 = memref.atomic_rmw xori %y, %n[%i] : (i32, memref<8xi32>) -> i32
  // CHECK: affine.parallel {{.*}} reduce ("mulf")
  // GENERIC: reductions = [12]
  %3 = affine.parallel (%j) = (0) to (8) reduce ("mulf") -> f32 {
    affine.yield %x : f32
  }
  return
}

// CHECK-LABEL: func.func @flags
func.func @flags(%x: i64, %i: index) -> i32 {
  // CHECK: arith.trunci %{{.*}} overflow<nsw, nuw> : i64 to i32
  // GENERIC: "arith.trunci"(%{{.*}}) <{overflowFlags = #arith.overflow<nsw, nuw>}>
  %0 = arith.trunci %x overflow<nsw, nuw> : i64 to i32
  // GENERIC: "affine.if"(%{{.*}}) <{condition = #{{.*}}}> ({
  affine.if affine_set<(d0) : (d0 >= 0)>(%i) {
  }
  return %0 : i32
}
