// Declared operations are freed by every strategy, and the checker proves it.
// RUN: freehold opt --irdl-file=%S/inputs/demo.mlir --buffer-deallocation-pipeline --verify-ownership %s | FileCheck %s
// RUN: freehold opt --irdl-file=%S/inputs/demo.mlir --hlo-deallocation-pipeline --verify-ownership %s -o %t.hlo
// RUN: freehold opt --irdl-file=%S/inputs/demo.mlir --pass-pipeline="builtin.module(buffer-deallocation{introduce=copy},verify-ownership)" %s -o %t.copy
// RUN: freehold opt --irdl-file=%S/inputs/demo.mlir --pass-pipeline="builtin.module(legacy-deallocation-pipeline,verify-ownership)" %s -o %t.legacy
// RUN: freehold explain --irdl-file=%S/inputs/demo.mlir %s | FileCheck %s --check-prefix=EXPLAIN

// What only the token keeps is freed behind the wait.
// CHECK-LABEL: func.func @token
// CHECK:         %[[A:.*]] = "demo.buffer"
// CHECK-NEXT:    %[[T:.*]] = "demo.start"(%[[A]])
// CHECK-NEXT:    "demo.wait"(%[[T]])
// CHECK-NEXT:    memref.dealloc %[[A]]
// EXPLAIN: deallocation.mlir:[[@LINE+2]]:8: remark
func.func @token() {
  %a = "demo.buffer"() : () -> memref<1xi64>
  %t = "demo.start"(%a) : (memref<1xi64>) -> !demo.token
  "demo.wait"(%t) : (!demo.token) -> ()
  return
}

// One is taken over, the other one is freed.
// CHECK-LABEL: func.func @consumed
// CHECK:         %[[P:.*]]:2 = "demo.pair"
// CHECK-NEXT:    memref.dealloc %[[P]]#1
// CHECK-NEXT:    "demo.consume"(%[[P]]#0)
// CHECK-NEXT:    return
func.func @consumed() {
  %p:2 = "demo.pair"() : () -> (memref<1xi64>, memref<1xi64>)
  "demo.consume"(%p#0) : (memref<1xi64>) -> ()
  return
}

// The operation itself says whether there is something to free.
// CHECK-LABEL: func.func @maybe
// CHECK:         %[[A:.*]] = "demo.buffer"
// CHECK:         %[[M:.*]]:3 = "demo.maybe"
// CHECK:         scf.if %[[M]]#2
// CHECK:         memref.dealloc %[[M]]#0
func.func @maybe(%c: i1, %out: memref<1xi64>) {
  %a = "demo.buffer"() : () -> memref<1xi64>
  %m:3 = "demo.maybe"(%c, %a) : (i1, memref<1xi64>) -> (memref<1xi64>, memref<1xi64>, i1)
  "demo.duplicate"(%m#0, %out) : (memref<1xi64>, memref<1xi64>) -> ()
  "demo.duplicate"(%m#1, %out) : (memref<1xi64>, memref<1xi64>) -> ()
  return
}
