// RUN: freehold opt %s --buffer-results-to-out-params --verify-each | FileCheck %s
// RUN: freehold opt %s --buffer-results-to-out-params=add-result-attr=true | FileCheck %s --check-prefix=ATTR
// RUN: freehold opt %s --buffer-results-to-out-params | freehold run - --check

// ATTR: func.func @buffer(%{{.*}}: i32, %{{.*}}: memref<4xf32> {bufferize.result}) -> i32

// CHECK-LABEL: func.func @buffer
// CHECK-SAME:      (%[[X:.*]]: i32, %[[OUT:.*]]: memref<4xf32>) -> i32
// CHECK-NEXT:    %[[A:.*]] = memref.alloc
// CHECK-NEXT:    memref.copy %[[A]], %[[OUT]]
// CHECK-NEXT:    return %[[X]] : i32
func.func @buffer(%x: i32) -> (i32, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  return %x, %a : i32, memref<4xf32>
}

// A result may be an argument; each return copies.
// CHECK-LABEL: func.func @two_returns
// CHECK-SAME:      (%[[C:.*]]: i1, %[[M:.*]]: memref<4xf32>, %[[OUT:.*]]: memref<4xf32>)
// CHECK:         memref.copy %[[M]], %[[OUT]]
// CHECK-NEXT:    return
// CHECK:         memref.copy %{{.*}}, %[[OUT]]
// CHECK-NEXT:    return
func.func @two_returns(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %m : memref<4xf32>
^bb2:
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// Any layout is fine for a caller: it casts.
// CHECK-LABEL: func.func @layout
// CHECK-SAME:      (%{{.*}}: memref<4xf32, strided<[?], offset: ?>>, %{{.*}}: memref<4xf32, strided<[?], offset: ?>>) {
func.func @layout(%m: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
  return %m : memref<4xf32, strided<[?], offset: ?>>
}

// The identity written as strides is the identity.
// CHECK-LABEL: func.func @identity
// CHECK-SAME:      (%{{.*}}: memref<2x2xf32, strided<[2, 1]>>) {
func.func @identity() -> memref<2x2xf32, strided<[2, 1]>> {
  %a = memref.alloc() : memref<2x2xf32, strided<[2, 1]>>
  return %a : memref<2x2xf32, strided<[2, 1]>>
}


// Unranked results stay.
// CHECK-LABEL: func.func @unranked
// CHECK-SAME:      -> memref<*xf32>
func.func @unranked(%m: memref<*xf32>) -> memref<*xf32> {
  return %m : memref<*xf32>
}

// A dynamic size is no problem without callers.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME:      (%{{.*}}: index, %{{.*}}: memref<?xf32>) {
func.func @dynamic(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}

// Somebody may call it who does not know.
// CHECK-LABEL: func.func @address_taken
// CHECK-SAME:      () -> memref<4xf32>
func.func @address_taken() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  return %a : memref<4xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         %[[A:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %[[X:.*]] = call @buffer(%{{.*}}, %[[A]]) : (i32, memref<4xf32>) -> i32
// CHECK:         %[[B:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    call @two_returns(%{{.*}}, %[[A]], %[[B]])
// CHECK-NEXT:    memref.load %[[B]]
// CHECK:         %[[D:.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %[[E:.*]] = memref.cast %[[D]]
// CHECK-NEXT:    call @layout(%{{.*}}, %[[E]])
func.func @main() {
  %x = arith.constant 0 : i32
  %c = arith.constant true
  %i = arith.constant 0 : index
  %v = arith.constant 2.0 : f32
  %r:2 = call @buffer(%x) : (i32) -> (i32, memref<4xf32>)
  memref.store %v, %r#1[%i] : memref<4xf32>
  %s = call @two_returns(%c, %r#1) : (i1, memref<4xf32>) -> memref<4xf32>
  %w = memref.load %s[%i] : memref<4xf32>
  %t = memref.cast %s : memref<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %l = call @layout(%t) : (memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>>
  %q = call @identity() : () -> memref<2x2xf32, strided<[2, 1]>>
  %f = func.constant @address_taken : () -> memref<4xf32>
  return
}
