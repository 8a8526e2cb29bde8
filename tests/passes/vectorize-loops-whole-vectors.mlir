// RUN: freehold opt %s --vectorize-loops --canonicalize | FileCheck %s
// RUN: freehold run %s --function=show_apart -O3 | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --function=show_in_place -O3 | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --function=show_apart -O3 --target-cpu=native | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --function=show_in_place -O3 --target-cpu=native | FileCheck %s --check-prefix=RESULT
// RUN: freehold run %s --function=show_apart -O0 | FileCheck %s --check-prefix=RESULT

// RESULT: 37xi32 = [1811938884, -1577058799, -1577058898, -1577059231, 805306230, 1207959318, 1207959153, 1811938950, 1811938728, 225, 78, 501, 168, 336, 114, 951, 726, 51, 54, 570, 828, 1047, 1401, 1062, 978, 1479, 1566, 1464, 1128, 1239, 1710, 1545, 2076, 1665, 1749, 1833, 2562]

// A long body is written as often as one iteration of the loop with vectors needs it: the last vectors begin where they
// end with the last element, and some iterations run twice.

// CHECK-LABEL: func.func private @long(
// CHECK:         scf.for %[[I:.*]] = %c0 to %c301 step %c16 {
// CHECK-NEXT:      %[[START:.*]] = arith.minsi %[[I]], %c285 : index
// CHECK-NEXT:      vector.load %{{.*}}[%[[START]]]
// CHECK-NOT:     scf.for
func.func private @long(%a: memref<301xi32>) -> memref<301xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 301 : index
  %k1 = arith.constant 1 : i32
  %k3 = arith.constant 3 : i32
  %k5 = arith.constant 5 : i32
  %k7 = arith.constant 7 : i32
  %k9 = arith.constant 9 : i32
  %r = memref.alloc() : memref<301xi32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<301xi32>
    %b0 = arith.muli %x, %k3 : i32
    %b1 = arith.addi %b0, %k5 : i32
    %b2 = arith.xori %b1, %k9 : i32
    %b3 = arith.shrui %b2, %k1 : i32
    %b4 = arith.subi %b3, %k7 : i32
    %b5 = arith.muli %b4, %k3 : i32
    %b6 = arith.addi %b5, %k5 : i32
    %b7 = arith.xori %b6, %k9 : i32
    %b8 = arith.shrui %b7, %k1 : i32
    %b9 = arith.subi %b8, %k7 : i32
    %b10 = arith.muli %b9, %k3 : i32
    %b11 = arith.addi %b10, %k5 : i32
    %b12 = arith.xori %b11, %k9 : i32
    %b13 = arith.shrui %b12, %k1 : i32
    %b14 = arith.subi %b13, %k7 : i32
    %b15 = arith.muli %b14, %k3 : i32
    %b16 = arith.addi %b15, %k5 : i32
    %b17 = arith.xori %b16, %k9 : i32
    %b18 = arith.shrui %b17, %k1 : i32
    %b19 = arith.subi %b18, %k7 : i32
    %b20 = arith.muli %b19, %k3 : i32
    %b21 = arith.addi %b20, %k5 : i32
    %b22 = arith.xori %b21, %k9 : i32
    %b23 = arith.shrui %b22, %k1 : i32
    %b24 = arith.subi %b23, %k7 : i32
    %b25 = arith.muli %b24, %k3 : i32
    %b26 = arith.addi %b25, %k5 : i32
    %b27 = arith.xori %b26, %k9 : i32
    %b28 = arith.shrui %b27, %k1 : i32
    %b29 = arith.subi %b28, %k7 : i32
    %b30 = arith.muli %b29, %k3 : i32
    %b31 = arith.addi %b30, %k5 : i32
    %b32 = arith.xori %b31, %k9 : i32
    %b33 = arith.shrui %b32, %k1 : i32
    %b34 = arith.subi %b33, %k7 : i32
    %b35 = arith.muli %b34, %k3 : i32
    %b36 = arith.addi %b35, %k5 : i32
    %b37 = arith.xori %b36, %k9 : i32
    %b38 = arith.shrui %b37, %k1 : i32
    %b39 = arith.subi %b38, %k7 : i32
    %b40 = arith.muli %b39, %k3 : i32
    memref.store %b40, %r[%i] : memref<301xi32>
  }
  return %r : memref<301xi32>
}

