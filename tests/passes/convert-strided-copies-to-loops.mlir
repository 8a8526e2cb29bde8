// Copies of elements that are a few places apart are loops.
//
// RUN: freehold opt %s --convert-strided-copies-to-loops | FileCheck %s

// CHECK-LABEL: func.func @every_second(
// CHECK-SAME:    %[[A:.*]]: memref<64x32xf32, strided<[128, 2]>>, %[[B:.*]]: memref<64x32xf32>)
// CHECK:         scf.for %[[I:.*]] = %c0{{.*}} to %c64 step %c1
// CHECK-NEXT:      scf.for %[[J:.*]] = %c0{{.*}} to %c32 step %c1
// CHECK-NEXT:        %[[X:.*]] = memref.load %[[A]][%[[I]], %[[J]]]
// CHECK-NEXT:        memref.store %[[X]], %[[B]][%[[I]], %[[J]]]
// CHECK-NOT:     memref.copy
func.func @every_second(%a: memref<64x32xf32, strided<[128, 2]>>, %b: memref<64x32xf32>) {
  memref.copy %a, %b : memref<64x32xf32, strided<[128, 2]>> to memref<64x32xf32>
  return
}

// Dimensions of size 1 do not count.
// CHECK-LABEL: func.func @column(
// CHECK:         memref.load
func.func @column(%a: memref<64x1xi8, strided<[3, 1], offset: 2>>, %b: memref<64x1xi8>) {
  memref.copy %a, %b : memref<64x1xi8, strided<[3, 1], offset: 2>> to memref<64x1xi8>
  return
}

// Rows without gaps, distances of more than eight, elements that are put apart, and unknown sizes stay copies.
// CHECK-LABEL: func.func @others(
// CHECK-COUNT-5: memref.copy
// CHECK:         return
func.func @others(%a: memref<8x32xf32, strided<[64, 1]>>, %b: memref<8x32xf32>, %c: memref<8x32xf32, strided<[1, 9]>>,
                  %d: memref<8x32xf32, strided<[64, 2]>>, %e: memref<?xf32, strided<[2]>>, %f: memref<?xf32>,
                  %g: memref<32xf32, strided<[?]>>, %h: memref<32xf32>) {
  memref.copy %a, %b : memref<8x32xf32, strided<[64, 1]>> to memref<8x32xf32>
  memref.copy %c, %b : memref<8x32xf32, strided<[1, 9]>> to memref<8x32xf32>
  memref.copy %d, %d : memref<8x32xf32, strided<[64, 2]>> to memref<8x32xf32, strided<[64, 2]>>
  memref.copy %e, %f : memref<?xf32, strided<[2]>> to memref<?xf32>
  memref.copy %g, %h : memref<32xf32, strided<[?]>> to memref<32xf32>
  return
}
