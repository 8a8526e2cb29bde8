// RUN: freehold opt %s --drop-donated-results --buffer-deallocation-pipeline --return-donated-arguments | FileCheck %s

// The second result that is an argument, and one that is no donated one, are copied.
// CHECK-LABEL: func.func @results(
// CHECK-SAME:    %[[A:.*]]: memref<4xf32> {freehold.result = 1 : i32}, %[[B:.*]]: memref<4xf32>, %[[C:.*]]: memref<4xf32> {freehold.result = 4 : i32}, %{{.*}}: memref<4xf32>
// CHECK-SAME:    -> (i32, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>)
// CHECK-DAG:     %[[A2:.*]] = bufferization.clone %[[A]]
// CHECK-DAG:     %[[B2:.*]] = bufferization.clone %[[B]]
// CHECK:         return %{{.*}}, %[[A]], %[[A2]], %[[B2]], %[[C]] :
func.func @results(%a: memref<4xf32> {jax.buffer_donor = true}, %b: memref<4xf32>, %c: memref<4xf32> {tf.aliasing_output = 0 : i32}, %d: memref<4xf32> {tf.aliasing_output = 3 : i32}, %i: i32) -> (i32, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  return %i, %a, %a, %b, %c : i32, memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>
}
