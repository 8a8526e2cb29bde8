// Spellings of MLIR 22: sizes that are numbers, loops that compare without a sign; custom and generic form.

// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @places
func.func @places(%i: index, %n: index) -> (index, index, index) {
  // CHECK: affine.delinearize_index %{{.*}} into (2, %{{.*}}, 4) : index, index, index
  %0:3 = affine.delinearize_index %i into (2, %n, 4) : index, index, index
  // CHECK: affine.delinearize_index %{{.*}} into (%{{.*}}, 4) : index, index, index
  %1:3 = affine.delinearize_index %i into (%n, 4) : index, index, index
  // CHECK: affine.delinearize_index %{{.*}} into (%{{.*}}, %{{.*}}) : index, index
  // GENERIC: "affine.delinearize_index"(%{{.*}}, %{{.*}}, %{{.*}}) <{static_basis = array<i64: -9223372036854775808, -9223372036854775808>}>
  %2:2 = affine.delinearize_index %i into (%n, %n) : index, index
  // The outermost size may be missing.
  // CHECK: affine.delinearize_index %{{.*}} into (%{{.*}}, %{{.*}}) : index, index, index
  // GENERIC: "affine.delinearize_index"(%{{.*}}, %{{.*}}, %{{.*}}) <{static_basis = array<i64: -9223372036854775808, -9223372036854775808>}> : (index, index, index) -> (index, index, index)
  %5:3 = affine.delinearize_index %i into (%n, %n) : index, index, index
  // CHECK: affine.delinearize_index %{{.*}} into () : index
  // GENERIC: "affine.delinearize_index"(%{{.*}}) <{static_basis = array<i64>}>
  %6 = affine.delinearize_index %i into () : index
  // CHECK: affine.linearize_index [%{{.*}}, %{{.*}}] by (%{{.*}}, 4) : index
  %3 = affine.linearize_index [%0#0, %0#1] by (%n, 4) : index
  // CHECK: affine.linearize_index disjoint [%{{.*}}, %{{.*}}, %{{.*}}] by (%{{.*}}, 4) : index
  %4 = affine.linearize_index disjoint [%0#0, %0#1, %i] by (%n, 4) : index
  return %1#0, %3, %4 : index, index, index
}

// CHECK-LABEL: func.func @loops
func.func @loops(%lb: index, %ub: index, %x: i8, %v: f32) -> f32 {
  // CHECK: scf.for unsigned %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
  scf.for unsigned %j = %lb to %ub step %lb {
  }
  // CHECK: scf.for unsigned %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %{{.*}}) -> (f32) : i8 {
  %r = scf.for unsigned %j = %x to %x step %x iter_args(%a = %v) -> (f32) : i8 {
    scf.yield %a : f32
  }
  return %r : f32
}

// `true` means what `disjoint` does.
// CHECK-LABEL: func.func @generic
func.func @generic(%i: index) -> index {
  // CHECK: affine.linearize_index disjoint [%{{.*}}] by (4) : index
  %0 = "affine.linearize_index"(%i) <{disjoint = true, operandSegmentSizes = array<i32: 1, 0>, static_basis = array<i64: 4>}> : (index) -> index
  return %0 : index
}
