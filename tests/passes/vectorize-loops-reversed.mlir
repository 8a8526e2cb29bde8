// Rows that a loop loads backwards: vectors end with the element of the first lane, and their lanes change order.
//
// RUN: freehold opt --vectorize-loops --canonicalize --cse %s | FileCheck %s
// RUN: freehold opt --vectorize-loops --canonicalize --cse %s | freehold run - | FileCheck %s --check-prefix=VALUE

// CHECK-LABEL: func.func @reverse(
// CHECK-SAME:    %[[A:.*]]: memref<37xi32>, %[[B:.*]]: memref<37xi32>)
// CHECK:         scf.for %[[I:.*]] = %c0 to
// CHECK:           %[[FIRST:.*]] = arith.subi %c33, %[[I]] : index
// CHECK:           %[[X:.*]] = vector.load %[[A]][%[[FIRST]]] : memref<37xi32>, vector<4xi32>
// CHECK:           %[[Y:.*]] = vector.shuffle %[[X]], %[[X]] [3, 2, 1, 0]
// CHECK:           vector.store %[[Y]], %[[B]][%[[I]]]
func.func @reverse(%a: memref<37xi32>, %b: memref<37xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c36 = arith.constant 36 : index
  %c37 = arith.constant 37 : index
  scf.for %i = %c0 to %c37 step %c1 {
    %j = arith.subi %c36, %i : index
    %x = memref.load %a[%j] : memref<37xi32>
    memref.store %x, %b[%i] : memref<37xi32>
  }
  return
}

// Rows of three, from the last to the first.
// CHECK-LABEL: func.func @pixels(
// CHECK-COUNT-3: vector.load {{.*}} : memref<60xi32>, vector<4xi32>
// CHECK-COUNT-3: [3, 2, 1, 0]
// CHECK-COUNT-3: vector.store {{.*}} : memref<60xi32>, vector<4xi32>
func.func @pixels(%a: memref<20x3xi32>, %b: memref<20x3xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c19 = arith.constant 19 : index
  %c20 = arith.constant 20 : index
  scf.for %i = %c0 to %c20 step %c1 {
    %j = arith.subi %c19, %i : index
    %x = memref.load %a[%j, %c0] : memref<20x3xi32>
    %y = memref.load %a[%j, %c1] : memref<20x3xi32>
    %z = memref.load %a[%j, %c2] : memref<20x3xi32>
    memref.store %x, %b[%i, %c0] : memref<20x3xi32>
    memref.store %y, %b[%i, %c1] : memref<20x3xi32>
    memref.store %z, %b[%i, %c2] : memref<20x3xi32>
  }
  return
}

// What is stored backwards, or where it was loaded from, stays as it is.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: vector
// CHECK: return
func.func @others(%a: memref<37xi32>, %b: memref<37xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c36 = arith.constant 36 : index
  %c37 = arith.constant 37 : index
  scf.for %i = %c0 to %c37 step %c1 {
    %j = arith.subi %c36, %i : index
    %x = memref.load %a[%i] : memref<37xi32>
    memref.store %x, %b[%j] : memref<37xi32>
  }
  scf.for %i = %c0 to %c37 step %c1 {
    %j = arith.subi %c36, %i : index
    %x = memref.load %b[%j] : memref<37xi32>
    memref.store %x, %b[%i] : memref<37xi32>
  }
  return
}

// Sums of (i + 1) times the element at i: of 36 to 0, and of rows of three from 57 to 0.
// VALUE: 8436
// VALUE: 36070
func.func @main() -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c20 = arith.constant 20 : index
  %c37 = arith.constant 37 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloca() : memref<37xi32>
  %b = memref.alloca() : memref<37xi32>
  %p = memref.alloca() : memref<20x3xi32>
  %q = memref.alloca() : memref<20x3xi32>
  scf.for %i = %c0 to %c37 step %c1 {
    %n = arith.index_cast %i : index to i32
    memref.store %n, %a[%i] : memref<37xi32>
  }
  scf.for %i = %c0 to %c20 step %c1 {
    scf.for %j = %c0 to %c3 step %c1 {
      %m = arith.muli %i, %c3 : index
      %s = arith.addi %m, %j : index
      %n = arith.index_cast %s : index to i32
      memref.store %n, %p[%i, %j] : memref<20x3xi32>
    }
  }
  func.call @reverse(%a, %b) : (memref<37xi32>, memref<37xi32>) -> ()
  func.call @pixels(%p, %q) : (memref<20x3xi32>, memref<20x3xi32>) -> ()
  %s = scf.for %i = %c0 to %c37 step %c1 iter_args(%acc = %zero) -> (i32) {
    %n = arith.index_cast %i : index to i32
    %k = arith.addi %n, %one : i32
    %x = memref.load %b[%i] : memref<37xi32>
    %y = arith.muli %x, %k : i32
    %t = arith.addi %acc, %y : i32
    scf.yield %t : i32
  }
  %u = scf.for %i = %c0 to %c20 step %c1 iter_args(%acc = %zero) -> (i32) {
    %v = scf.for %j = %c0 to %c3 step %c1 iter_args(%t = %acc) -> (i32) {
      %m = arith.muli %i, %c3 : index
      %r = arith.addi %m, %j : index
      %n = arith.index_cast %r : index to i32
      %k = arith.addi %n, %one : i32
      %x = memref.load %q[%i, %j] : memref<20x3xi32>
      %y = arith.muli %x, %k : i32
      %w = arith.addi %t, %y : i32
      scf.yield %w : i32
    }
    scf.yield %v : i32
  }
  return %s, %u : i32, i32
}
