// RUN: freehold opt %s --drop-donated-results | FileCheck %s

// The second result that is an argument, and one that is no donated one, are copied.
// CHECK-LABEL: func.func @results(
// CHECK-SAME:    %arg0: memref<4xf32> {freehold.dropped_result = 1 : i32}, %arg1: memref<4xf32>, %arg2: memref<4xf32> {freehold.dropped_result = 4 : i32}, %arg3: memref<4xf32>, %arg4: i32)
// CHECK-SAME:    -> (i32, memref<4xf32>, memref<4xf32>)
// CHECK:         return %arg4, %arg0, %arg1 :
func.func @results(%a: memref<4xf32> {jax.buffer_donor = true}, %b: memref<4xf32>, %c: memref<4xf32> {tf.aliasing_output = 0 : i32}, %d: memref<4xf32> {tf.aliasing_output = 3 : i32}, %i: i32) -> (i32, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  return %i, %a, %a, %b, %c : i32, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>
}

// One of two is not known before the call.
// CHECK-LABEL: func.func @one_of_two(
// CHECK-NOT:     freehold.dropped_result
// CHECK:         return %{{.*}} : memref<4xf32>
func.func @one_of_two(%a: memref<4xf32> {jax.buffer_donor = true}, %b: memref<4xf32> {jax.buffer_donor = true}, %flag: i1) -> memref<4xf32> {
  %r = arith.select %flag, %a, %b : memref<4xf32>
  return %r : memref<4xf32>
}
