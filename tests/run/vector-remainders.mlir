// Remainders of divisions of floats in vectors are those of fmod, bit by bit: of quotients of up to 2^277, zeros of both
// signs, infinities and NaN.
//
// RUN: freehold run - < %s | FileCheck %s
// RUN: freehold run -O0 - < %s | FileCheck %s

// CHECK: result #0: 16xi1 = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true, true]
// CHECK-NEXT: result #1: 16xf32 = [1.5, -1.5, 0.0, -0.0, 0.0, -0.{{[0-9]+}}, NaN, NaN, 1{{(\.0)?}}e-45, 5.0, -6.0, NaN, {{[01]\.[0-9]+}}, 0.{{[0-9]+}}, NaN, 1.0]
memref.global "private" constant @x : memref<16xf32> = dense<[7.5, -7.5, 0.0, -0.0, 3.0e38, -3.0e38, 0x7F800000, 0x7FC00000, 1.0e-45, 5.0, -6.0, 2.5, 3.0e38, 1.0, 1.0, 16777217.0]>
memref.global "private" constant @y : memref<16xf32> = dense<[2.0, 2.0, 2.0, 2.0, 1.0e-45, 0.7, 3.0, 1.0, 3.0e38, 0x7F800000, 0x7F800000, 0.0, 1.7, -0.3, 0x7FC00000, 3.0]>

// Of bits, or both NaN.
func.func private @same(%a: f32, %b: f32) -> i1 {
  %0 = arith.bitcast %a : f32 to i32
  %1 = arith.bitcast %b : f32 to i32
  %2 = arith.cmpi eq, %0, %1 : i32
  %3 = arith.cmpf uno, %a, %a : f32
  %4 = arith.cmpf uno, %b, %b : f32
  %5 = arith.andi %3, %4 : i1
  %6 = arith.ori %2, %5 : i1
  return %6 : i1
}

func.func private @remainder(%x: f32, %y: f32) -> f32 attributes {no_inline} {
  %0 = arith.remf %x, %y : f32
  return %0 : f32
}

func.func @main() -> (memref<16xi1>, memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 16 : index
  %x = memref.get_global @x : memref<16xf32>
  %y = memref.get_global @y : memref<16xf32>
  %same = memref.alloc() : memref<16xi1>
  %r = memref.alloc() : memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<16xf32>
    %b = memref.load %y[%i] : memref<16xf32>
    %c = arith.remf %a, %b : f32
    memref.store %c, %r[%i] : memref<16xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.load %x[%i] : memref<16xf32>
    %b = memref.load %y[%i] : memref<16xf32>
    %c = memref.load %r[%i] : memref<16xf32>
    %d = func.call @remainder(%a, %b) : (f32, f32) -> f32
    %e = func.call @same(%c, %d) : (f32, f32) -> i1
    memref.store %e, %same[%i] : memref<16xi1>
  }
  return %same, %r : memref<16xi1>, memref<16xf32>
}
