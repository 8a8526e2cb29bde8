// RUN: freehold opt %s --stablehlo-call-host | FileCheck %s

// The host gets the number, and the addresses of operands and results.
// CHECK-LABEL: func.func @call(
// CHECK-SAME:      %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<2xui8>)
// CHECK-DAG:     %[[A:.*]] = bufferization.to_memref %[[X]] read_only : memref<4xf32>
// CHECK-DAG:     %[[C:.*]] = builtin.unrealized_conversion_cast %[[Y]] : tensor<2xui8> to tensor<2xi8>
// CHECK-DAG:     %[[B:.*]] = bufferization.to_memref %[[C]] read_only : memref<2xi8>
// CHECK:         %[[R:.*]] = memref.alloc() : memref<f32>
// CHECK-NEXT:    call @freehold.host.0(%[[A]], %[[B]], %[[R]]) : (memref<4xf32>, memref<2xi8>, memref<f32>) -> ()
// CHECK-NEXT:    %[[T:.*]] = bufferization.to_tensor %[[R]] restrict writable : memref<f32>
// CHECK-NEXT:    return %[[T]]
func.func @call(%x: tensor<4xf32>, %y: tensor<2xui8>) -> tensor<f32> {
  %0 = stablehlo.custom_call @freehold.host(%x, %y) {backend_config = "7", has_side_effect = true} : (tensor<4xf32>, tensor<2xui8>) -> tensor<f32>
  return %0 : tensor<f32>
}

// Tokens are tensors without elements, in signatures and loops as well.
// CHECK-LABEL: func.func @tokens(
// CHECK-SAME:      %[[T:.*]]: tensor<0xi1>, %[[X:.*]]: tensor<f32>) -> tensor<0xi1>
// CHECK-NEXT:    %[[M:.*]] = bufferization.to_memref %[[X]] read_only : memref<f32>
// CHECK-NEXT:    call @freehold.host.1(%[[M]]) : (memref<f32>) -> ()
// CHECK:         stablehlo.while({{.*}} = %[[T]]
// CHECK-SAME:      tensor<0xi1>
func.func @tokens(%token: !stablehlo.token, %x: tensor<f32>) -> !stablehlo.token {
  %0 = stablehlo.custom_call @freehold.host(%token, %x) {backend_config = "8", has_side_effect = true} : (!stablehlo.token, tensor<f32>) -> !stablehlo.token
  %no = stablehlo.constant dense<false> : tensor<i1>
  %1 = stablehlo.while(%t = %0) : !stablehlo.token
    cond {
      stablehlo.return %no : tensor<i1>
    } do {
      stablehlo.return %t : !stablehlo.token
    }
  %2 = stablehlo.after_all %1, %token : !stablehlo.token
  return %2 : !stablehlo.token
}

// CHECK-LABEL: func.func @create() -> tensor<0xi1>
// CHECK-NEXT:    stablehlo.constant dense<> : tensor<0xi1>
func.func @create() -> !stablehlo.token {
  %0 = stablehlo.create_token : !stablehlo.token
  return %0 : !stablehlo.token
}

// CHECK-LABEL: func.func private @freehold.host.0(
// CHECK-SAME:      %[[A:.*]]: memref<4xf32>, %[[B:.*]]: memref<2xi8>, %[[R:.*]]: memref<f32>) attributes {passthrough = ["noinline"]}
// CHECK:         %[[ALL:.*]] = memref.alloca() : memref<3xindex>
// CHECK:         %[[P:.*]] = memref.extract_aligned_pointer_as_index %[[A]]
// CHECK:         memref.store %[[P]], %[[ALL]]
// CHECK:         %[[SEVEN:.*]] = arith.constant 7 : index
// CHECK:         %[[WORDS:.*]] = memref.extract_aligned_pointer_as_index %[[ALL]]
// CHECK:         call @freehold_host_call(%[[SEVEN]], %[[WORDS]])
// CHECK:       func.func private @freehold_host_call(index, index)
