// Copies to all columns of a new buffer are one loop over its rows.
//
// RUN: freehold opt %s --merge-column-copies | FileCheck %s

// CHECK-LABEL: func.func @stack(
// CHECK-SAME:    %[[X:.*]]: memref<64xf32>, %[[Y:.*]]: memref<64x1xf32, strided<[3, 1]>>)
// CHECK:         %[[B:.*]] = memref.alloc() : memref<64x2xf32>
// CHECK-NOT:     memref.copy
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %c64 step %{{.*}} {
// CHECK-NEXT:      %[[SECOND:.*]] = memref.load %[[Y]][%[[I]], %c0
// CHECK-NEXT:      memref.store %[[SECOND]], %[[B]][%[[I]], %c1
// CHECK-NEXT:      %[[FIRST:.*]] = memref.load %[[T:.*]][%[[I]]] : memref<64xf32>
// CHECK-NEXT:      memref.store %[[FIRST]], %[[B]][%[[I]], %c0
// CHECK-NEXT:    }
// CHECK:         memref.dealloc %[[T]]
// CHECK:         return %[[B]]
func.func @stack(%x: memref<64xf32>, %y: memref<64x1xf32, strided<[3, 1]>>) -> memref<64x2xf32> {
  %t = memref.alloc() : memref<64xf32>
  memref.copy %x, %t : memref<64xf32> to memref<64xf32>
  %e = memref.expand_shape %t [[0, 1]] output_shape [64, 1] : memref<64xf32> into memref<64x1xf32>
  %b = memref.alloc() : memref<64x2xf32>
  %second = memref.subview %b[0, 1] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1], offset: 1>>
  memref.copy %y, %second : memref<64x1xf32, strided<[3, 1]>> to memref<64x1xf32, strided<[2, 1], offset: 1>>
  %first = memref.subview %b[0, 0] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1]>>
  memref.copy %e, %first : memref<64x1xf32> to memref<64x1xf32, strided<[2, 1]>>
  memref.dealloc %t : memref<64xf32>
  return %b : memref<64x2xf32>
}

// What is freed between the copies is freed behind the loop.
// CHECK-LABEL: func.func @freed_between(
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-COUNT-3:     memref.store
// CHECK:         }
// CHECK:         }
// CHECK:         memref.dealloc
// CHECK:         return
func.func @freed_between(%x: memref<8x9x1xi32>) -> memref<8x9x3xi32> {
  %t = memref.alloc() : memref<8x9x1xi32>
  memref.copy %x, %t : memref<8x9x1xi32> to memref<8x9x1xi32>
  %b = memref.alloc() : memref<8x9x3xi32>
  %0 = memref.subview %b[0, 0, 0] [8, 9, 1] [1, 1, 1] : memref<8x9x3xi32> to memref<8x9x1xi32, strided<[27, 3, 1]>>
  memref.copy %t, %0 : memref<8x9x1xi32> to memref<8x9x1xi32, strided<[27, 3, 1]>>
  memref.dealloc %t : memref<8x9x1xi32>
  %1 = memref.subview %b[0, 0, 1] [8, 9, 1] [1, 1, 1] : memref<8x9x3xi32> to memref<8x9x1xi32, strided<[27, 3, 1], offset: 1>>
  memref.copy %x, %1 : memref<8x9x1xi32> to memref<8x9x1xi32, strided<[27, 3, 1], offset: 1>>
  %2 = memref.subview %b[0, 0, 2] [8, 9, 1] [1, 1, 1] : memref<8x9x3xi32> to memref<8x9x1xi32, strided<[27, 3, 1], offset: 2>>
  memref.copy %x, %2 : memref<8x9x1xi32> to memref<8x9x1xi32, strided<[27, 3, 1], offset: 2>>
  return %b : memref<8x9x3xi32>
}

