// Reductions and contractions to scalars, of elements of any type, that extend their factors, and of some elements:
// what a mask leaves out changes nothing.
//
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold run %s -O1 | FileCheck %s
// RUN: freehold run %s -O2 --vector-bits=128 | FileCheck %s
// RUN: freehold run %s -O3 | FileCheck %s
// RUN: freehold run %s -O3 --vector-bits=256 | FileCheck %s

#dot = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"] }
#largest = { indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"], kind = #vector.kind<maxsi> }
#turned = { indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"] }

func.func private @contractions(%a: vector<2xf32>, %i: vector<4xi8>, %h: vector<2x3xf16>, %g: vector<3x2xf16>, %m: vector<4xi1>) attributes {passthrough = ["noinline"]} {
  %one = arith.constant 1.0 : f32
  %half_one = arith.constant 1.0 : f16
  %two = arith.constant 2 : i32
  // CHECK: 6
  %0 = vector.contract #dot %a, %a, %one : vector<2xf32>, vector<2xf32> into f32
  vector.print %0 : f32
  // Products of signed numbers: 2 + 1 + 9 + 4 + 16 and the largest one.
  // CHECK-NEXT: 32
  %1 = vector.contract #dot %i, %i, %two : vector<4xi8>, vector<4xi8> into i32
  vector.print %1 : i32
  // CHECK-NEXT: 16
  %2 = vector.contract #largest %i, %i, %two : vector<4xi8>, vector<4xi8> into i32
  vector.print %2 : i32
  // 2 + 1 + 4
  // CHECK-NEXT: 7
  %3 = vector.mask %m { vector.contract #dot %i, %i, %two : vector<4xi8>, vector<4xi8> into i32 } : vector<4xi1> -> i32
  vector.print %3 : i32
  // 1 + 2048 + 5, which 16 bits do not hold.
  // CHECK-NEXT: 2054
  %4 = vector.contract #turned %h, %g, %one : vector<2x3xf16>, vector<3x2xf16> into f32
  vector.print %4 : f32
  // CHECK-NEXT: 2048
  %5 = vector.contract #turned %h, %g, %half_one : vector<2x3xf16>, vector<3x2xf16> into f16
  vector.print %5 : f16
  return
}

func.func private @reductions(%a: vector<2x2xf16>, %m: vector<2x2xi1>, %b: vector<2x2xi8>) attributes {passthrough = ["noinline"]} {
  %zero = arith.constant 0.0 : f16
  %ones = arith.constant -1 : i8
  // CHECK-NEXT: 10
  %0 = vector.multi_reduction <add>, %a, %zero [0, 1] : vector<2x2xf16> to f16
  vector.print %0 : f16
  // CHECK-NEXT: 3
  %1 = vector.mask %m { vector.multi_reduction <maxnumf>, %a, %zero [0, 1] : vector<2x2xf16> to f16 } : vector<2x2xi1> -> f16
  vector.print %1 : f16
  // CHECK-NEXT: 1
  %2 = vector.multi_reduction <minui>, %b, %ones [0, 1] : vector<2x2xi8> to i8
  vector.print %2 : i8
  return
}

// Reductions of halves of which some elements take part.
func.func private @masked(%a: vector<16xf16>, %b: vector<16xbf16>, %m: vector<16xi1>) attributes {passthrough = ["noinline"]} {
  // CHECK-NEXT: 6
  %0 = vector.mask %m { vector.reduction <add>, %a : vector<16xf16> into f16 } : vector<16xi1> -> f16
  vector.print %0 : f16
  // CHECK-NEXT: 8
  %1 = vector.mask %m { vector.reduction <mul>, %a : vector<16xf16> into f16 } : vector<16xi1> -> f16
  vector.print %1 : f16
  // CHECK-NEXT: 2
  %2 = vector.mask %m { vector.reduction <maximumf>, %a : vector<16xf16> into f16 } : vector<16xi1> -> f16
  vector.print %2 : f16
  // CHECK-NEXT: 2
  %3 = vector.mask %m { vector.reduction <minimumf>, %a : vector<16xf16> into f16 } : vector<16xi1> -> f16
  vector.print %3 : f16
  // CHECK-NEXT: 2
  %4 = vector.mask %m { vector.reduction <maxnumf>, %a : vector<16xf16> into f16 } : vector<16xi1> -> f16
  vector.print %4 : f16
  // CHECK-NEXT: 2
  %5 = vector.mask %m { vector.reduction <minnumf>, %a : vector<16xf16> into f16 } : vector<16xi1> -> f16
  vector.print %5 : f16
  // CHECK-NEXT: -9
  %6 = vector.mask %m { vector.reduction <add>, %b : vector<16xbf16> into bf16 } : vector<16xi1> -> bf16
  vector.print %6 : bf16
  // CHECK-NEXT: -27
  %7 = vector.mask %m { vector.reduction <mul>, %b : vector<16xbf16> into bf16 } : vector<16xi1> -> bf16
  vector.print %7 : bf16
  // CHECK-NEXT: -3
  %8 = vector.mask %m { vector.reduction <maximumf>, %b : vector<16xbf16> into bf16 } : vector<16xi1> -> bf16
  vector.print %8 : bf16
  // CHECK-NEXT: -3
  %9 = vector.mask %m { vector.reduction <maxnumf>, %b : vector<16xbf16> into bf16 } : vector<16xi1> -> bf16
  vector.print %9 : bf16
  // With a number to start from.
  // CHECK-NEXT: 16
  %ten = arith.constant 10.0 : f16
  %10 = vector.mask %m { vector.reduction <add>, %a, %ten : vector<16xf16> into f16 } : vector<16xi1> -> f16
  vector.print %10 : f16
  return
}

func.func @main() {
  %a = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
  %i = arith.constant dense<[1, -3, 2, 4]> : vector<4xi8>
  %h = arith.constant dense<[[2048.0, 1.0, 1.0], [1.0, 1.0, 1.0]]> : vector<2x3xf16>
  %g = arith.constant dense<1.0> : vector<3x2xf16>
  %m4 = arith.constant dense<[true, false, true, false]> : vector<4xi1>
  func.call @contractions(%a, %i, %h, %g, %m4) : (vector<2xf32>, vector<4xi8>, vector<2x3xf16>, vector<3x2xf16>, vector<4xi1>) -> ()
  %r = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf16>
  %m2 = arith.constant dense<[[true, false], [true, false]]> : vector<2x2xi1>
  %b = arith.constant dense<[[1, 2], [-3, 4]]> : vector<2x2xi8>
  func.call @reductions(%r, %m2, %b) : (vector<2x2xf16>, vector<2x2xi1>, vector<2x2xi8>) -> ()
  %halves = arith.constant dense<2.0> : vector<16xf16>
  %brains = arith.constant dense<-3.0> : vector<16xbf16>
  %n = arith.constant 3 : index
  %m = vector.create_mask %n : vector<16xi1>
  func.call @masked(%halves, %brains, %m) : (vector<16xf16>, vector<16xbf16>, vector<16xi1>) -> ()
  return
}
