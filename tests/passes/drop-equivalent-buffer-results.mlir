// RUN: freehold opt %s --drop-equivalent-buffer-results --verify-each | FileCheck %s
// RUN: freehold opt %s --drop-equivalent-buffer-results | freehold run - --check

// CHECK-LABEL: func.func @same
// CHECK-SAME:      (%{{.*}}: memref<4xf32>) {
// CHECK-NEXT:    return
func.func @same(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

// The other results keep their order; scalars are dropped as well.
// CHECK-LABEL: func.func @some
// CHECK-SAME:      (%{{.*}}: memref<4xf32>, %{{.*}}: i32) -> (f32, memref<4xf32>)
// CHECK:         return %{{.*}}, %{{.*}} : f32, memref<4xf32>
func.func @some(%m: memref<4xf32>, %x: i32) -> (memref<4xf32>, f32, i32, memref<4xf32>) {
  %c = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  return %m, %c, %x, %a : memref<4xf32>, f32, i32, memref<4xf32>
}

// The caller stands before the function it calls: its result goes all the same.
// CHECK-LABEL: func.func @through_calls
// CHECK-SAME:      (%[[M:.*]]: memref<4xf32>) {
// CHECK-NEXT:    call @cast(%[[M]]) : (memref<4xf32>) -> ()
// CHECK:         return
func.func @through_calls(%m: memref<4xf32>) -> memref<?xf32> {
  %r = call @cast(%m) : (memref<4xf32>) -> memref<?xf32>
  return %r : memref<?xf32>
}

// CHECK-LABEL: func.func @cast
// CHECK-SAME:      (%{{.*}}: memref<4xf32>) {
func.func @cast(%m: memref<4xf32>) -> memref<?xf32> {
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  return %c : memref<?xf32>
}

// The same argument at both returns.
// CHECK-LABEL: func.func @two_returns
// CHECK-SAME:      (%{{.*}}: memref<4xf32>, %{{.*}}: i1) {
func.func @two_returns(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %m : memref<4xf32>
^bb2:
  return %m : memref<4xf32>
}

// Not: a part of an argument, unknown bodies, unknown callers.
// CHECK-LABEL: func.func @subview
// CHECK-SAME:      -> memref<2xf32, strided<[1]>>
func.func @subview(%m: memref<4xf32>) -> memref<2xf32, strided<[1]>> {
  %c = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  return %c : memref<2xf32, strided<[1]>>
}

// CHECK-LABEL: func.func @address_taken
// CHECK-SAME:      -> memref<4xf32>
func.func @address_taken(%m: memref<4xf32>) -> memref<4xf32> {
  return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    call @same(%[[A]]) : (memref<4xf32>) -> ()
// CHECK-NEXT:    %[[S:.*]]:2 = call @some(%[[A]], %{{.*}}) : (memref<4xf32>, i32) -> (f32, memref<4xf32>)
// CHECK-NEXT:    call @cast(%[[A]]) : (memref<4xf32>) -> ()
// CHECK-NEXT:    %[[C:.*]] = memref.cast %[[A]] : memref<4xf32> to memref<?xf32>
// CHECK:         memref.store %{{.*}}, %[[A]]
// CHECK:         memref.store %{{.*}}, %[[S]]#1
// CHECK:         memref.store %{{.*}}, %[[C]]
func.func @main() {
  %i = arith.constant 0 : index
  %x = arith.constant 0 : i32
  %a = memref.alloc() : memref<4xf32>
  %r = call @same(%a) : (memref<4xf32>) -> memref<4xf32>
  %s:4 = call @some(%r, %x) : (memref<4xf32>, i32) -> (memref<4xf32>, f32, i32, memref<4xf32>)
  %c = call @cast(%s#0) : (memref<4xf32>) -> memref<?xf32>
  memref.store %s#1, %s#0[%i] : memref<4xf32>
  memref.store %s#1, %s#3[%i] : memref<4xf32>
  memref.store %s#1, %c[%i] : memref<?xf32>
  %f = func.constant @address_taken : (memref<4xf32>) -> memref<4xf32>
  return
}