// Of so few elements most would run twice in several vectors at once, so one vector at a time does the rest.

// CHECK-LABEL: func.func private @apart(
// CHECK:         scf.for %{{.*}} = %c0 to %c32 step %c16 {
// CHECK-NOT:       arith.minsi
// CHECK:         scf.for %[[I:.*]] = %c32 to %c37 step %c4 {
// CHECK-NEXT:      %[[START:.*]] = arith.minsi %[[I]], %c33 : index
// CHECK-NEXT:      vector.load %{{.*}}[%[[START]]]
// CHECK-NOT:     scf.for
func.func private @apart(%a: memref<37xi32>) -> memref<37xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 37 : index
  %k1 = arith.constant 1 : i32
  %k3 = arith.constant 3 : i32
  %k5 = arith.constant 5 : i32
  %k7 = arith.constant 7 : i32
  %k9 = arith.constant 9 : i32
  %r = memref.alloc() : memref<37xi32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<37xi32>
    %b0 = arith.muli %x, %k3 : i32
    %b1 = arith.addi %b0, %k5 : i32
    %b2 = arith.xori %b1, %k9 : i32
    %b3 = arith.shrui %b2, %k1 : i32
    %b4 = arith.subi %b3, %k7 : i32
    %b5 = arith.muli %b4, %k3 : i32
    %b6 = arith.addi %b5, %k5 : i32
    %b7 = arith.xori %b6, %k9 : i32
    %b8 = arith.shrui %b7, %k1 : i32
    %b9 = arith.subi %b8, %k7 : i32
    %b10 = arith.muli %b9, %k3 : i32
    %b11 = arith.addi %b10, %k5 : i32
    %b12 = arith.xori %b11, %k9 : i32
    %b13 = arith.shrui %b12, %k1 : i32
    %b14 = arith.subi %b13, %k7 : i32
    %b15 = arith.muli %b14, %k3 : i32
    %b16 = arith.addi %b15, %k5 : i32
    %b17 = arith.xori %b16, %k9 : i32
    %b18 = arith.shrui %b17, %k1 : i32
    %b19 = arith.subi %b18, %k7 : i32
    %b20 = arith.muli %b19, %k3 : i32
    %b21 = arith.addi %b20, %k5 : i32
    %b22 = arith.xori %b21, %k9 : i32
    %b23 = arith.shrui %b22, %k1 : i32
    %b24 = arith.subi %b23, %k7 : i32
    %b25 = arith.muli %b24, %k3 : i32
    %b26 = arith.addi %b25, %k5 : i32
    %b27 = arith.xori %b26, %k9 : i32
    %b28 = arith.shrui %b27, %k1 : i32
    %b29 = arith.subi %b28, %k7 : i32
    %b30 = arith.muli %b29, %k3 : i32
    %b31 = arith.addi %b30, %k5 : i32
    %b32 = arith.xori %b31, %k9 : i32
    %b33 = arith.shrui %b32, %k1 : i32
    %b34 = arith.subi %b33, %k7 : i32
    %b35 = arith.muli %b34, %k3 : i32
    %b36 = arith.addi %b35, %k5 : i32
    %b37 = arith.xori %b36, %k9 : i32
    %b38 = arith.shrui %b37, %k1 : i32
    %b39 = arith.subi %b38, %k7 : i32
    %b40 = arith.muli %b39, %k3 : i32
    memref.store %b40, %r[%i] : memref<37xi32>
  }
  return %r : memref<37xi32>
}

// What is stored where it was loaded from may not be computed twice.

