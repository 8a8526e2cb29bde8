// RUN: freehold opt %s --ownership-based-buffer-deallocation --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation --allow-unregistered-dialect | FileCheck %s --check-prefix=COPY

// A pointer that is handed to where its buffer is out of scope does not keep that.
// CHECK-LABEL: func.func @behind
// CHECK:       ^bb2:
// CHECK-NEXT:    bufferization.dealloc (%[[A:.*]] :
// CHECK-NEXT:    cf.br ^bb1
// CHECK:       ^bb3:
// CHECK-NEXT:    bufferization.dealloc (%[[A]] :
// CHECK-NEXT:    return
// COPY-LABEL:  func.func @behind
// COPY-COUNT-2:  memref.dealloc
// COPY-NOT:      memref.dealloc
func.func @behind(%c: i1, %p: !llvm.ptr) {
  cf.br ^bb1(%p : !llvm.ptr)
^bb1(%before: !llvm.ptr):
  %a = memref.alloc() : memref<8xf64>
  "some.use"(%before) : (!llvm.ptr) -> ()
  %q = builtin.unrealized_conversion_cast %a : memref<8xf64> to !llvm.ptr
  cf.cond_br %c, ^bb1(%q : !llvm.ptr), ^bb2
^bb2:
  return
}
