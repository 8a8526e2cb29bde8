// RUN: freehold opt %s --strip-model-wrappers --split-input-file | FileCheck %s
// RUN: freehold opt %s --split-input-file --mlir-print-op-generic | freehold opt --strip-model-wrappers --split-input-file | FileCheck %s

// What IREE makes of an ONNX model: a function that signals when it is done, and one that waits for it.
// CHECK-NOT:   util.
// CHECK-NOT:   hal.
// CHECK-LABEL: func.func public @model(
// CHECK-SAME:      %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:    %[[SUM:.*]] = arith.addf %[[X]], %[[Y]]
// CHECK-NEXT:    return %[[SUM]], %[[X]] : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:  }
// CHECK-NOT:   func.func
util.func public @model$async(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) attributes {inlining_policy = #util.inline.never, iree.abi.model = "coarse-fences", iree.abi.stub} {
  %0 = hal.tensor.import wait(%arg2) => %arg0 : !hal.buffer_view -> tensor<4xf32>
  %1 = hal.tensor.import wait(%arg2) => %arg1 "y" : !hal.buffer_view -> tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  %3:2 = hal.tensor.barrier join(%2, %0 : tensor<4xf32>, tensor<4xf32>) => %arg3 : !hal.fence
  %4 = hal.tensor.export %3#0 "sum" : tensor<4xf32> -> !hal.buffer_view
  %5 = hal.tensor.export %3#1 : tensor<4xf32> -> !hal.buffer_view
  util.return %4, %5 : !hal.buffer_view, !hal.buffer_view
}
util.func public @model(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub} {
  %0 = util.null : !hal.fence
  %c-1_i32 = arith.constant -1 : i32
  %c0 = arith.constant 0 : index
  %device_0 = hal.devices.get %c0 : !hal.device
  %fence = hal.fence.create device(%device_0 : !hal.device) flags("None") : !hal.fence
  %1:2 = util.call @model$async(%arg0, %arg1, %0, %fence) : (!hal.buffer_view, !hal.buffer_view, !hal.fence, !hal.fence) -> (!hal.buffer_view, !hal.buffer_view)
  %status = hal.fence.await until([%fence]) timeout_millis(%c-1_i32) flags("None") : i32
  util.return %1#0, %1#1 : !hal.buffer_view, !hal.buffer_view
}

// -----

// Sizes are those of the tensor.
// CHECK-LABEL: func.func public @sizes(
// CHECK-SAME:      %[[X:.*]]: tensor<?xf32>) -> tensor<?xf32> {
// CHECK:         tensor.dim %[[X]], %{{.*}} : tensor<?xf32>
// CHECK:         return
util.func public @sizes(%arg0: !hal.buffer_view) -> !hal.buffer_view {
  %0 = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
  %1 = hal.tensor.import %arg0 "x" : !hal.buffer_view -> tensor<?xf32>{%0}
  %2 = tensor.empty(%0) : tensor<?xf32>
  %3 = linalg.copy ins(%1 : tensor<?xf32>) outs(%2 : tensor<?xf32>) -> tensor<?xf32>
  %4 = hal.tensor.export %3 "y" : tensor<?xf32>{%0} -> !hal.buffer_view
  util.return %4 : !hal.buffer_view
}

// -----

// Globals that do not change are constants; others are buffers.
// CHECK-NOT:   util.global
// CHECK-NOT:   ml_program.global
// CHECK:       memref.global "private" @m : memref<2xf32> = dense<0.000000e+00>
// CHECK-LABEL: func.func @globals
util.global private @g = dense<1.0> : tensor<2xf32>
ml_program.global private @w(dense<[1.0, 2.0]> : tensor<2xf32>) : tensor<2xf32>
ml_program.global private mutable @m(dense<0.0> : tensor<2xf32>) : tensor<2xf32>
ml_program.func @globals() -> tensor<2xf32> {
  // CHECK-NEXT: %[[G:.*]] = arith.constant dense<1.000000e+00> : tensor<2xf32>
  %g = util.global.load @g : tensor<2xf32>
  // CHECK-NEXT: %[[W:.*]] = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %w = ml_program.global_load_const @w : tensor<2xf32>
  // CHECK-NEXT: %[[M:.*]] = memref.get_global @m : memref<2xf32>
  // CHECK-NEXT: %[[OLD:.*]] = bufferization.to_tensor %[[M]]
  %m = ml_program.global_load @m : tensor<2xf32>
  %0 = arith.addf %m, %g : tensor<2xf32>
  // CHECK: %[[M2:.*]] = memref.get_global @m : memref<2xf32>
  // CHECK: bufferization.materialize_in_destination %[[W]] in writable %[[M2]]
  ml_program.global_store @m = %w : tensor<2xf32>
  ml_program.return %0 : tensor<2xf32>
}
