// Shapes of code on tensors that Torch-MLIR and IREE make, down to frees that are proved.
// RUN: freehold opt --irdl-file=%S/torch.irdl --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --buffer-deallocation-pipeline --verify-ownership %s | FileCheck %s

// The argument belongs to the caller: what is sorted is a copy.
// CHECK-LABEL: func.func @sort
// CHECK:         %[[COPY:.*]] = memref.alloc
// CHECK:         memref.copy
// CHECK:         "tm_tensor.sort"(%[[COPY]]) : (memref<8xi32>) -> ()
// CHECK:         return %[[COPY]]
func.func @sort(%x: tensor<8xi32>) -> tensor<8xi32> {
  %0 = "tm_tensor.sort"(%x) : (tensor<8xi32>) -> tensor<8xi32>
  return %0 : tensor<8xi32>
}

// Two results, two destinations; the accumulator is freed.
// CHECK-LABEL: func.func @scan
// CHECK-DAG:     %[[OUT:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x4xf32>
// CHECK-DAG:     %[[ACC:.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK:         "tm_tensor.scan"(%{{.*}}, %[[OUT]], %[[ACC]])
// CHECK:         memref.dealloc %[[ACC]]
// CHECK:         return %[[OUT]]
func.func @scan(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<8x4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %0:2 = "tm_tensor.scan"(%x, %o, %a) {resultSegmentSizes = array<i32: 1, 1>} : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<4xf32>) -> (tensor<8x4xf32>, tensor<4xf32>)
  return %0#0 : tensor<8x4xf32>
}

// A loop updates one tensor in place; what each dispatch makes is freed.
// CHECK-LABEL: func.func @updates
// CHECK:         scf.for
// CHECK:           %[[PART:.*]] = "flow.dispatch"
// CHECK:           "flow.update"(%[[PART]], %[[ALL:.*]], %{{.*}}) : (memref<4xf32>, memref<32xf32>, index) -> ()
// CHECK-NEXT:      memref.dealloc %[[PART]]
func.func @updates(%x: tensor<4xf32>) -> tensor<32xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<32xf32>) -> tensor<32xf32>
  %all = scf.for %i = %c0 to %c32 step %c4 iter_args(%old = %init) -> tensor<32xf32> {
    %part = "flow.dispatch"(%x) {entry_point = @module::@part} : (tensor<4xf32>) -> tensor<4xf32>
    %new = "flow.update"(%part, %old, %i) : (tensor<4xf32>, tensor<32xf32>, index) -> tensor<32xf32>
    scf.yield %new : tensor<32xf32>
  }
  return %all : tensor<32xf32>
}
