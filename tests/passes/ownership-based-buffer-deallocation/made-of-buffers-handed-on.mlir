// RUN: freehold opt %s --ownership-based-buffer-deallocation --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --ownership-based-buffer-deallocation --allow-unregistered-dialect --verify-ownership
// RUN: freehold opt %s --hlo-deallocation-pipeline --allow-unregistered-dialect
// RUN: freehold opt %s --buffer-deallocation --allow-unregistered-dialect --verify-diagnostics

// Where a buffer changes hands, who holds it then keeps it for the pointer that comes along.
// A copy of the buffer would be none of what the pointer points to.
// CHECK-LABEL: func.func @together
// CHECK:         %[[R:.*]]:2 = scf.if
// CHECK:         memref.load
// CHECK-NEXT:    bufferization.dealloc (%[[R]]#0
func.func @together(%c: i1, %i: index) -> f64 {
  %r:2 = scf.if %c -> (memref<8xf64>, !llvm.ptr) {
    %a = memref.alloc() : memref<8xf64>
    %p = builtin.unrealized_conversion_cast %a : memref<8xf64> to !llvm.ptr
    // expected-error @+1 {{'scf.yield' op hands on operand #0, which has to be copied, and a value derived from it}}
    scf.yield %a, %p : memref<8xf64>, !llvm.ptr
  } else {
    %b = memref.alloc() : memref<8xf64>
    %q = builtin.unrealized_conversion_cast %b : memref<8xf64> to !llvm.ptr
    // expected-error @+1 {{'scf.yield' op hands on operand #0, which has to be copied, and a value derived from it}}
    scf.yield %b, %q : memref<8xf64>, !llvm.ptr
  }
  %m = builtin.unrealized_conversion_cast %r#1 : !llvm.ptr to memref<8xf64>
  %x = memref.load %m[%i] : memref<8xf64>
  return %x : f64
}
