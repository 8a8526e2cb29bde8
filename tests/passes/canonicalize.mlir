// RUN: freehold opt %s --canonicalize | FileCheck %s

// Constants fold, are shared and stand at the beginning.
// CHECK-LABEL: func.func @fold
// CHECK-NEXT:    %[[C:.*]] = arith.constant 7 : i32
// CHECK-NEXT:    return %[[C]], %[[C]]
func.func @fold() -> (i32, i32) {
  %a = arith.constant 3 : i32
  %b = arith.constant 4 : i32
  %c = arith.addi %a, %b : i32
  %d = arith.constant 7 : i32
  return %c, %d : i32, i32
}

// Unreachable blocks and block arguments that nobody needs go.
// CHECK-LABEL: func.func @blocks
// CHECK-NOT:     ^bb
// CHECK:         return %arg0
func.func @blocks(%x: i32) -> i32 {
  cf.br ^bb1(%x, %x : i32, i32)
^bb1(%a: i32, %unused: i32):
  return %a : i32
^bb2:
  cf.br ^bb2
}

// A loop whose only purpose is to carry a value round loses it.
// CHECK-LABEL: func.func @dead_loop_value
// CHECK:       ^bb1(%{{.*}}: i32):
func.func private @more(i32) -> i1
func.func @dead_loop_value(%x: i32, %one: i32) {
  cf.br ^bb1(%x, %x : i32, i32)
^bb1(%i: i32, %carried: i32):
  %next = arith.addi %carried, %one : i32
  %j = arith.addi %i, %one : i32
  %c = call @more(%i) : (i32) -> i1
  cf.cond_br %c, ^bb1(%j, %next : i32, i32), ^bb2
^bb2:
  return
}

// A block argument that only something dead needs, deep in a loop that must
// stay: the argument goes, the loop does not.
// CHECK-LABEL: func @dead_argument_used_in_live_loop
// CHECK: ^bb1:
// CHECK: scf.for
// CHECK-NEXT: call @effect
func.func private @effect()
func.func @dead_argument_used_in_live_loop(%c: i1, %m: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.cond_br %c, ^bb1(%m : memref<4xi32>), ^bb2
^bb1(%a: memref<4xi32>):
  scf.for %i = %c0 to %n step %c1 {
    func.call @effect() : () -> ()
    scf.execute_region {
      %cast = memref.cast %a : memref<4xi32> to memref<?xi32>
      cf.br ^bb3(%c0, %cast : index, memref<?xi32>)
    ^bb3(%k: index, %b: memref<?xi32>):
      %again = arith.cmpi ult, %k, %n : index
      %next = arith.addi %k, %c1 : index
      cf.cond_br %again, ^bb3(%next, %b : index, memref<?xi32>), ^bb4
    ^bb4:
      scf.yield
    }
  }
  cf.br ^bb2
^bb2:
  return
}

// Unused results of a switch go, and what is computed for them.
// CHECK-LABEL: func.func @unused_result_of_switch
// CHECK: %[[R:.*]] = scf.index_switch %{{.*}} -> i32
// CHECK-NEXT: case 2 {
// CHECK-NEXT: scf.yield %{{[a-z0-9_]+}} : i32
// CHECK-NEXT: }
// CHECK-NEXT: default {
// CHECK-NEXT: scf.yield %{{[a-z0-9_]+}} : i32
// CHECK: return %[[R]] : i32
func.func @unused_result_of_switch(%i: index, %m: memref<4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %0:2 = scf.index_switch %i -> i32, i32
  case 2 {
    %a = memref.load %m[%c0] : memref<4xi32>
    %b = arith.constant 1 : i32
    scf.yield %a, %b : i32, i32
  }
  default {
    %b = arith.constant 2 : i32
    scf.yield %b, %b : i32, i32
  }
  return %0#1 : i32
}

// Promises about overflow hold for what sums and products become only while the constants do not wrap around.
// CHECK-LABEL: func.func @promises
// CHECK-DAG:     %[[SUM:.*]] = arith.constant -127 : i8
// CHECK-DAG:     %[[LESS:.*]] = arith.constant 125 : i8
// CHECK-DAG:     %[[FACTOR:.*]] = arith.constant -128 : i8
// CHECK-DAG:     %[[SMALL:.*]] = arith.constant 30 : i8
// CHECK-DAG:     arith.addi %arg0, %[[SUM]] overflow<nuw> : i8
// CHECK-DAG:     arith.subi %[[LESS]], %arg0 : i8
// CHECK-DAG:     arith.muli %arg0, %[[FACTOR]] overflow<nuw> : i8
// CHECK-DAG:     arith.addi %arg0, %[[SMALL]] overflow<nsw, nuw> : i8
func.func @promises(%x: i8) -> (i8, i8, i8, i8) {
  %c2 = arith.constant 2 : i8
  %c10 = arith.constant 10 : i8
  %c20 = arith.constant 20 : i8
  %c64 = arith.constant 64 : i8
  %c65 = arith.constant 65 : i8
  %c-55 = arith.constant -55 : i8
  %c-76 = arith.constant -76 : i8
  %0 = arith.addi %x, %c64 overflow<nsw, nuw> : i8
  %1 = arith.addi %0, %c65 overflow<nsw, nuw> : i8
  %2 = arith.subi %x, %c-76 overflow<nsw> : i8
  %3 = arith.subi %c-55, %2 overflow<nsw> : i8
  %4 = arith.muli %x, %c64 overflow<nsw, nuw> : i8
  %5 = arith.muli %4, %c2 overflow<nsw, nuw> : i8
  %6 = arith.addi %x, %c10 overflow<nsw, nuw> : i8
  %7 = arith.addi %6, %c20 overflow<nsw, nuw> : i8
  return %1, %3, %5, %7 : i8, i8, i8, i8
}

// What is written to the memory that a tensor becomes is not written to memory that is only lent.
// CHECK-LABEL: func.func @lent(
// CHECK-SAME:    %[[M:[^:]*]]: memref<4xf32>
// CHECK:         %[[T:.*]] = bufferization.to_tensor %[[M]]
// CHECK-NEXT:    %[[OWN:.*]] = bufferization.to_memref %[[T]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[OWN]]
// CHECK-NEXT:    memref.load %[[M]]
func.func @lent(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4xf32>
  %own = bufferization.to_memref %t : memref<4xf32>
  memref.store %x, %own[%i] : memref<4xf32>
  %r = bufferization.to_memref %t read_only : memref<4xf32>
  %e = memref.load %r[%i] : memref<4xf32>
  return %e : f32
}
