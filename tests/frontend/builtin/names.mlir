// Names of values: suggested by operations, made unique, numbered otherwise.

// RUN: freehold opt %s | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func.func @suggested(%arg0: index, %arg1: i1)
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %c1_0 = arith.constant 1 : index
// CHECK-NEXT:    %c-1_i8 = arith.constant -1 : i8
// CHECK-NEXT:    %cst = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %alloc = memref.alloc(%arg0) : memref<?xi8>
// CHECK-NEXT:    %alloc_1 = memref.alloc(%arg0) : memref<?xi8>
// CHECK-NEXT:    %0 = arith.addi %c1, %c1_0 : index
func.func @suggested(%n: index, %c: i1) {
  %a = arith.constant 1 : index
  %b = arith.constant 1 : index
  %d = arith.constant -1 : i8
  %e = arith.constant 1.0 : f32
  %f = arith.constant true
  %g = memref.alloc(%n) : memref<?xi8>
  %h = memref.alloc(%n) : memref<?xi8>
  %i = arith.addi %a, %b : index
  return
}

// Regions go on where the one around them ends, siblings alike.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT:    %0 = arith.addi
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      %2 = arith.addi
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        %3 = arith.addi
// CHECK:         } else {
// CHECK-NEXT:      %2 = arith.addi
// CHECK-NEXT:    }
// CHECK-NEXT:    %1 = arith.addi
func.func @nested(%a: i32, %c: i1) {
  %0 = arith.addi %a, %a : i32
  scf.if %c {
    %1 = arith.addi %0, %a : i32
    scf.if %c {
      %2 = arith.addi %0, %a : i32
    }
  } else {
    %1 = arith.addi %0, %a : i32
  }
  %3 = arith.addi %a, %a : i32
  return
}

// In generic form every name occurs once; the last function comes first.
// GENERIC-LABEL: sym_name = "nested"
// GENERIC-NEXT:  ^bb0(%arg1: i32, %arg2: i1):
// GENERIC-NEXT:    %1 = "arith.addi"(%arg1, %arg1)
// GENERIC-LABEL: sym_name = "last"
// GENERIC-NEXT:  ^bb0(%arg0: i32):
// GENERIC-NEXT:    %0 = "arith.addi"(%arg0, %arg0)
func.func @last(%a: i32) {
  %0 = arith.addi %a, %a : i32
  return
}
