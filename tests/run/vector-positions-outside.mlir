// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s
// RUN: freehold interpret %s | FileCheck %s

// What is extracted or inserted outside of a vector is poison. Where nothing looks at it, nothing else is changed by it.

func.func @set(%v: vector<4xi64>, %i: index, %x: i64) -> vector<4xi64> attributes {no_inline} {
  %c4 = arith.constant 4 : index
  %m = memref.alloca() : memref<64xi64>
  linalg.fill ins(%x : i64) outs(%m : memref<64xi64>)
  %set = vector.insert %x, %v[%i] : i64 into vector<4xi64>
  %is_inside = arith.cmpi ult, %i, %c4 : index
  %r = arith.select %is_inside, %set, %v : vector<4xi64>
  %c0 = arith.constant 0 : index
  %y = memref.load %m[%c0] : memref<64xi64>
  %s = vector.insert %y, %r[0] : i64 into vector<4xi64>
  return %s : vector<4xi64>
}

func.func @get(%v: vector<4xi64>, %i: index, %x: i64) -> i64 attributes {no_inline} {
  %c4 = arith.constant 4 : index
  %got = vector.extract %v[%i] : i64 from vector<4xi64>
  %is_inside = arith.cmpi ult, %i, %c4 : index
  %r = arith.select %is_inside, %got, %x : i64
  return %r : i64
}

func.func @main() {
  %v = arith.constant dense<[1, 2, 3, 4]> : vector<4xi64>
  %x = arith.constant 9 : i64
  %c2 = arith.constant 2 : index
  %far = arith.constant 1000000000000 : index
  %before = arith.constant -3 : index
  // CHECK: ( 9, 2, 9, 4 )
  %a = call @set(%v, %c2, %x) : (vector<4xi64>, index, i64) -> vector<4xi64>
  vector.print %a : vector<4xi64>
  // CHECK-NEXT: ( 9, 2, 3, 4 )
  %b = call @set(%v, %far, %x) : (vector<4xi64>, index, i64) -> vector<4xi64>
  vector.print %b : vector<4xi64>
  // CHECK-NEXT: ( 9, 2, 3, 4 )
  %c = call @set(%v, %before, %x) : (vector<4xi64>, index, i64) -> vector<4xi64>
  vector.print %c : vector<4xi64>
  // CHECK-NEXT: 3
  %d = call @get(%v, %c2, %x) : (vector<4xi64>, index, i64) -> i64
  vector.print %d : i64
  // CHECK-NEXT: 9
  %e = call @get(%v, %far, %x) : (vector<4xi64>, index, i64) -> i64
  vector.print %e : i64
  return
}
