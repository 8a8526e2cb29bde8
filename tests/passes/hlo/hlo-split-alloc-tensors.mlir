// RUN: freehold opt %s --hlo-split-alloc-tensors --allow-unregistered-dialect \
// RUN:   | FileCheck %s --implicit-check-not=alloc_tensor

// Three users get an allocation each, right before them.
// CHECK-LABEL: func.func @three_users(
// CHECK-SAME:  %[[ARG0:.*]]: f32) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK:         %[[V0:.*]] = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK:         %[[V1:.*]] = linalg.fill ins(%[[ARG0]] : f32) outs(%[[V0]] : tensor<4xf32>) -> tensor<4xf32>
// CHECK:         %[[V2:.*]] = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK:         %[[V3:.*]] = linalg.fill ins(%[[ARG0]] : f32) outs(%[[V2]] : tensor<4xf32>) -> tensor<4xf32>
// CHECK:         %[[V4:.*]] = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK:         %[[INSERTED:.*]] = tensor.insert %[[ARG0]] into %[[V4]][%{{[^ ,)]*}}] : tensor<4xf32>
// CHECK:         return %[[V1]], %[[V3]] : tensor<4xf32>, tensor<4xf32>
func.func @three_users(%x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  %a = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %i = arith.constant 0 : index
  %c = tensor.insert %x into %t[%i] : tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// Inside of a region too, with the sizes; an operation that uses it twice gets
// two; what nobody uses goes.
// CHECK-LABEL: func.func @nested(
// CHECK-SAME:  %[[ARG0:.*]]: i1, %[[ARG1:.*]]: index)
// CHECK:         scf.if %[[ARG0]] {
// CHECK:           %[[V0:.*]] = bufferization.alloc_tensor(%[[ARG1]]) : tensor<?xf32>
// CHECK:           %[[V1:.*]] = bufferization.alloc_tensor(%[[ARG1]]) : tensor<?xf32>
// CHECK:           "test.use"(%[[V0]], %[[V1]]) : (tensor<?xf32>, tensor<?xf32>) -> ()
// CHECK:         return
func.func @nested(%c: i1, %n: index) {
  %t = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %unused = bufferization.alloc_tensor() : tensor<4xf32>
  scf.if %c {
    "test.use"(%t, %t) : (tensor<?xf32>, tensor<?xf32>) -> ()
  }
  return
}

// An allocation that copies another one is a user, and so are its copies.
// CHECK-LABEL: func.func @copied(
// CHECK:         %[[V0:.*]] = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK:         %[[V1:.*]] = bufferization.alloc_tensor() copy(%[[V0]]) : tensor<4xf32>
// CHECK:         %[[V2:.*]] = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK:         %[[V3:.*]] = bufferization.alloc_tensor() copy(%[[V2]]) : tensor<4xf32>
// CHECK:         return %[[V1]], %[[V3]] : tensor<4xf32>, tensor<4xf32>
func.func @copied() -> (tensor<4xf32>, tensor<4xf32>) {
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  %u = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  return %u, %u : tensor<4xf32>, tensor<4xf32>
}
