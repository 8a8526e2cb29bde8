// RUN: freehold opt %s --split-input-file --one-shot-bufferize="bufferize-function-boundaries=true reuse-inputs=true" --canonicalize | FileCheck %s

// The second operation writes where it reads, and no other buffer is made. An argument is only read.
// CHECK-LABEL: func.func @chain
// CHECK-SAME:    (%[[X:.*]]: memref<8xf32
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         linalg.generic {{.*}} ins(%[[X]] : {{.*}}) outs(%[[A]] :
// CHECK:         linalg.generic {{.*}} ins(%[[A]] : {{.*}}) outs(%[[A]] :
// CHECK-NOT:     memref.{{alloc|copy}}
// CHECK:         return %[[A]]
#id = affine_map<(d0) -> (d0)>
func.func @chain(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%x : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.exp %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = math.sin %a : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Not what is still needed, what is read in another order, or what has other elements.
// CHECK-LABEL: func.func @not
// CHECK-COUNT-4: memref.alloc
// CHECK-NOT:     memref.copy
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>
func.func @not(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %f = tensor.empty() : tensor<4x4xi32>
  %0 = linalg.map { math.exp } ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>)
  %1 = linalg.map { math.sin } ins(%0 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>)
  %2 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<4x4xf32>
  %3 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%1 : tensor<4x4xf32>) outs(%f : tensor<4x4xi32>) {
  ^bb0(%a: f32, %o: i32):
    %m = arith.bitcast %a : f32 to i32
    linalg.yield %m : i32
  } -> tensor<4x4xi32>
  return %0, %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xi32>
}

// -----

// What a loop carries is computed in place.
// CHECK-LABEL: func.func @loop
// CHECK:         %[[C:.*]] = memref.alloc
// CHECK:         memref.copy %{{.*}}, %[[C]]
// CHECK:         scf.for
// CHECK-NEXT:      linalg.map { math.exp } ins(%[[C]] : {{.*}}) outs(%[[C]] :
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[C]]
func.func @loop(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> tensor<8xf32> {
    %e = tensor.empty() : tensor<8xf32>
    %1 = linalg.map { math.exp } ins(%c : tensor<8xf32>) outs(%e : tensor<8xf32>)
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}

// -----

// What is made outside of a loop is read in each iteration.
// CHECK-LABEL: func.func @outside
// CHECK:         scf.for
// CHECK:           memref.alloc
func.func @outside(%x: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.map { math.exp } ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>)
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%c = %x) -> tensor<8xf32> {
    %f = tensor.empty() : tensor<8xf32>
    %1 = linalg.map { math.sin } ins(%y : tensor<8xf32>) outs(%f : tensor<8xf32>)
    scf.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
