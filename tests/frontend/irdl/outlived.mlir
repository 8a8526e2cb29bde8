// A token that goes on where its buffer is out of scope keeps it for good: it is not freed, and a remark says so.
// RUN: freehold opt --irdl-file=%S/inputs/demo.mlir --ownership-based-buffer-deallocation --verify-diagnostics %s | FileCheck %s
// RUN: freehold opt --irdl-file=%S/inputs/demo.mlir --buffer-deallocation --verify-diagnostics %s | FileCheck %s
// RUN: freehold opt --irdl-file=%S/inputs/demo.mlir --hlo-deallocate --verify-diagnostics %s | FileCheck %s --check-prefix=HLO

// CHECK-LABEL: func.func @returned
// CHECK-NOT:     dealloc
// CHECK:         return
// HLO-LABEL:   func.func @returned
// HLO-NOT:       deallocation.retain
// HLO:           return
func.func @returned() -> !demo.token {
  // expected-remark @+1 {{something made of this buffer outlives it: it is not freed}}
  %a = "demo.buffer"() : () -> memref<1xi64>
  %t = "demo.start"(%a) : (memref<1xi64>) -> !demo.token
  // expected-note @+1 {{goes on here}}
  return %t : !demo.token
}

// The caller gets both.
// CHECK-LABEL: func.func @with_buffer
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @with_buffer() -> (memref<1xi64>, !demo.token) {
  %a = "demo.buffer"() : () -> memref<1xi64>
  %t = "demo.start"(%a) : (memref<1xi64>) -> !demo.token
  return %a, %t : memref<1xi64>, !demo.token
}

// The wait is behind the region that has the buffer.
// CHECK-LABEL: func.func @yielded
// CHECK-NOT:     dealloc
// CHECK:         return
// HLO-LABEL:   func.func @yielded
// HLO-NOT:       deallocation.retain
// HLO:           return
func.func @yielded(%c: i1, %other: !demo.token) {
  %t = scf.if %c -> (!demo.token) {
    // expected-remark @+1 {{something made of this buffer outlives it: it is not freed}}
    %a = "demo.buffer"() : () -> memref<1xi64>
    %start = "demo.start"(%a) : (memref<1xi64>) -> !demo.token
    // expected-note @+1 {{goes on here}}
    scf.yield %start : !demo.token
  } else {
    scf.yield %other : !demo.token
  }
  "demo.wait"(%t) : (!demo.token) -> ()
  return
}

// If the token ends inside, the buffer does so as well.
// CHECK-LABEL: func.func @inside
// CHECK:         "demo.wait"
// CHECK-NEXT:    {{.*}}dealloc
func.func @inside(%c: i1) {
  scf.if %c {
    %a = "demo.buffer"() : () -> memref<1xi64>
    %t = "demo.start"(%a) : (memref<1xi64>) -> !demo.token
    "demo.wait"(%t) : (!demo.token) -> ()
  }
  return
}
