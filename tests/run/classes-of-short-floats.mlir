// How many numbers of short formats are NaN, infinite, finite and normal.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold interpret %s | FileCheck %s

// CHECK: ( 6, 2, 248, 240 )
// CHECK-NEXT: ( 2, 0, 254, 238 )
// CHECK-NEXT: ( 1, 0, 255, 240 )
// CHECK-NEXT: ( 1, 0, 255, 255 )
// CHECK-NEXT: ( 0, 0, 16, 12 )
// CHECK-NEXT: ( 1, 1, 0, 0, 0 )

func.func private @f8e5m2() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %r:4 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %bits = arith.index_cast %i : index to i8
    %x = arith.bitcast %bits : i8 to f8E5M2
    %0 = math.isnan %x : f8E5M2
    %1 = math.isinf %x : f8E5M2
    %2 = math.isfinite %x : f8E5M2
    %3 = math.isnormal %x : f8E5M2
    %4 = arith.extui %0 : i1 to i32
    %5 = arith.extui %1 : i1 to i32
    %6 = arith.extui %2 : i1 to i32
    %7 = arith.extui %3 : i1 to i32
    %8 = arith.addi %a, %4 : i32
    %9 = arith.addi %b, %5 : i32
    %10 = arith.addi %c, %6 : i32
    %11 = arith.addi %d, %7 : i32
    scf.yield %8, %9, %10, %11 : i32, i32, i32, i32
  }
  %v = vector.from_elements %r#0, %r#1, %r#2, %r#3 : vector<4xi32>
  vector.print %v : vector<4xi32>
  return
}

func.func private @f8e4m3fn() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %r:4 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %bits = arith.index_cast %i : index to i8
    %x = arith.bitcast %bits : i8 to f8E4M3FN
    %0 = math.isnan %x : f8E4M3FN
    %1 = math.isinf %x : f8E4M3FN
    %2 = math.isfinite %x : f8E4M3FN
    %3 = math.isnormal %x : f8E4M3FN
    %4 = arith.extui %0 : i1 to i32
    %5 = arith.extui %1 : i1 to i32
    %6 = arith.extui %2 : i1 to i32
    %7 = arith.extui %3 : i1 to i32
    %8 = arith.addi %a, %4 : i32
    %9 = arith.addi %b, %5 : i32
    %10 = arith.addi %c, %6 : i32
    %11 = arith.addi %d, %7 : i32
    scf.yield %8, %9, %10, %11 : i32, i32, i32, i32
  }
  %v = vector.from_elements %r#0, %r#1, %r#2, %r#3 : vector<4xi32>
  vector.print %v : vector<4xi32>
  return
}

func.func private @f8e4m3fnuz() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %r:4 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %bits = arith.index_cast %i : index to i8
    %x = arith.bitcast %bits : i8 to f8E4M3FNUZ
    %0 = math.isnan %x : f8E4M3FNUZ
    %1 = math.isinf %x : f8E4M3FNUZ
    %2 = math.isfinite %x : f8E4M3FNUZ
    %3 = math.isnormal %x : f8E4M3FNUZ
    %4 = arith.extui %0 : i1 to i32
    %5 = arith.extui %1 : i1 to i32
    %6 = arith.extui %2 : i1 to i32
    %7 = arith.extui %3 : i1 to i32
    %8 = arith.addi %a, %4 : i32
    %9 = arith.addi %b, %5 : i32
    %10 = arith.addi %c, %6 : i32
    %11 = arith.addi %d, %7 : i32
    scf.yield %8, %9, %10, %11 : i32, i32, i32, i32
  }
  %v = vector.from_elements %r#0, %r#1, %r#2, %r#3 : vector<4xi32>
  vector.print %v : vector<4xi32>
  return
}

func.func private @f8e8m0fnu() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 256 : index
  %zero = arith.constant 0 : i32
  %r:4 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %bits = arith.index_cast %i : index to i8
    %x = arith.bitcast %bits : i8 to f8E8M0FNU
    %0 = math.isnan %x : f8E8M0FNU
    %1 = math.isinf %x : f8E8M0FNU
    %2 = math.isfinite %x : f8E8M0FNU
    %3 = math.isnormal %x : f8E8M0FNU
    %4 = arith.extui %0 : i1 to i32
    %5 = arith.extui %1 : i1 to i32
    %6 = arith.extui %2 : i1 to i32
    %7 = arith.extui %3 : i1 to i32
    %8 = arith.addi %a, %4 : i32
    %9 = arith.addi %b, %5 : i32
    %10 = arith.addi %c, %6 : i32
    %11 = arith.addi %d, %7 : i32
    scf.yield %8, %9, %10, %11 : i32, i32, i32, i32
  }
  %v = vector.from_elements %r#0, %r#1, %r#2, %r#3 : vector<4xi32>
  vector.print %v : vector<4xi32>
  return
}

func.func private @f4e2m1fn() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = arith.constant 16 : index
  %zero = arith.constant 0 : i32
  %r:4 = scf.for %i = %c0 to %end step %c1 iter_args(%a = %zero, %b = %zero, %c = %zero, %d = %zero) -> (i32, i32, i32, i32) {
    %bits = arith.index_cast %i : index to i4
    %x = arith.bitcast %bits : i4 to f4E2M1FN
    %0 = math.isnan %x : f4E2M1FN
    %1 = math.isinf %x : f4E2M1FN
    %2 = math.isfinite %x : f4E2M1FN
    %3 = math.isnormal %x : f4E2M1FN
    %4 = arith.extui %0 : i1 to i32
    %5 = arith.extui %1 : i1 to i32
    %6 = arith.extui %2 : i1 to i32
    %7 = arith.extui %3 : i1 to i32
    %8 = arith.addi %a, %4 : i32
    %9 = arith.addi %b, %5 : i32
    %10 = arith.addi %c, %6 : i32
    %11 = arith.addi %d, %7 : i32
    scf.yield %8, %9, %10, %11 : i32, i32, i32, i32
  }
  %v = vector.from_elements %r#0, %r#1, %r#2, %r#3 : vector<4xi32>
  vector.print %v : vector<4xi32>
  return
}

func.func @main() {
  call @f8e5m2() : () -> ()
  call @f8e4m3fn() : () -> ()
  call @f8e4m3fnuz() : () -> ()
  call @f8e8m0fnu() : () -> ()
  call @f4e2m1fn() : () -> ()
  %v = arith.constant dense<[1.0, -0.5, 0x7C, 0x7E, 0x01]> : vector<5xf8E5M2>
  %n = math.isnormal %v : vector<5xf8E5M2>
  vector.print %n : vector<5xi1>
  return
}
