// Arithmetic on the lanes that a mask and a length leave: the others are poison, and nothing divides by zero there.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s
// RUN: freehold opt %s --raise-llvm | FileCheck %s --check-prefix=RAISED

// RAISED-LABEL: func.func @quotient
// RAISED:         %[[N:.*]] = arith.index_castui %arg3 : i32 to index
// RAISED:         %[[FIRST:.*]] = vector.create_mask %[[N]] : vector<4xi1>
// RAISED:         %[[MASK:.*]] = arith.andi %arg2, %[[FIRST]] : vector<4xi1>
// RAISED:         %[[DIVISOR:.*]] = arith.select %[[MASK]], %arg1, %{{.*}} : vector<4xi1>, vector<4xi32>
// RAISED:         arith.divsi %arg0, %[[DIVISOR]] : vector<4xi32>
func.func @quotient(%a: vector<4xi32>, %b: vector<4xi32>, %m: vector<4xi1>, %n: i32) -> vector<4xi32> {
  %r = "llvm.intr.vp.sdiv"(%a, %b, %m, %n) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  return %r : vector<4xi32>
}

// RAISED-LABEL: func.func @sum
// RAISED-NEXT:    %[[R:.*]] = arith.addf %arg0, %arg1 : vector<4xf32>
// RAISED-NEXT:    return %[[R]]
func.func @sum(%a: vector<4xf32>, %b: vector<4xf32>, %m: vector<4xi1>, %n: i32) -> vector<4xf32> {
  %r = "llvm.intr.vp.fadd"(%a, %b, %m, %n) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  return %r : vector<4xf32>
}

func.func @others(%a: vector<4xi32>, %b: vector<4xi32>, %m: vector<4xi1>, %n: i32) {
  %0 = "llvm.intr.vp.select"(%m, %a, %b, %n) : (vector<4xi1>, vector<4xi32>, vector<4xi32>, i32) -> vector<4xi32>
  vector.print %0 : vector<4xi32>
  %1 = "llvm.intr.vp.merge"(%m, %a, %b, %n) : (vector<4xi1>, vector<4xi32>, vector<4xi32>, i32) -> vector<4xi32>
  vector.print %1 : vector<4xi32>
  %2 = "llvm.intr.vp.smax"(%a, %b, %m, %n) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %3 = vector.extract %2[0] : i32 from vector<4xi32>
  vector.print %3 : i32
  %4 = "llvm.intr.vp.sitofp"(%a, %m, %n) : (vector<4xi32>, vector<4xi1>, i32) -> vector<4xf32>
  %5 = "llvm.intr.vp.fneg"(%4, %m, %n) : (vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  %6 = "llvm.intr.vp.fma"(%4, %4, %5, %m, %n) : (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  %7 = vector.extract %6[2] : f32 from vector<4xf32>
  vector.print %7 : f32
  return
}

// CHECK:      2
// CHECK-NEXT: -4
// CHECK-NEXT: 5.5
// CHECK-NEXT: ( 8, 0, -12, {{[0-9]+}} )
// CHECK-NEXT: ( 8, 0, -12, 2 )
// CHECK-NEXT: 8
// CHECK-NEXT: 156
func.func @main() {
  %a = arith.constant dense<[8, 7, -12, 5]> : vector<4xi32>
  %b = arith.constant dense<[4, 0, 3, 2]> : vector<4xi32>
  %m = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %n = arith.constant 3 : i32
  %q = func.call @quotient(%a, %b, %m, %n) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> vector<4xi32>
  %q0 = vector.extract %q[0] : i32 from vector<4xi32>
  vector.print %q0 : i32
  %q2 = vector.extract %q[2] : i32 from vector<4xi32>
  vector.print %q2 : i32
  %x = arith.constant dense<[1.5, 2.5, 3.5, 4.5]> : vector<4xf32>
  %y = arith.constant dense<4.0> : vector<4xf32>
  %s = func.call @sum(%x, %y, %m, %n) : (vector<4xf32>, vector<4xf32>, vector<4xi1>, i32) -> vector<4xf32>
  %s0 = vector.extract %s[0] : f32 from vector<4xf32>
  vector.print %s0 : f32
  func.call @others(%a, %b, %m, %n) : (vector<4xi32>, vector<4xi32>, vector<4xi1>, i32) -> ()
  return
}
