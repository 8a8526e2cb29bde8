// RUN: freehold opt %s --generate-runtime-verification --test-cf-assert | freehold run - | FileCheck %s
// RUN: freehold opt %s --generate-runtime-verification | FileCheck %s --check-prefix=TEXT

// TEXT-LABEL: func.func @load
// TEXT:         %[[A:.*]] = arith.cmpi sge, %arg1
// TEXT:         %[[B:.*]] = arith.cmpi slt, %arg1
// TEXT:         %[[C:.*]] = arith.andi %[[A]], %[[B]]
// TEXT:         cf.assert %[[C]], "ERROR: Runtime op verification failed\0A%{{.*}} = memref.load %arg0[%arg1] : memref<4xf32>\0A^ out-of-bounds access
// TEXT:         memref.load
func.func @load(%m: memref<4xf32>, %i: index) -> f32 {
  %v = memref.load %m[%i] : memref<4xf32>
  return %v : f32
}

// A slice of nothing lies anywhere.
func.func @slice(%m: memref<4xf32>, %o: index, %n: index) -> index {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[%o] [%n] [1] : memref<4xf32> to memref<?xf32, strided<[1], offset: ?>>
  %d = memref.dim %s, %c0 : memref<?xf32, strided<[1], offset: ?>>
  return %d : index
}

func.func @cast(%m: memref<?xf32>) -> memref<10xf32> {
  %c = memref.cast %m : memref<?xf32> to memref<10xf32>
  return %c : memref<10xf32>
}

// Nothing to check.
// TEXT-LABEL: func.func @known
// TEXT-NOT:     cf.assert
// TEXT:         return
func.func @known(%m: memref<4xf32>) -> f32 {
  %c1 = arith.constant 1 : index
  %s = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  %v = memref.load %s[%c1] : memref<2xf32, strided<[1], offset: 1>>
  return %v : f32
}

// CHECK:      begin
// CHECK-NEXT: ERROR: Runtime op verification failed
// CHECK-NEXT: %{{.*}} = memref.subview %{{.*}}[%{{.*}}] [%{{.*}}] [1] : memref<4xf32> to memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT: ^ subview runs out-of-bounds along dimension 0
// CHECK-NEXT: Location: loc("{{.*}}":{{[0-9]+}}:{{[0-9]+}})
// CHECK-NEXT: ERROR: Runtime op verification failed
// CHECK-NEXT: %{{.*}} = memref.cast %{{.*}} : memref<?xf32> to memref<10xf32>
// CHECK-NEXT: ^ size mismatch of dim 0
// CHECK-NEXT: Location: loc({{.*}})
// CHECK-NEXT: end
func.func @main() {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  vector.print str "begin\0A"
  %m = memref.alloc() : memref<4xf32>
  %a = func.call @slice(%m, %c3, %c2) : (memref<4xf32>, index, index) -> index
  %b = func.call @slice(%m, %c4, %c0) : (memref<4xf32>, index, index) -> index
  %c = func.call @slice(%m, %c2, %c2) : (memref<4xf32>, index, index) -> index
  %d = memref.cast %m : memref<4xf32> to memref<?xf32>
  %e = func.call @cast(%d) : (memref<?xf32>) -> memref<10xf32>
  vector.print str "end\0A"
  memref.dealloc %m : memref<4xf32>
  return
}
