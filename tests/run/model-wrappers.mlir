// Models in the wrappers of IREE run as they are, or by way of `freehold import`.

// RUN: freehold import %s | FileCheck %s --check-prefix=IMPORTED
// RUN: freehold run %s --check | FileCheck %s
// RUN: freehold import %s -o %t.mlir
// RUN: freehold run %t.mlir --check | FileCheck %s

// IMPORTED-NOT: util.
// IMPORTED-NOT: hal.
// IMPORTED: func.func public @model(%arg0: tensor<2xf32>) -> tensor<2xf32> {
// IMPORTED: func.func @main

func.func private @printMemrefF32(memref<*xf32>)

util.global private @weights = dense<[2.0, 3.0]> : tensor<2xf32>
ml_program.global private mutable @calls(dense<0.0> : tensor<2xf32>) : tensor<2xf32>

util.func public @model$async(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view attributes {inlining_policy = #util.inline.never, iree.abi.stub} {
  %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<2xf32>
  %w = util.global.load @weights : tensor<2xf32>
  %1 = arith.mulf %0, %w : tensor<2xf32>
  %2 = hal.tensor.barrier join(%1 : tensor<2xf32>) => %arg2 : !hal.fence
  %3 = hal.tensor.export %2 : tensor<2xf32> -> !hal.buffer_view
  util.return %3 : !hal.buffer_view
}
util.func public @model(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
  %0 = util.null : !hal.fence
  %c0 = arith.constant 0 : index
  %device = hal.devices.get %c0 : !hal.device
  %fence = hal.fence.create device(%device : !hal.device) flags("None") : !hal.fence
  %1 = util.call @model$async(%arg0, %0, %fence) : (!hal.buffer_view, !hal.fence, !hal.fence) -> !hal.buffer_view
  util.return %1 : !hal.buffer_view
}

// What is stored is there the next time.
ml_program.func @count() -> tensor<2xf32> {
  %one = arith.constant dense<1.0> : tensor<2xf32>
  %0 = ml_program.global_load @calls : tensor<2xf32>
  %1 = arith.addf %0, %one : tensor<2xf32>
  ml_program.global_store @calls = %1 : tensor<2xf32>
  ml_program.return %0 : tensor<2xf32>
}

func.func @main() {
  // CHECK: [0,  0]
  // CHECK: [1,  1]
  %0 = call @count() : () -> tensor<2xf32>
  %1 = call @count() : () -> tensor<2xf32>
  %m0 = bufferization.to_memref %0 read_only : memref<2xf32>
  %m1 = bufferization.to_memref %1 read_only : memref<2xf32>
  %u0 = memref.cast %m0 : memref<2xf32> to memref<*xf32>
  %u1 = memref.cast %m1 : memref<2xf32> to memref<*xf32>
  call @printMemrefF32(%u0) : (memref<*xf32>) -> ()
  call @printMemrefF32(%u1) : (memref<*xf32>) -> ()
  return
}
