// Softmax along either dimension, into the same buffer, of numbers whose
// exponentials overflow, and along a dimension without elements.

// RUN: freehold run %s --check=accesses | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold opt %s --convert-linalg-to-loops | FileCheck %s --check-prefix=LOOPS

func.func private @printMemrefF32(memref<*xf32>)
func.func private @printMemrefF64(memref<*xf64>)

memref.global "private" constant @numbers : memref<2x3xf32> = dense<[[0.0, 0.0, 0.0], [1000.0, 0.0, 1000.0]]>
memref.global "private" constant @powers : memref<3x2xf64> = dense<[[0.0, 1.0], [0.0, 1.0], [0.69314718055994531, 1.0]]>

// LOOPS-LABEL: func.func @rows
// LOOPS:       scf.for
// LOOPS:         scf.for {{.*}} iter_args
// LOOPS:           arith.maxnumf
// LOOPS:         scf.for {{.*}} iter_args
// LOOPS:           math.exp
// LOOPS:           memref.store
// LOOPS:           arith.addf
// LOOPS:         scf.for
// LOOPS:           arith.divf
// LOOPS-NOT:     linalg
func.func @rows(%in: memref<?x?xf32>, %out: memref<?x?xf32>) {
  linalg.softmax dimension(1) ins(%in : memref<?x?xf32>) outs(%out : memref<?x?xf32>)
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %numbers = memref.get_global @numbers : memref<2x3xf32>
  %in = memref.cast %numbers : memref<2x3xf32> to memref<?x?xf32>
  %out = memref.alloc() : memref<2x3xf32>
  %out_dynamic = memref.cast %out : memref<2x3xf32> to memref<?x?xf32>
  call @rows(%in, %out_dynamic) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  %out_unranked = memref.cast %out : memref<2x3xf32> to memref<*xf32>
  // CHECK:      [0.333333,{{ *}}0.333333,{{ *}}0.333333]
  // CHECK-NEXT: [0.5,{{ *}}0,{{ *}}0.5]
  call @printMemrefF32(%out_unranked) : (memref<*xf32>) -> ()

  %powers = memref.get_global @powers : memref<3x2xf64>
  %columns = memref.alloc() : memref<3x2xf64>
  memref.copy %powers, %columns : memref<3x2xf64> to memref<3x2xf64>
  linalg.softmax dimension(0) ins(%columns : memref<3x2xf64>) outs(%columns : memref<3x2xf64>)
  %columns_unranked = memref.cast %columns : memref<3x2xf64> to memref<*xf64>
  // CHECK:      [0.25,{{ *}}0.333333]
  // CHECK-NEXT: [0.25,{{ *}}0.333333]
  // CHECK-NEXT: [0.5,{{ *}}0.333333]
  call @printMemrefF64(%columns_unranked) : (memref<*xf64>) -> ()

  %empty = memref.alloc(%c2, %c0) : memref<?x?xf32>
  call @rows(%empty, %empty) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  return
}
