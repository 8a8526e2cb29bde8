// RUN: freehold opt %s --hoist-vector-reductions | FileCheck %s

// Of both loops of the nest: lanes are added up once.
// CHECK-LABEL: func.func @nest
// CHECK-SAME:    (%[[X:.*]]: memref<10x20x8xf32>, %[[FIRST:.*]]: f32)
// CHECK:         %[[OUTER:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}) -> (vector<8xf32>) {
// CHECK:           %[[INNER:.*]] = scf.for {{.*}} iter_args(%[[B:.*]] = %{{.*}}) -> (vector<8xf32>) {
// CHECK:             %[[ROW:.*]] = vector.load
// CHECK-NEXT:        %[[NEXT:.*]] = arith.addf %[[B]], %[[ROW]] fastmath<reassoc> : vector<8xf32>
// CHECK-NEXT:        scf.yield %[[NEXT]]
// CHECK:           %[[BOTH:.*]] = arith.addf %[[A]], %[[INNER]] fastmath<reassoc> : vector<8xf32>
// CHECK-NEXT:      scf.yield %[[BOTH]]
// CHECK:         %[[ALL:.*]] = vector.reduction <add>, %[[OUTER]] fastmath<reassoc> : vector<8xf32> into f32
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[FIRST]], %[[ALL]] fastmath<reassoc> : f32
// CHECK-NEXT:    return %[[SUM]]
func.func @nest(%x: memref<10x20x8xf32>, %first: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %c20 = arith.constant 20 : index
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %first) -> (f32) {
    %s = scf.for %j = %c0 to %c20 step %c1 iter_args(%b = %a) -> (f32) {
      %row = vector.load %x[%i, %j, %c0] : memref<10x20x8xf32>, vector<8xf32>
      %all = vector.reduction <add>, %row : vector<8xf32> into f32
      %next = arith.addf %b, %all fastmath<reassoc> : f32
      scf.yield %next : f32
    }
    scf.yield %s : f32
  }
  return %r : f32
}

// Integers need no permission. What else a loop carries stays where it is.
// CHECK-LABEL: func.func @integers
// CHECK:         scf.for {{.*}} -> (i32, vector<4xi32>, i32) {
// CHECK:           arith.addi {{.*}} : vector<4xi32>
// CHECK:         vector.reduction <add>
func.func @integers(%x: memref<10x4xi32>, %first: i32) -> (i32, i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %r:3 = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %first, %b = %first, %c = %first) -> (i32, i32, i32) {
    %row = vector.load %x[%i, %c0] : memref<10x4xi32>, vector<4xi32>
    %all = vector.reduction <add>, %row : vector<4xi32> into i32
    %next = arith.addi %all, %b : i32
    %other = arith.xori %a, %c : i32
    scf.yield %c, %next, %other : i32, i32, i32
  }
  return %r#0, %r#1, %r#2 : i32, i32, i32
}

// Not in another order, not what is read on the way, and not for one iteration or other combinations.
// CHECK-LABEL: func.func @others
// CHECK-NOT:     -> (vector
// CHECK:         return
func.func @others(%x: memref<10x4xf32>, %first: f32, %y: memref<10xf32>) -> (f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %in_order = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %first) -> (f32) {
    %row = vector.load %x[%i, %c0] : memref<10x4xf32>, vector<4xf32>
    %all = vector.reduction <add>, %row : vector<4xf32> into f32
    %next = arith.addf %a, %all : f32
    scf.yield %next : f32
  }
  %read = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %first) -> (f32) {
    %row = vector.load %x[%i, %c0] : memref<10x4xf32>, vector<4xf32>
    %all = vector.reduction <add>, %row : vector<4xf32> into f32
    %next = arith.addf %a, %all fastmath<reassoc> : f32
    memref.store %next, %y[%i] : memref<10xf32>
    scf.yield %next : f32
  }
  %once = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %first) -> (f32) {
    %row = vector.load %x[%i, %c0] : memref<10x4xf32>, vector<4xf32>
    %all = vector.reduction <add>, %row : vector<4xf32> into f32
    %next = arith.addf %a, %all fastmath<reassoc> : f32
    scf.yield %next : f32
  }
  %greatest = scf.for %i = %c0 to %c10 step %c1 iter_args(%a = %first) -> (f32) {
    %row = vector.load %x[%i, %c0] : memref<10x4xf32>, vector<4xf32>
    %all = vector.reduction <maximumf>, %row : vector<4xf32> into f32
    %next = arith.addf %a, %all fastmath<reassoc> : f32
    scf.yield %next : f32
  }
  return %in_order, %read, %once, %greatest : f32, f32, f32, f32
}
