// RUN: freehold opt %s --memref-emulate-wide-int | FileCheck %s
// RUN: freehold opt %s --memref-emulate-wide-int=widest-int-supported=64 | FileCheck %s --check-prefix=KEPT
// RUN: freehold run %s | FileCheck %s --check-prefix=PRINTED
// RUN: freehold opt %s --memref-emulate-wide-int | freehold run - | FileCheck %s --check-prefix=PRINTED
// RUN: freehold opt %s --memref-emulate-wide-int | freehold interpret - | FileCheck %s --check-prefix=PRINTED
// RUN: not freehold opt %s --memref-emulate-wide-int=widest-int-supported=24 2>&1 | FileCheck %s --check-prefix=WIDTH

// WIDTH: '24' value invalid for option widest-int-supported: expected 8, 16, 32 or 64

// KEPT-LABEL: func.func @buffers
// KEPT:         memref.alloc(%arg0) {{.*}} : memref<?xi64, 1>
// KEPT-LABEL: func.func private @mixed
// KEPT:         arith.muli %{{.*}} : i64

// What is not for elements stays, and so does what the operations say.
// CHECK-LABEL: func.func @buffers
// CHECK:         %[[M:.*]] = memref.alloc(%arg0) {alignment = 16 : i64} : memref<?xvector<2xi32>, 1>
// CHECK:         %[[C:.*]] = arith.constant dense<[-5, -1]> : vector<2xi32>
// CHECK:         memref.store %[[C]], %[[M]][%arg0] {nontemporal = true} : memref<?xvector<2xi32>, 1>
// CHECK:         memref.dim %[[M]], %{{.*}} : memref<?xvector<2xi32>, 1>
// CHECK:         %[[S:.*]] = memref.subview %[[M]][1] [3] [1] : memref<?xvector<2xi32>, 1> to memref<3xvector<2xi32>, strided<[1], offset: 1>, 1>
// CHECK:         %[[U:.*]] = arith.select %arg1, %[[S]], %{{.*}} : memref<3xvector<2xi32>, strided<[1], offset: 1>, 1>
// CHECK:         %[[L:.*]] = memref.load %[[U]][%arg0]
// CHECK:         %[[R:.*]] = vector.extract %[[L]][0] : i32 from vector<2xi32>
// CHECK:         memref.dealloc %[[M]]
// CHECK:         return %[[R]]
func.func @buffers(%n: index, %either: i1) -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) {alignment = 16 : i64} : memref<?xi64, 1>
  %c = arith.constant -5 : i64
  memref.store %c, %m[%n] {nontemporal = true} : memref<?xi64, 1>
  %d = memref.dim %m, %c0 : memref<?xi64, 1>
  %s = memref.subview %m[1] [3] [1] : memref<?xi64, 1> to memref<3xi64, strided<[1], offset: 1>, 1>
  %t = memref.subview %m[1] [3] [1] : memref<?xi64, 1> to memref<3xi64, strided<[1], offset: 1>, 1>
  %u = arith.select %either, %s, %t : memref<3xi64, strided<[1], offset: 1>, 1>
  %l = memref.load %u[%n] : memref<3xi64, strided<[1], offset: 1>, 1>
  %r = arith.trunci %l : i64 to i32
  memref.dealloc %m : memref<?xi64, 1>
  return %r : i32
}

