// RUN: freehold opt %s --convert-scf-to-cf | FileCheck %s
// RUN: freehold opt %s --convert-scf-to-cf | FileCheck %s --check-prefix=NONE
// RUN: freehold opt %s --convert-scf-to-cf=rotate-loops | FileCheck %s --check-prefix=ROTATED

// CHECK-LABEL: func.func @for
// CHECK:         cf.br ^bb1(%arg0, %arg3 : index, i32)
// CHECK:       ^bb1(%[[I:.*]]: index, %[[A:.*]]: i32):
// CHECK:         %[[M:.*]] = arith.cmpi slt, %[[I]], %arg1
// CHECK:         cf.cond_br %[[M]], ^bb2, ^bb3(%[[A]] : i32)
// CHECK:       ^bb2:
// CHECK:         %[[S:.*]] = arith.addi %[[A]], %[[A]] : i32
// CHECK:         %[[N:.*]] = arith.addi %[[I]], %arg2 : index
// CHECK:         cf.br ^bb1(%[[N]], %[[S]]
// CHECK:       ^bb3(%[[OUT:.*]]: i32):
// CHECK:         return %[[OUT]]
// With the question at the end, once more before the first iteration.
// ROTATED-LABEL: func.func @for
// ROTATED:         %[[ANY:.*]] = arith.cmpi slt, %arg0, %arg1
// ROTATED:         cf.cond_br %[[ANY]], ^bb1(%arg0, %arg3 : index, i32), ^bb2(%arg3 : i32)
// ROTATED:       ^bb1(%[[I:.*]]: index, %[[A:.*]]: i32):
// ROTATED:         %[[S:.*]] = arith.addi %[[A]], %[[A]] : i32
// ROTATED:         %[[N:.*]] = arith.addi %[[I]], %arg2 : index
// ROTATED:         %[[M:.*]] = arith.cmpi slt, %[[N]], %arg1
// ROTATED:         cf.cond_br %[[M]], ^bb1(%[[N]], %[[S]] : index, i32), ^bb2(%[[S]] : i32)
// ROTATED:       ^bb2(%[[OUT:.*]]: i32):
// ROTATED:         return %[[OUT]]
func.func @for(%lb: index, %ub: index, %s: index, %x: i32) -> i32 {
  %r = scf.for %i = %lb to %ub step %s iter_args(%a = %x) -> (i32) {
    %d = arith.addi %a, %a : i32
    scf.yield %d : i32
  }
  return %r : i32
}

// The number behind the last one may not fit its type.
// CHECK-LABEL: func.func @narrow
// CHECK:         arith.cmpi slt, %[[I:[^,]*]], %arg1
// CHECK:         %[[LEFT:.*]] = arith.subi %arg1, %[[I]] : i8
// CHECK:         %[[STEP:.*]] = arith.minui %{{.*}}, %[[LEFT]] : i8
// CHECK:         arith.addi %[[I]], %[[STEP]] : i8
// CHECK:         arith.cmpi slt, %[[J:[^,]*]], %arg1
// CHECK-NOT:     arith.minui
// CHECK:         return
// ROTATED-LABEL: func.func @narrow
// ROTATED:         %[[LEFT:.*]] = arith.subi %arg1, %[[I:.*]] : i8
// ROTATED:         %[[STEP:.*]] = arith.minui %{{.*}}, %[[LEFT]] : i8
// ROTATED:         %[[N:.*]] = arith.addi %[[I]], %[[STEP]] : i8
// ROTATED:         arith.cmpi slt, %[[N]], %arg1
func.func @narrow(%lb: i8, %ub: i8) {
  %one = arith.constant 1 : i8
  %step = arith.constant 3 : i8
  %last = arith.constant 125 : i8
  scf.for %i = %lb to %ub step %step : i8 {
    func.call @take(%i) : (i8) -> ()
  }
  scf.for %i = %lb to %ub step %one : i8 {
    func.call @take(%i) : (i8) -> ()
  }
  scf.for %i = %lb to %last step %step : i8 {
    func.call @take(%i) : (i8) -> ()
  }
  return
}
func.func private @take(i8)

// CHECK-LABEL: func.func @if
// CHECK:         cf.cond_br %arg0, ^bb1, ^bb2
// CHECK:       ^bb1:
// CHECK:         cf.br ^bb3(%arg1
// CHECK:       ^bb2:
// CHECK:         cf.br ^bb3(%arg2
// CHECK:       ^bb3(%[[R:.*]]: i32):
// CHECK:         return %[[R]]
func.func @if(%c: i1, %x: i32, %y: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    scf.yield %x : i32
  } else {
    scf.yield %y : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @while
// CHECK:         cf.br ^bb1(%arg0
// CHECK:       ^bb1(%[[X:.*]]: i32):
// CHECK:         cf.cond_br %{{.*}}, ^bb2(%[[X]] : i32), ^bb3(%[[X]] : i32)
// CHECK:       ^bb2(%[[Y:.*]]: i32):
// CHECK:         cf.br ^bb1(%{{.*}} : i32)
// CHECK:       ^bb3(%[[Z:.*]]: i32):
// CHECK:         return %[[Z]]
func.func @while(%x: i32) -> i32 {
  %r = scf.while (%a = %x) : (i32) -> i32 {
    %c = arith.cmpi slt, %a, %x : i32
    scf.condition(%c) %a : i32
  } do {
  ^bb0(%b: i32):
    %d = arith.addi %b, %b : i32
    scf.yield %d : i32
  }
  return %r : i32
}

// CHECK-LABEL: func.func @switch
// CHECK:         cf.switch %{{.*}} : i64, [
// CHECK-NEXT:      default: ^bb1,
// CHECK-NEXT:      5: ^bb2
func.func @switch(%i: index, %x: i32, %y: i32) -> i32 {
  %r = scf.index_switch %i -> i32
  case 5 {
    scf.yield %x : i32
  }
  default {
    scf.yield %y : i32
  }
  return %r : i32
}

// A sum over two dimensions, and a grid: loops inside each other.
// CHECK-LABEL: func.func @parallel
// CHECK-COUNT-4: arith.cmpi slt
// CHECK:         return
func.func @parallel(%n: index, %m: memref<?x?xf32>, %zero: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.parallel (%i, %j) = (%c0, %c0) to (%n, %n) step (%c1, %c1) init (%zero) -> f32 {
    %v = memref.load %m[%i, %j] : memref<?x?xf32>
    scf.reduce(%v : f32) {
    ^bb0(%a: f32, %b: f32):
      %s = arith.addf %a, %b : f32
      scf.reduce.return %s : f32
    }
  }
  scf.forall (%i, %j) in (%n, 4) {
    memref.store %sum, %m[%i, %j] : memref<?x?xf32>
  }
  return %sum : f32
}

// NONE-NOT: {{ scf\.}}
