// RUN: freehold opt %s --interchange-loops | FileCheck %s

// Sums go inside, and what is stored is gone through row by row. The old nest is for buffers that overlap.
// CHECK-LABEL: func.func @columns_of_sums
// CHECK-SAME:    %[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>, %[[C:.*]]: memref<?x?xf32>, %[[L:.*]]: index, %[[M:.*]]: index, %[[N:.*]]: index)
// CHECK:         scf.if
// CHECK-NEXT:      scf.for %[[I:.*]] = %c0 to %[[N]] step %c1 {
// CHECK-NEXT:        scf.for %[[J:.*]] = %c0 to %[[M]] step %c1 {
// CHECK-NEXT:          scf.for %[[K:.*]] = %c0 to %[[L]] step %c2 {
// CHECK-NEXT:            memref.load %[[A]][%[[I]], %[[K]]]
// CHECK-NEXT:            memref.load %[[B]][%[[K]], %[[J]]]
// CHECK-NEXT:            memref.load %[[C]][%[[I]], %[[J]]]
// CHECK:         } {freehold.disjoint}
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.for %{{.*}} = %c0 to %[[L]] step %c2 {
// CHECK:         } {freehold.jammed, freehold.vectorized}
func.func @columns_of_sums(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %l: index, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %k = %c0 to %l step %c2 {
    scf.for %j = %c0 to %m step %c1 {
      scf.for %i = %c0 to %n step %c1 {
        %x = memref.load %a[%i, %k] : memref<?x?xf32>
        %y = memref.load %b[%k, %j] : memref<?x?xf32>
        %sum = memref.load %c[%i, %j] : memref<?x?xf32>
        %product = arith.mulf %x, %y : f32
        %next = arith.addf %sum, %product : f32
        memref.store %next, %c[%i, %j] : memref<?x?xf32>
      }
    }
  }
  return
}

// Constants between loops do not keep them apart.
// CHECK-LABEL: func.func @walk
// CHECK:         scf.for %[[I:.*]] = %c0 to %c9{{.*}} step %c1
// CHECK-NEXT:      scf.for %[[J:.*]] = %c0 to %c5{{.*}} step %c1
// CHECK-NEXT:        memref.load %arg0[%[[I]], %[[J]]]
func.func @walk(%a: memref<9x5xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  scf.for %j = %c0 to %c5 step %c1 {
    %c9 = arith.constant 9 : index
    scf.for %i = %c0 to %c9 step %c1 {
      %x = memref.load %a[%i, %j] : memref<9x5xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%i, %j] : memref<9x5xf32>
    }
  }
  return
}

// Two loops add up in an order that the result depends on.
// CHECK-LABEL: func.func @sums_of_sums
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        scf.for %[[I:.*]] = %c0 to %arg2
// CHECK-NEXT:          memref.load %arg0[%[[I]], %{{.*}}, %{{.*}}]
func.func @sums_of_sums(%a: memref<?x?x?xf32>, %s: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    scf.for %k = %c0 to %n step %c1 {
      scf.for %i = %c0 to %n step %c1 {
        %x = memref.load %a[%i, %k, %j] : memref<?x?x?xf32>
        %sum = memref.load %s[%k] : memref<?xf32>
        %next = arith.addf %sum, %x : f32
        memref.store %next, %s[%k] : memref<?xf32>
      }
    }
  }
  return
}

// What one iteration stores, another one loads.
// CHECK-LABEL: func.func @shifted
// CHECK:         scf.for %[[J:.*]] = %c0 to %arg1
// CHECK-NEXT:      scf.for %[[I:.*]] = %c0 to %arg2
func.func @shifted(%a: memref<?x?xf32>, %m: index, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %m step %c1 {
    scf.for %i = %c0 to %n step %c1 {
      %before = arith.addi %i, %c1 : index
      %after = arith.addi %j, %c1 : index
      %x = memref.load %a[%before, %j] : memref<?x?xf32>
      memref.store %x, %a[%i, %after] : memref<?x?xf32>
    }
  }
  return
}

// The inner loop ends where the outer one is.
// CHECK-LABEL: func.func @triangle
// CHECK:         scf.for %[[J:.*]] = %c0 to %arg1
// CHECK-NEXT:      scf.for %[[I:.*]] = %c0 to %[[J]]
func.func @triangle(%a: memref<?x?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %j = %c0 to %n step %c1 {
    scf.for %i = %c0 to %j step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      %y = arith.addf %x, %x : f32
      memref.store %y, %a[%i, %j] : memref<?x?xf32>
    }
  }
  return
}

// A copy from columns to rows goes down columns in either order.
// CHECK-LABEL: func.func @transpose
// CHECK:         scf.for %[[I:.*]] = %c0 to %arg2
// CHECK-NEXT:      scf.for %[[J:.*]] = %c0 to %arg3
// CHECK-NEXT:        memref.load %arg0[%[[I]], %[[J]]]
func.func @transpose(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %n: index, %m: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %x = memref.load %a[%i, %j] : memref<?x?xf32>
      memref.store %x, %b[%j, %i] : memref<?x?xf32>
    }
  }
  return
}
