// RUN: freehold opt %s --allow-unregistered-dialect --convert-unsigned-loops | FileCheck %s

// CHECK-LABEL: func.func @flipped
// CHECK-SAME:      (%[[LB:.*]]: i32, %[[UB:.*]]: i32, %[[STEP:.*]]: i32, %[[V:.*]]: f32)
// CHECK:         %[[A:.*]] = arith.constant -2147483648 : i32
// CHECK-NEXT:    %[[FROM:.*]] = arith.xori %[[LB]], %[[A]] : i32
// CHECK:         %[[TO:.*]] = arith.xori %[[UB]], %{{.*}} : i32
// CHECK-NEXT:    %[[R:.*]] = scf.for %[[I:.*]] = %[[FROM]] to %[[TO]] step %[[STEP]] iter_args(%[[X:.*]] = %[[V]]) -> (f32)  : i32 {
// CHECK:           %[[N:.*]] = arith.xori %[[I]], %{{.*}} : i32
// CHECK-NEXT:      "use"(%[[N]], %[[X]])
// CHECK-NEXT:      scf.yield %[[X]] : f32
// CHECK:         return %[[R]]
func.func @flipped(%lb: i32, %ub: i32, %step: i32, %v: f32) -> f32 {
  %r = scf.for unsigned %i = %lb to %ub step %step iter_args(%x = %v) -> (f32) : i32 {
    "use"(%i, %x) : (i32, f32) -> ()
    scf.yield %x : f32
  }
  return %r : f32
}

// Numbers that are not negative are the same either way.
// CHECK-LABEL: func.func @known
// CHECK-NOT:     xori
// CHECK:         scf.for %[[I:.*]] = %c0 to %c9 step %c2 {
// CHECK-NEXT:      "use"(%[[I]])
func.func @known() {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c9 = arith.constant 9 : index
  scf.for unsigned %i = %c0 to %c9 step %c2 {
    "use"(%i) : (index) -> ()
  }
  return
}