// CHECK-LABEL: func.func private @in_place(
// CHECK-NOT:     arith.minsi
// CHECK-LABEL: func.func @show_apart(
func.func private @in_place(%a: memref<37xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 37 : index
  %k1 = arith.constant 1 : i32
  %k3 = arith.constant 3 : i32
  %k5 = arith.constant 5 : i32
  %k7 = arith.constant 7 : i32
  %k9 = arith.constant 9 : i32
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<37xi32>
    %b0 = arith.muli %x, %k3 : i32
    %b1 = arith.addi %b0, %k5 : i32
    %b2 = arith.xori %b1, %k9 : i32
    %b3 = arith.shrui %b2, %k1 : i32
    %b4 = arith.subi %b3, %k7 : i32
    %b5 = arith.muli %b4, %k3 : i32
    %b6 = arith.addi %b5, %k5 : i32
    %b7 = arith.xori %b6, %k9 : i32
    %b8 = arith.shrui %b7, %k1 : i32
    %b9 = arith.subi %b8, %k7 : i32
    %b10 = arith.muli %b9, %k3 : i32
    %b11 = arith.addi %b10, %k5 : i32
    %b12 = arith.xori %b11, %k9 : i32
    %b13 = arith.shrui %b12, %k1 : i32
    %b14 = arith.subi %b13, %k7 : i32
    %b15 = arith.muli %b14, %k3 : i32
    %b16 = arith.addi %b15, %k5 : i32
    %b17 = arith.xori %b16, %k9 : i32
    %b18 = arith.shrui %b17, %k1 : i32
    %b19 = arith.subi %b18, %k7 : i32
    %b20 = arith.muli %b19, %k3 : i32
    %b21 = arith.addi %b20, %k5 : i32
    %b22 = arith.xori %b21, %k9 : i32
    %b23 = arith.shrui %b22, %k1 : i32
    %b24 = arith.subi %b23, %k7 : i32
    %b25 = arith.muli %b24, %k3 : i32
    %b26 = arith.addi %b25, %k5 : i32
    %b27 = arith.xori %b26, %k9 : i32
    %b28 = arith.shrui %b27, %k1 : i32
    %b29 = arith.subi %b28, %k7 : i32
    %b30 = arith.muli %b29, %k3 : i32
    %b31 = arith.addi %b30, %k5 : i32
    %b32 = arith.xori %b31, %k9 : i32
    %b33 = arith.shrui %b32, %k1 : i32
    %b34 = arith.subi %b33, %k7 : i32
    %b35 = arith.muli %b34, %k3 : i32
    %b36 = arith.addi %b35, %k5 : i32
    %b37 = arith.xori %b36, %k9 : i32
    %b38 = arith.shrui %b37, %k1 : i32
    %b39 = arith.subi %b38, %k7 : i32
    %b40 = arith.muli %b39, %k3 : i32
    memref.store %b40, %a[%i] : memref<37xi32>
  }
  return
}

func.func @show_apart() -> memref<37xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 37 : index
  %a = memref.alloc() : memref<37xi32>
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.index_cast %i : index to i32
    memref.store %x, %a[%i] : memref<37xi32>
  }
  %r = call @apart(%a) : (memref<37xi32>) -> memref<37xi32>
  memref.dealloc %a : memref<37xi32>
  return %r : memref<37xi32>
}

func.func @show_in_place() -> memref<37xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 37 : index
  %a = memref.alloc() : memref<37xi32>
  scf.for %i = %c0 to %n step %c1 {
    %x = arith.index_cast %i : index to i32
    memref.store %x, %a[%i] : memref<37xi32>
  }
  call @in_place(%a) : (memref<37xi32>) -> ()
  return %a : memref<37xi32>
}

// Of an unknown number of iterations, all that are left are whole vectors if there are enough for one.

// CHECK-LABEL: func.func private @unknown(
// CHECK:         %[[LONG:.*]] = arith.cmpi sge, %{{.*}}, %c4 : index
// CHECK:         %[[END:.*]] = arith.select %[[LONG]], %{{.*}}, %{{.*}} : index
// CHECK:         %[[LAST:.*]] = arith.subi %arg1, %c4 : index
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to %[[END]] step %c4 {
// CHECK-NEXT:      %[[START:.*]] = arith.minsi %[[I]], %[[LAST]] : index
// CHECK-NEXT:      %{{.*}} = vector.load %arg0[%[[START]]]
// CHECK:         scf.for %{{.*}} = %[[END]] to %arg1 step %c1 {
func.func private @unknown(%a: memref<?xi32>, %n: index) -> memref<?xi32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 5 : i32
  %r = memref.alloc(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xi32>
    %y = arith.addi %x, %k : i32
    memref.store %y, %r[%i] : memref<?xi32>
  }
  return %r : memref<?xi32>
}
