// Operands that are no constants cancel in affine maps only where they are the same value.

// RUN: freehold opt %s --canonicalize | FileCheck %s
// RUN: freehold run %s -O0 --entry-point-result=void | FileCheck %s --check-prefix=OUT
// RUN: freehold run %s -O2 --entry-point-result=void | FileCheck %s --check-prefix=OUT

func.func private @printI64(i64)
func.func private @printNewline()

// CHECK-LABEL: func.func @differences
// CHECK-SAME: (%[[A:.*]]: index, %[[B:.*]]: index)
func.func @differences(%a: index, %b: index) -> (index, index, index, index) attributes {passthrough = ["noinline"]} {
  // CHECK-DAG: %[[SEVEN:.*]] = arith.constant 7 : index
  // CHECK-DAG: %[[D:.*]] = affine.apply #{{.*}}()[%[[A]], %[[B]]]
  %d = affine.apply affine_map<(d0, d1) -> (d0 - d1)>(%a, %b)
  // CHECK-DAG: %[[S:.*]] = affine.apply #{{.*}}()[%[[A]], %[[B]]]
  %s = affine.apply affine_map<(d0)[s0] -> (s0 * 2 - d0 * 2 + 7)>(%a)[%b]
  %same = affine.apply affine_map<(d0, d1) -> (d0 - d1 + 7)>(%a, %a)
  // CHECK-DAG: %[[M:.*]] = affine.max #{{.*}}()[%[[A]], %[[B]]]
  %m = affine.max affine_map<(d0, d1) -> (d0 - d1, d1 - d0)>(%a, %b)
  // CHECK: return %[[D]], %[[S]], %[[SEVEN]], %[[M]]
  return %d, %s, %same, %m : index, index, index, index
}

// CHECK-LABEL: func.func @tiles
func.func @tiles(%n: index, %out: memref<?xi64>) attributes {passthrough = ["noinline"]} {
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %tile = arith.constant 3 : index
  // CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N:.*]] step
  scf.for %i = %zero to %n step %tile {
    // CHECK-NEXT: %[[SIZE:.*]] = affine.min #{{.*}}(%[[I]])[%[[N]]]
    %size = affine.min affine_map<(d0)[s0] -> (3, s0 - d0)>(%i)[%n]
    // CHECK-NEXT: scf.for %{{.*}} = %{{.*}} to %[[SIZE]] step
    scf.for %j = %zero to %size step %step {
      %at = affine.apply affine_map<(d0, d1) -> (d0 + d1)>(%i, %j)
      %value = arith.index_cast %at : index to i64
      memref.store %value, %out[%at] : memref<?xi64>
    }
  }
  return
}

// OUT: 14
// OUT-NEXT: -21
// OUT-NEXT: 7
// OUT-NEXT: 14
// OUT-NEXT: 21
func.func @main() {
  %a = arith.constant 18 : index
  %b = arith.constant 4 : index
  %r:4 = call @differences(%a, %b) : (index, index) -> (index, index, index, index)
  call @print(%r#0) : (index) -> ()
  call @print(%r#1) : (index) -> ()
  call @print(%r#2) : (index) -> ()
  call @print(%r#3) : (index) -> ()
  %zero = arith.constant 0 : index
  %step = arith.constant 1 : index
  %n = arith.constant 7 : index
  %out = memref.alloc(%n) : memref<?xi64>
  call @tiles(%n, %out) : (index, memref<?xi64>) -> ()
  %sum = scf.for %i = %zero to %n step %step iter_args(%acc = %zero) -> (index) {
    %value = memref.load %out[%i] : memref<?xi64>
    %number = arith.index_cast %value : i64 to index
    %next = arith.addi %acc, %number : index
    scf.yield %next : index
  }
  call @print(%sum) : (index) -> ()
  return
}

func.func private @print(%value: index) {
  %number = arith.index_cast %value : index to i64
  call @printI64(%number) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}