// Something is allocated after a free: the loop would raise the peak.
// CHECK-LABEL: func.func @allocated_between(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @allocated_between(%x: memref<64x1xf32>) -> (memref<64x2xf32>, memref<100xf32>) {
  %t = memref.alloc() : memref<64x1xf32>
  memref.copy %x, %t : memref<64x1xf32> to memref<64x1xf32>
  %b = memref.alloc() : memref<64x2xf32>
  %0 = memref.subview %b[0, 0] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1]>>
  memref.copy %t, %0 : memref<64x1xf32> to memref<64x1xf32, strided<[2, 1]>>
  memref.dealloc %t : memref<64x1xf32>
  %u = memref.alloc() : memref<100xf32>
  %1 = memref.subview %b[0, 1] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1], offset: 1>>
  memref.copy %x, %1 : memref<64x1xf32> to memref<64x1xf32, strided<[2, 1], offset: 1>>
  return %b, %u : memref<64x2xf32>, memref<100xf32>
}

// One column is missing, is copied twice, or comes from the buffer itself; something is written in between; parts of columns.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     scf.for
// CHECK:         return
func.func @others(%x: memref<64x1xf32>, %f: f32, %i: index) -> (memref<64x2xf32>, memref<64x2xf32>, memref<64x2xf32>, memref<64x2xf32>, memref<64x2xf32>) {
  %a = memref.alloc() : memref<64x2xf32>
  %a0 = memref.subview %a[0, 0] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1]>>
  %a1 = memref.subview %a[0, 1] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1], offset: 1>>
  memref.copy %x, %a0 : memref<64x1xf32> to memref<64x1xf32, strided<[2, 1]>>
  memref.copy %a0, %a1 : memref<64x1xf32, strided<[2, 1]>> to memref<64x1xf32, strided<[2, 1], offset: 1>>
  %b = memref.alloc() : memref<64x2xf32>
  %b0 = memref.subview %b[0, 0] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1]>>
  memref.copy %x, %b0 : memref<64x1xf32> to memref<64x1xf32, strided<[2, 1]>>
  memref.copy %x, %b0 : memref<64x1xf32> to memref<64x1xf32, strided<[2, 1]>>
  %c = memref.alloc() : memref<64x2xf32>
  %c0 = memref.subview %c[0, 0] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1]>>
  %c1 = memref.subview %c[0, 1] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1], offset: 1>>
  memref.copy %x, %c0 : memref<64x1xf32> to memref<64x1xf32, strided<[2, 1]>>
  %zero = arith.constant 0 : index
  memref.store %f, %x[%i, %zero] : memref<64x1xf32>
  memref.copy %x, %c1 : memref<64x1xf32> to memref<64x1xf32, strided<[2, 1], offset: 1>>
  %d = memref.alloc() : memref<64x2xf32>
  %x32 = memref.subview %x[0, 0] [32, 1] [1, 1] : memref<64x1xf32> to memref<32x1xf32, strided<[1, 1]>>
  %d0 = memref.subview %d[32, 0] [32, 1] [1, 1] : memref<64x2xf32> to memref<32x1xf32, strided<[2, 1], offset: 64>>
  %d1 = memref.subview %d[32, 1] [32, 1] [1, 1] : memref<64x2xf32> to memref<32x1xf32, strided<[2, 1], offset: 65>>
  memref.copy %x32, %d0 : memref<32x1xf32, strided<[1, 1]>> to memref<32x1xf32, strided<[2, 1], offset: 64>>
  memref.copy %x32, %d1 : memref<32x1xf32, strided<[1, 1]>> to memref<32x1xf32, strided<[2, 1], offset: 65>>
  %e = memref.alloc() : memref<64x2xf32>
  %e0 = memref.subview %e[0, 0] [64, 1] [1, 1] : memref<64x2xf32> to memref<64x1xf32, strided<[2, 1]>>
  memref.copy %x, %e0 : memref<64x1xf32> to memref<64x1xf32, strided<[2, 1]>>
  return %a, %b, %c, %d, %e : memref<64x2xf32>, memref<64x2xf32>, memref<64x2xf32>, memref<64x2xf32>, memref<64x2xf32>
}
