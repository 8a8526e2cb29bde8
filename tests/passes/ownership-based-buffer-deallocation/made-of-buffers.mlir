// RUN: freehold opt %s --ownership-based-buffer-deallocation --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --ownership-based-buffer-deallocation --allow-unregistered-dialect --verify-ownership --verify-diagnostics
// RUN: freehold opt %s --buffer-deallocation --allow-unregistered-dialect --verify-ownership --verify-diagnostics
// RUN: freehold opt %s --hlo-deallocation-pipeline --allow-unregistered-dialect --verify-diagnostics

// What is made of a buffer and is none keeps it as long as it, or anything made of that, is needed.

func.func private @other()

// A pointer may become the buffer again.
// CHECK-LABEL: func.func @pointer
// CHECK:         memref.load
// CHECK-NEXT:    bufferization.dealloc (%alloc
// CHECK-NEXT:    call @other
func.func @pointer(%i: index) -> f64 {
  %a = memref.alloc() : memref<8xf64>
  %p = builtin.unrealized_conversion_cast %a : memref<8xf64> to !llvm.ptr
  %b = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<?xf64>
  %x = memref.load %b[%i] : memref<?xf64>
  call @other() : () -> ()
  return %x : f64
}

// So may one that went around a loop.
// CHECK-LABEL: func.func @around
// CHECK:         scf.for
// CHECK-NOT:     dealloc
// CHECK:         memref.load
// CHECK-NEXT:    bufferization.dealloc
func.func @around(%n: index, %i: index) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<8xf64>
  %p = builtin.unrealized_conversion_cast %a : memref<8xf64> to !llvm.ptr
  %q = scf.for %k = %c0 to %n step %c1 iter_args(%r = %p) -> (!llvm.ptr) {
    func.call @other() : () -> ()
    scf.yield %r : !llvm.ptr
  }
  %b = builtin.unrealized_conversion_cast %q : !llvm.ptr to memref<8xf64>
  %x = memref.load %b[%i] : memref<8xf64>
  return %x : f64
}

// Numbers that are made of an address are needed for what is computed from them, a comparison
// needs nothing any more.
// CHECK-LABEL: func.func @numbers
// CHECK:         arith.cmpi
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    call @other
func.func @numbers() -> i1 {
  %c8 = arith.constant 8 : index
  %a = memref.alloc() : memref<8xf64>
  %b = memref.alloc() : memref<8xf64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
  %q = memref.extract_aligned_pointer_as_index %b : memref<8xf64> -> index
  %end = arith.addi %p, %c8 : index
  %apart = arith.cmpi ule, %end, %q : index
  call @other() : () -> ()
  return %apart : i1
}

// What is read, and sizes, need nothing either.
// CHECK-LABEL: func.func @contents
// CHECK:         memref.dim
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    call @other
func.func @contents(%n: index, %i: index) -> (index, index) {
  %a = memref.alloc(%n) : memref<?xindex>
  %x = memref.load %a[%i] : memref<?xindex>
  %d = memref.dim %a, %i : memref<?xindex>
  call @other() : () -> ()
  return %x, %d : index, index
}

// Nobody knows what the result of an unknown operation stands for.
// CHECK-LABEL: func.func @unknown
// CHECK:         "some.wait"
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    call @other
func.func @unknown() {
  %a = memref.alloc() : memref<8xf64>
  %n = "some.start"(%a) : (memref<8xf64>) -> i64
  "some.wait"(%n) : (i64) -> ()
  call @other() : () -> ()
  return
}
