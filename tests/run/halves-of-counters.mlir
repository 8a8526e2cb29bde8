// Counters become floats of 16 bits in loops that are compiled for wide vectors.
//
// RUN: freehold run %s -O0 --input=index=3 | FileCheck %s
// RUN: freehold run %s -O2 --input=index=3 | FileCheck %s

// CHECK: result #0: 4x3xf16
// CHECK-NEXT: {{\[\[}}0.0, 0.0, 0.0],
// CHECK-NEXT:  [1.0, 1.0, 1.0],
// CHECK-NEXT:  [2.0, 2.0, 2.0],
// CHECK-NEXT:  [3.0, 3.0, 3.0]]
// CHECK-NEXT: result #1: 4x3xbf16
// CHECK-NEXT: {{\[\[}}0.0, 0.0, 0.0],
// CHECK-NEXT:  [1.0, 1.0, 1.0],
// CHECK-NEXT:  [2.0, 2.0, 2.0],
// CHECK-NEXT:  [3.0, 3.0, 3.0]]
func.func @main(%n: index) -> (tensor<4x?xf16>, tensor<4x?xbf16>) {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %i : index to i32
    %x = arith.sitofp %k : i32 to f16
    tensor.yield %x : f16
  } : tensor<4x?xf16>
  %1 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %k = arith.index_cast %i : index to i16
    %x = arith.uitofp %k : i16 to bf16
    tensor.yield %x : bf16
  } : tensor<4x?xbf16>
  return %0, %1 : tensor<4x?xf16>, tensor<4x?xbf16>
}
