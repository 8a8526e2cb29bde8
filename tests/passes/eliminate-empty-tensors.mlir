// RUN: freehold opt %s --eliminate-empty-tensors | FileCheck %s

// The row is filled where it will be.
// CHECK-LABEL: func.func @row
// CHECK-SAME:    (%[[T:.*]]: tensor<4x8xf32>, %[[V:.*]]: f32, %[[I:.*]]: index)
// CHECK-NEXT:    %[[S:.*]] = tensor.extract_slice %[[T]][%[[I]], 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<8xf32>
// CHECK-NEXT:    %[[F:.*]] = linalg.fill ins(%[[V]] : f32) outs(%[[S]] : tensor<8xf32>)
// CHECK-NEXT:    %[[R:.*]] = tensor.insert_slice %[[F]] into %[[T]][%[[I]], 0] [1, 8] [1, 1]
// CHECK-NEXT:    return %[[R]]
func.func @row(%t: tensor<4x8xf32>, %v: f32, %i: index) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.insert_slice %f into %t[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// A product is added up there.
// CHECK-LABEL: func.func @product
// CHECK:         %[[S:.*]] = tensor.extract_slice %{{.*}}[4, 0] [4, 8] [1, 1]
// CHECK:         %[[F:.*]] = linalg.fill {{.*}} outs(%[[S]] :
// CHECK:         linalg.matmul {{.*}} outs(%[[F]] :
func.func @product(%t: tensor<8x8xf32>, %a: tensor<4x5xf32>, %b: tensor<5x8xf32>, %v: f32) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %p = linalg.matmul ins(%a, %b : tensor<4x5xf32>, tensor<5x8xf32>) outs(%f : tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = tensor.insert_slice %p into %t[4, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}

// The tensor is not there yet.
// CHECK-LABEL: func.func @late
// CHECK-NEXT:    tensor.empty
func.func @late(%t: tensor<4x8xf32>, %v: f32, %i: index) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%v : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %u = linalg.map { math.exp } ins(%t : tensor<4x8xf32>) outs(%t : tensor<4x8xf32>)
  %r = tensor.insert_slice %f into %u[%i, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
