// Vectors of floats of four or six bits are packed in memory: what is loaded has no bits of the element beside it.
//
// RUN: freehold run -O0 %s --input=index=2 | FileCheck %s
// RUN: freehold run %s --input=index=2 | FileCheck %s

// CHECK: result #0: i32 = 5
// CHECK-NEXT: result #1: 8xi4 = [2, 4, 5, 6, 7, 4, 1, 6]
// CHECK-NEXT: result #2: i1 = true
// CHECK-NEXT: result #3: i32 = 12
func.func @main(%i: index) -> (i32, vector<8xi4>, i1, i32) {
  %r = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 6.0, 2.0, 0.5, 4.0]> : vector<8xf4E2M1FN>
  %m = memref.alloc() : memref<5xvector<8xf4E2M1FN>>
  memref.store %r, %m[%i] : memref<5xvector<8xf4E2M1FN>>
  %x = memref.load %m[%i] : memref<5xvector<8xf4E2M1FN>>
  %e = vector.extract %x[2] : f4E2M1FN from vector<8xf4E2M1FN>
  %b = arith.bitcast %e : f4E2M1FN to i4
  %w = arith.extui %b : i4 to i32
  %v = arith.bitcast %x : vector<8xf4E2M1FN> to vector<8xi4>
  %c5 = arith.constant 5 : i4
  %q = arith.cmpi eq, %b, %c5 : i4
  %s = arith.constant dense<[1.0, 1.5, 3.0, 4.0]> : vector<4xf6E2M3FN>
  %n = memref.alloc() : memref<5xvector<4xf6E2M3FN>>
  memref.store %s, %n[%i] : memref<5xvector<4xf6E2M3FN>>
  %y = memref.load %n[%i] : memref<5xvector<4xf6E2M3FN>>
  %f = vector.extract %y[1] : f6E2M3FN from vector<4xf6E2M3FN>
  %g = arith.bitcast %f : f6E2M3FN to i6
  %h = arith.extui %g : i6 to i32
  return %w, %v, %q, %h : i32, vector<8xi4>, i1, i32
}
