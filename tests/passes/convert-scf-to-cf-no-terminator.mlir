// RUN: freehold opt --allow-unregistered-dialect --convert-scf-to-cf %s | FileCheck %s

// Nothing follows in the region of an unknown operation, so there is nowhere to branch to.
// CHECK-LABEL: func @last_in_block
// CHECK: "test.region"() ({
// CHECK-NEXT: memref.alloca_scope
// CHECK: scf.if
func.func @last_in_block(%condition: i1) {
  "test.region"() ({
    memref.alloca_scope {
      %c = arith.constant 4 : index
      %a = memref.alloca(%c) : memref<?xi64>
      "test.use"(%a) : (memref<?xi64>) -> ()
    }
  }, {
    scf.if %condition {
      "test.use"() : () -> ()
    }
  }) : () -> ()
  return
}
