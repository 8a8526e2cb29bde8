// RUN: freehold opt %s --split-input-file --eliminate-empty-tensors="sink-producers=true" | FileCheck %s
// RUN: freehold opt %s --split-input-file --eliminate-empty-tensors="sink-producers=true" --one-shot-bufferize="bufferize-function-boundaries=true" | FileCheck %s --check-prefix=BUFFER

// What a step computes is used by the next operation, and kept; its place is computed first, and it is computed there.
// CHECK-LABEL: func.func @kept
// CHECK:         %[[K:.*]] = arith.addi
// CHECK-NEXT:    %[[PLACE:.*]] = tensor.extract_slice %{{.*}}[%[[K]], 0] [1, 16] [1, 1] : tensor<8x16xf32> to tensor<16xf32>
// CHECK-NEXT:    %[[ROW:.*]] = linalg.map { math.exp } ins(%{{.*}} : {{.*}}) outs(%[[PLACE]]
// CHECK:         linalg.map { math.sin } ins(%[[ROW]]
// CHECK:         tensor.insert_slice %[[ROW]] into %{{.*}}[%[[K]], 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<8x16xf32>
// BUFFER-LABEL: func.func @kept
// BUFFER:         scf.for {{.*}} iter_args(%[[CARRIED:.*]] = %{{.*}}, %[[KEPT:.*]] = %{{.*}})
// BUFFER-COUNT-1:   memref.alloc()
// BUFFER:           %[[IN:.*]] = memref.subview %[[KEPT]]
// BUFFER-NOT:       memref.alloc
// BUFFER:           linalg.map { math.exp } ins(%[[CARRIED]] : {{.*}}) outs(%[[IN]]
// BUFFER-NOT:       memref.copy
// BUFFER:           scf.yield
func.func @kept(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %t = tensor.empty() : tensor<8x16xf32>
  %r:2 = scf.for %i = %c0 to %c7 step %c1 iter_args(%s = %x, %all = %t) -> (tensor<16xf32>, tensor<8x16xf32>) {
    %e = tensor.empty() : tensor<16xf32>
    %f = linalg.map { math.exp } ins(%s : tensor<16xf32>) outs(%e : tensor<16xf32>)
    %g = linalg.map { math.sin } ins(%f : tensor<16xf32>) outs(%e : tensor<16xf32>)
    %x1 = tensor.expand_shape %f [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
    %k = arith.addi %i, %c1 : index
    %q = tensor.insert_slice %x1 into %all[%k, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<8x16xf32>
    scf.yield %g, %q : tensor<16xf32>, tensor<8x16xf32>
  }
  return %r#0, %r#1 : tensor<16xf32>, tensor<8x16xf32>
}

// -----

// What is used after the insertion is computed by itself: another operation writes to the tensor by then.
// BUFFER-LABEL: func.func @later
// BUFFER:         memref.alloc()
// BUFFER:         memref.copy
func.func @later(%x: tensor<16xf32>, %t: tensor<8x16xf32> {bufferization.writable = true}, %i: index) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.map { math.exp } ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>)
  %q = tensor.insert_slice %f into %t[%i, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<8x16xf32>
  %v = tensor.extract %f[%c0] : tensor<16xf32>
  %w = tensor.insert %v into %q[%c0, %c0] : tensor<8x16xf32>
  %g = linalg.map { math.sin } ins(%f : tensor<16xf32>) outs(%e : tensor<16xf32>)
  return %w, %g : tensor<8x16xf32>, tensor<16xf32>
}

// -----

// So is what the next iteration uses.
// CHECK-LABEL: func.func @yielded
// CHECK:         scf.for
// CHECK:           %[[EMPTY:.*]] = tensor.empty() : tensor<16xf32>
// CHECK:           linalg.map { math.exp } ins(%{{.*}} : {{.*}}) outs(%[[EMPTY]]
func.func @yielded(%x: tensor<16xf32>, %t: tensor<8x16xf32>) -> (tensor<16xf32>, tensor<8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %r:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%s = %x, %all = %t) -> (tensor<16xf32>, tensor<8x16xf32>) {
    %e = tensor.empty() : tensor<16xf32>
    %f = linalg.map { math.exp } ins(%s : tensor<16xf32>) outs(%e : tensor<16xf32>)
    %k = arith.remsi %c8, %i : index
    %q = tensor.insert_slice %f into %all[%k, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<8x16xf32>
    scf.yield %f, %q : tensor<16xf32>, tensor<8x16xf32>
  }
  return %r#0, %r#1 : tensor<16xf32>, tensor<8x16xf32>
}

// -----

// A division by what may be zero stays where the program has it.
// CHECK-LABEL: func.func @divided
// CHECK:         %[[EMPTY:.*]] = tensor.empty() : tensor<16xf32>
// CHECK:         linalg.map { math.exp } ins(%{{.*}} : {{.*}}) outs(%[[EMPTY]]
func.func @divided(%x: tensor<16xf32>, %t: tensor<8x16xf32>, %i: index) -> (tensor<8x16xf32>, tensor<16xf32>) {
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.map { math.exp } ins(%x : tensor<16xf32>) outs(%e : tensor<16xf32>)
  %g = linalg.map { math.sin } ins(%f : tensor<16xf32>) outs(%e : tensor<16xf32>)
  %k = arith.remsi %c8, %i : index
  %q = tensor.insert_slice %f into %t[%k, 0] [1, 16] [1, 1] : tensor<16xf32> into tensor<8x16xf32>
  return %q, %g : tensor<8x16xf32>, tensor<16xf32>
}