// Vectors have pairs along one more dimension.
// CHECK-LABEL: func.func private @lanes
// CHECK:         %[[A:.*]] = vector.shape_cast %arg0 : vector<3xi32> to vector<3x1xi32>
// CHECK:         vector.extract_strided_slice %{{.*}} {offsets = [0, 1], sizes = [3, 1], strides = [1, 1]} : vector<3x2xi32> to vector<3x1xi32>
// CHECK:         arith.addui_extended %{{.*}} : vector<3x1xi32>, vector<3x1xi1>
func.func private @lanes(%a: vector<3xi32>, %b: vector<3xi8>) -> vector<3xi32> {
  %k = arith.constant dense<[4294967301, 7, -1]> : vector<3xi64>
  %x = arith.extsi %a : vector<3xi32> to vector<3xi64>
  %y = arith.extui %b : vector<3xi8> to vector<3xi64>
  %0 = arith.addi %x, %k : vector<3xi64>
  %1 = arith.shli %0, %y : vector<3xi64>
  %2 = arith.shrsi %1, %y : vector<3xi64>
  %3 = arith.muli %2, %k : vector<3xi64>
  %c = arith.cmpi slt, %3, %x : vector<3xi64>
  %4 = arith.select %c, %3, %0 : vector<3xi1>, vector<3xi64>
  %c32 = arith.constant dense<32> : vector<3xi64>
  %5 = arith.shrui %4, %c32 : vector<3xi64>
  %6 = arith.xori %4, %5 : vector<3xi64>
  %r = arith.trunci %6 : vector<3xi64> to vector<3xi32>
  return %r : vector<3xi32>
}

// Numbers beyond 32 bits in a buffer and from an index.
// CHECK-LABEL: func.func private @mixed
// CHECK-NOT:     i64
// CHECK:         return
func.func private @mixed(%a32: i32, %b8: i8, %i: index, %d: f64) -> (i32, i32, f64, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<2xi64>
  %k = arith.constant -5000000000 : i64
  %a = arith.extsi %a32 : i32 to i64
  %b = arith.extui %b8 : i8 to i64
  %0 = arith.muli %a, %k : i64
  memref.store %0, %m[%c0] : memref<2xi64>
  %1 = arith.index_cast %i : index to i64
  memref.store %1, %m[%c1] : memref<2xi64>
  %2 = memref.load %m[%c0] : memref<2xi64>
  %3 = memref.load %m[%c1] : memref<2xi64>
  memref.dealloc %m : memref<2xi64>
  %4 = arith.subi %2, %3 : i64
  %5 = arith.shrsi %4, %b : i64
  %6 = arith.shrui %4, %b : i64
  %7 = arith.maxsi %5, %3 : i64
  %8 = arith.minui %6, %7 : i64
  %9 = arith.minsi %8, %2 : i64
  %10 = arith.maxui %9, %5 : i64
  %11 = arith.andi %10, %4 : i64
  %12 = arith.ori %11, %6 : i64
  %f = arith.sitofp %4 : i64 to f64
  %u = arith.uitofp %4 : i64 to f64
  %g = arith.subf %f, %u : f64
  %13 = arith.fptosi %d : f64 to i64
  %14 = arith.addi %12, %13 : i64
  %e = arith.cmpi sge, %14, %2 : i64
  %15 = arith.select %e, %14, %2 : i64
  %c32 = arith.constant 32 : i64
  %16 = arith.shrui %15, %c32 : i64
  %low = arith.trunci %15 : i64 to i32
  %high = arith.trunci %16 : i64 to i32
  %j = arith.index_cast %3 : i64 to index
  return %low, %high, %g, %j : i32, i32, f64, index
}

// PRINTED:      964576256
// PRINTED-NEXT: -14372261
// PRINTED-NEXT: -1.84467e+19
// PRINTED-NEXT: 6000000000
// PRINTED-NEXT: ( 100004, 4, 0 )
func.func @main() {
  %a = arith.constant 12345678 : i32
  %b = arith.constant 40 : i8
  %i = arith.constant 6000000000 : index
  %d = arith.constant -1.0e12 : f64
  %r:4 = call @mixed(%a, %b, %i, %d) : (i32, i8, index, f64) -> (i32, i32, f64, index)
  vector.print %r#0 : i32
  vector.print %r#1 : i32
  vector.print %r#2 : f64
  vector.print %r#3 : index
  %x = arith.constant dense<[100000, -3, 9]> : vector<3xi32>
  %y = arith.constant dense<[0, 3, 61]> : vector<3xi8>
  %z = call @lanes(%x, %y) : (vector<3xi32>, vector<3xi8>) -> vector<3xi32>
  vector.print %z : vector<3xi32>
  return
}
