// File metadata: resources of dialects are kept while something refers to
// them, what other tools left is always kept.

// RUN: freehold opt %s --allow-unregistered-dialect | freehold opt --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --allow-unregistered-dialect --mlir-print-op-generic | freehold opt --allow-unregistered-dialect | FileCheck %s

// CHECK: "other.op"() {a = dense_resource<second> : tensor<3xi64>, b = dense_resource<first> : tensor<1xi64>, c = dense_resource<nowhere> : tensor<2xi8>} : () -> ()
"other.op"() {a = dense_resource<second> : tensor<3xi64>, b = dense_resource<first> : tensor<1xi64>, c = dense_resource<nowhere> : tensor<2xi8>} : () -> ()

// CHECK:      {-#
// CHECK-NEXT:   dialect_resources: {
// CHECK-NEXT:     builtin: {
// CHECK-NEXT:       second: "0x08000000010000000000000002000000000000000300000000000000",
// CHECK-NEXT:       first: "0x080000000100000000000000"
// CHECK-NEXT:     }
// CHECK-NEXT:   },
// CHECK-NEXT:   external_resources: {
// CHECK-NEXT:     tool: {
// CHECK-NEXT:       a: "x",
// CHECK-NEXT:       b: true
// CHECK-NEXT:     },
// CHECK-NEXT:     another_tool: {
// CHECK-NEXT:       c: "quoted \22\0A"
// CHECK-NEXT:     }
// CHECK-NEXT:   }
// CHECK-NEXT: #-}
{-#
  dialect_resources: {
    builtin: {
      first: "0x080000000100000000000000",
      unused: "0x080000000100000000000000",
      second: "0x08000000010000000000000002000000000000000300000000000000"
    }
  },
  external_resources: {
    tool: { a: "x", b: true },
    another_tool: { c: "quoted \22\0A" }
  }
#-}
