// Scripts say how a program is compiled; with the passes that run or erase them they are left out.
//
// RUN: freehold opt %s --transform-interpreter --test-transform-dialect-erase-schedule 2>&1 | FileCheck %s
// RUN: freehold opt %s --pass-pipeline='builtin.module(transform-interpreter{entry-point=other})' | freehold run - | FileCheck %s --check-prefix=PRINTED
// RUN: not freehold opt %s 2>&1 | FileCheck %s --check-prefix=REFUSED

// CHECK:      remark: '--transform-interpreter' and 1 more leave these operations as they are
// CHECK:      func.func @main
// CHECK:      linalg.matmul
// CHECK-NOT:  transform.named_sequence
// REFUSED: error: Dialect `transform' not found for custom op 'transform.named_sequence'
module attributes {transform.with_named_sequence} {
  func.func @main() {
    %two = arith.constant 2 : i32
    %zero = arith.constant 0 : i32
    %a = memref.alloc() : memref<2x3xi32>
    %b = memref.alloc() : memref<3x2xi32>
    %c = memref.alloc() : memref<2x2xi32>
    linalg.fill ins(%two : i32) outs(%a : memref<2x3xi32>)
    linalg.fill ins(%two : i32) outs(%b : memref<3x2xi32>)
    linalg.fill ins(%zero : i32) outs(%c : memref<2x2xi32>)
    linalg.matmul ins(%a, %b : memref<2x3xi32>, memref<3x2xi32>) outs(%c : memref<2x2xi32>)
    %c0 = arith.constant 0 : index
    %x = memref.load %c[%c0, %c0] : memref<2x2xi32>
    // PRINTED: 12
    vector.print %x : i32
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %product = transform.structured.match ops{["linalg.matmul"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %product tile_sizes [1, 1]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
