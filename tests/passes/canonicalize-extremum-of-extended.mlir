// The larger or smaller of a number that was extended and of one that it never reaches.
//
// RUN: freehold opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: func.func @clamped(
// CHECK-SAME:    %[[X:.*]]: i8)
// CHECK-NEXT:    %[[Y:.*]] = arith.extui %[[X]] : i8 to i32
// CHECK-NEXT:    %[[Z:.*]] = arith.index_cast %[[Y]] : i32 to index
// CHECK-NEXT:    return %[[Z]]
func.func @clamped(%x: i8) -> index {
  %c0 = arith.constant 0 : index
  %c255 = arith.constant 255 : index
  %y = arith.extui %x : i8 to i32
  %z = arith.index_cast %y : i32 to index
  %a = arith.maxsi %z, %c0 : index
  %b = arith.minsi %a, %c255 : index
  return %b : index
}

// CHECK-LABEL: func.func @reached(
// CHECK:         arith.minsi
// CHECK:         arith.maxsi
// CHECK:         arith.minui
func.func @reached(%x: i8) -> (i32, i32, i32) {
  %c1 = arith.constant 1 : i32
  %c254 = arith.constant 254 : i32
  %y = arith.extui %x : i8 to i32
  %a = arith.minsi %y, %c254 : i32
  %b = arith.maxsi %y, %c1 : i32
  %c = arith.minui %y, %c254 : i32
  return %a, %b, %c : i32, i32, i32
}

// The constant is always the larger one. As numbers without a sign, negative ones are large.
// CHECK-LABEL: func.func @constants(
// CHECK-DAG:     %[[A:.*]] = arith.constant 300 : i32
// CHECK-DAG:     %[[B:.*]] = arith.constant -1 : i32
// CHECK:         return %[[A]], %[[B]], %{{.*}}, %[[B]]
func.func @constants(%x: i8) -> (i32, i32, i32, i32) {
  %c300 = arith.constant 300 : i32
  %cm1 = arith.constant -1 : i32
  %y = arith.extui %x : i8 to i32
  %a = arith.maxsi %y, %c300 : i32
  %b = arith.minsi %y, %cm1 : i32
  %c = arith.minui %y, %cm1 : i32
  %d = arith.maxui %y, %cm1 : i32
  return %a, %b, %c, %d : i32, i32, i32, i32
}

// A cast to fewer bits may change the sign.
// CHECK-LABEL: func.func @cut(
// CHECK:         arith.maxsi
func.func @cut(%x: i16) -> i8 {
  %c0 = arith.constant 0 : i8
  %y = arith.index_castui %x : i16 to index
  %z = arith.index_cast %y : index to i8
  %a = arith.maxsi %z, %c0 : i8
  return %a : i8
}

// Four casts are looked through.
// CHECK-LABEL: func.func @four_casts(
// CHECK-NOT:     arith.maxsi
// CHECK-LABEL: func.func @five_casts(
// CHECK:         arith.maxsi
func.func @four_casts(%x: i8) -> index {
  %c0 = arith.constant 0 : index
  %0 = arith.extui %x : i8 to i16
  %1 = arith.index_cast %0 : i16 to index
  %2 = arith.index_cast %1 : index to i64
  %3 = arith.index_cast %2 : i64 to index
  %4 = arith.maxsi %3, %c0 : index
  return %4 : index
}

func.func @five_casts(%x: i8) -> i64 {
  %c0 = arith.constant 0 : i64
  %0 = arith.extui %x : i8 to i16
  %1 = arith.index_cast %0 : i16 to index
  %2 = arith.index_cast %1 : index to i32
  %3 = arith.index_cast %2 : i32 to index
  %4 = arith.index_cast %3 : index to i64
  %5 = arith.maxsi %4, %c0 : i64
  return %5 : i64
}
