// Functions: what they take and return.

// RUN: freehold opt %s --one-shot-bufferize | FileCheck %s --check-prefix=KEEP
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s
// RUN: freehold opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s --check-prefix=IDENTITY

// What functions without a body do to their arguments only attributes tell.
// CHECK: func.func private @unknown(memref<?xf32, strided<[?], offset: ?>>)
// CHECK: func.func private @reader(memref<?xf32, strided<[?], offset: ?>>)
// KEEP: func.func private @unknown(tensor<?xf32>)
// IDENTITY: func.func private @unknown(memref<?xf32>)
func.func private @unknown(%t: tensor<?xf32>)
func.func private @reader(%t: tensor<?xf32> {bufferization.access = "read"})

// CHECK-LABEL: func.func @calls(
// CHECK-SAME:    %[[T:.*]]: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> {
// CHECK-NEXT:    call @reader(%[[T]])
// CHECK:         memref.copy %[[T]], %[[A:.*]] :
// CHECK:         %[[CAST:.*]] = memref.cast %[[A]]
// CHECK:         call @unknown(%[[CAST]])
// CHECK:         memref.copy %[[T]], %[[B:.*]] :
// CHECK:         return %[[B]]
// KEEP-LABEL: func.func @calls(
// KEEP-SAME:    %[[T:.*]]: tensor<?xf32>) -> tensor<?xf32> {
// KEEP:         %[[M:.*]] = bufferization.to_memref %[[T]] : memref<?xf32, strided<[?], offset: ?>>
// KEEP:         %[[U:.*]] = bufferization.to_tensor %[[M]]
// KEEP:         call @reader(%[[U]]) : (tensor<?xf32>) -> ()
// IDENTITY-LABEL: func.func @calls(
// IDENTITY-SAME:    %[[T:.*]]: memref<?xf32>) -> memref<?xf32> {
// IDENTITY-NEXT:    call @reader(%[[T]])
func.func @calls(%t: tensor<?xf32>) -> tensor<?xf32> {
  call @reader(%t) : (tensor<?xf32>) -> ()
  call @unknown(%t) : (tensor<?xf32>) -> ()
  return %t : tensor<?xf32>
}

// A result is a new buffer, so it is passed on as it is.
// CHECK-LABEL: func.func @passes_on(
// CHECK-NEXT:    %[[R:.*]] = call @calls
// CHECK-NEXT:    return %[[R]] : memref<?xf32>
// KEEP-LABEL: func.func @passes_on(
func.func @passes_on(%t: tensor<?xf32>) -> tensor<?xf32> {
  %r = call @calls(%t) : (tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// Equal constants are one global, whose name is free.
// CHECK: memref.global "private" @__constant_2xi32 : memref<2xi32>
memref.global "private" @__constant_2xi32 : memref<2xi32>

// CHECK-LABEL: func.func @constants(
// CHECK-COUNT-2: memref.get_global @__constant_2xi32_0 : memref<2xi32>
// CHECK-NOT:     memref.get_global
func.func @constants() -> (tensor<2xi32>, tensor<2xi32>) {
  %a = arith.constant dense<[1, 2]> : tensor<2xi32>
  %b = arith.constant dense<[1, 2]> : tensor<2xi32>
  return %a, %b : tensor<2xi32>, tensor<2xi32>
}
