// Blobs of booleans: packed, as MLIR up to 22 writes them, or a byte for each, as later versions do. What could
// be either is packed.

// RUN: freehold opt %s --allow-unregistered-dialect | FileCheck %s

// CHECK: a = dense<[false, true, false, true]> : tensor<4xi1>
// CHECK-SAME: b = dense<[false, true, false, true]> : tensor<4xi1>
// CHECK-SAME: c = dense<true> : tensor<9xi1>, d = dense<true> : tensor<9xi1>, e = dense<false> : tensor<9xi1>
// CHECK-SAME: f = dense<[true, false, false, false, false, false, false, false]> : tensor<8xi1>
// CHECK-SAME: g = dense<true> : tensor<1xi1>, h = dense<true> : vector<3x3xi1>
"dense.bools"() {
  a = dense<"0x00010001"> : tensor<4xi1>, b = dense<"0x0A"> : tensor<4xi1>,
  c = dense<"0x01"> : tensor<9xi1>, d = dense<"0xFF"> : tensor<9xi1>, e = dense<"0x00"> : tensor<9xi1>,
  f = dense<"0x01"> : tensor<8xi1>, g = dense<"0x01"> : tensor<1xi1>, h = dense<"0x010101010101010101"> : vector<3x3xi1>
} : () -> ()
