// RUN: freehold opt %s --cse | FileCheck %s

// Equal operations merge, commuted operands included.
// CHECK-LABEL: func.func @merge
// CHECK-NEXT:    %[[A:.*]] = arith.addi %arg0, %arg1
// CHECK-NEXT:    %[[M:.*]] = arith.muli %[[A]], %[[A]]
// CHECK-NEXT:    return %[[M]]
func.func @merge(%x: i32, %y: i32) -> i32 {
  %a = arith.addi %x, %y : i32
  %b = arith.addi %y, %x : i32
  %c = arith.muli %a, %b : i32
  return %c : i32
}

// Loads merge until something writes.
// CHECK-LABEL: func.func @loads
// CHECK-COUNT-2: memref.load
// CHECK-NOT:     memref.load
func.func @loads(%m: memref<4xi32>, %i: index) -> (i32, i32, i32) {
  %a = memref.load %m[%i] : memref<4xi32>
  %b = memref.load %m[%i] : memref<4xi32>
  memref.store %a, %m[%i] : memref<4xi32>
  %c = memref.load %m[%i] : memref<4xi32>
  return %a, %b, %c : i32, i32, i32
}

// What dominates a block is seen in it; what does not is not.
// CHECK-LABEL: func.func @blocks
// CHECK:         arith.addi
// CHECK:       ^bb1:
// CHECK-NOT:     arith.addi
// CHECK:         arith.muli
// CHECK:       ^bb2:
// CHECK:         arith.muli
func.func @blocks(%c: i1, %x: i32) -> i32 {
  %a = arith.addi %x, %x : i32
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %b = arith.addi %x, %x : i32
  %d = arith.muli %b, %a : i32
  return %d : i32
^bb2:
  %e = arith.muli %a, %a : i32
  return %e : i32
}

// The masked one leaves elements out.
// CHECK-LABEL: func.func @masked
// CHECK:         vector.reduction <add>
// CHECK-NEXT:    vector.mask %{{.*}} { vector.reduction <add>
func.func @masked(%v: vector<4xi32>, %m: vector<4xi1>) -> (i32, i32) {
  %all = vector.reduction <add>, %v : vector<4xi32> into i32
  %some = vector.mask %m { vector.reduction <add>, %v : vector<4xi32> into i32 } : vector<4xi1> -> i32
  return %all, %some : i32, i32
}
