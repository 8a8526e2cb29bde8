// RUN: freehold opt %s --convert-linalg-to-library-calls | FileCheck %s

// Every module has the arrays that its own functions refer to, each once.
// CHECK:       module @outer {
// CHECK:         memref.get_global @freehold_loops_32_32_32_
// CHECK:         memref.get_global @freehold_loops_32_32_32_
// CHECK:         module @inner {
// CHECK:           memref.get_global @freehold_loops_16_16_16_
// CHECK:           memref.global "private" constant @freehold_loops_16_16_16_{{[0-9_]+}} : memref<12xindex> = dense<[16, 16, 16,
// CHECK-NOT:       memref.global
// CHECK:         }
// CHECK:         memref.global "private" constant @freehold_loops_32_32_32_
// CHECK-NOT:     memref.global
// CHECK:       }
module @outer {
  func.func @twice(%a: memref<32x32xf32>, %b: memref<32x32xf32>) {
    linalg.matmul ins(%a, %a : memref<32x32xf32>, memref<32x32xf32>) outs(%b : memref<32x32xf32>)
    linalg.matmul ins(%b, %b : memref<32x32xf32>, memref<32x32xf32>) outs(%a : memref<32x32xf32>)
    return
  }
  module @inner {
    func.func @once(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
      linalg.matmul ins(%a, %a : memref<16x16xf32>, memref<16x16xf32>) outs(%b : memref<16x16xf32>)
      return
    }
  }
}

// Where the name is that of something else, the array is on the stack.
// CHECK:       module @taken {
// CHECK:         memref.alloca() : memref<12xindex>
// CHECK-NOT:     memref.global
module @taken {
  func.func private @freehold_loops_16_16_16_16_1_0_16_0_1_0_1_16()
  func.func @once(%a: memref<16x16xf32>, %b: memref<16x16xf32>) {
    linalg.matmul ins(%a, %a : memref<16x16xf32>, memref<16x16xf32>) outs(%b : memref<16x16xf32>)
    return
  }
}
