// RUN: freehold opt %s --ownership-based-buffer-deallocation --allow-unregistered-dialect --verify-diagnostics | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation --allow-unregistered-dialect --verify-diagnostics | FileCheck %s --check-prefix=COPY
// RUN: freehold opt %s --hlo-deallocation-pipeline --allow-unregistered-dialect --verify-diagnostics

// What goes where nobody can follow it keeps its buffer until the end of the block, or for good; a
// remark says so.

func.func private @keep(index)
func.func private @other()
func.func private @read(memref<2xindex>)

// CHECK-LABEL: func.func @called
// CHECK:         call @other
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    return
// COPY-LABEL:  func.func @called
// COPY:          call @other
// COPY-NEXT:     memref.dealloc
// COPY-NEXT:     return
func.func @called() {
  // expected-remark @+1 {{something made of this buffer is given away: it is freed at the end of its block}}
  %a = memref.alloc() : memref<8xf64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
  // expected-note @+1 {{given away here}}
  call @keep(%p) : (index) -> ()
  call @other() : () -> ()
  return
}

// What is returned is used when the function has ended: the buffer stays for good.
// CHECK-LABEL: func.func @returned
// CHECK-NOT:     dealloc
// CHECK:         return
// COPY-LABEL:  func.func @returned
// COPY-NOT:      dealloc
// COPY:          return
func.func @returned() -> index {
  // expected-remark @+1 {{something made of this buffer outlives it: it is not freed}}
  %a = memref.alloc() : memref<8xf64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
  call @other() : () -> ()
  // expected-note @+1 {{goes on here}}
  return %p : index
}

// So does what is found in the memory of others.
// CHECK-LABEL: func.func @stored(
// CHECK-NOT:     dealloc
// CHECK:         return
// COPY-LABEL:  func.func @stored(
// COPY-NOT:      dealloc
// COPY:          return
func.func @stored(%places: memref<2xindex>, %i: index) {
  // expected-remark @+1 {{something made of this buffer outlives it: it is not freed}}
  %a = memref.alloc() : memref<8xf64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
  // expected-note @+1 {{goes on here}}
  memref.store %p, %places[%i] : memref<2xindex>
  call @other() : () -> ()
  return
}

// And what goes around a loop.
// CHECK-LABEL: func.func @looped
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @looped(%places: memref<index>, %i: index, %n: index) {
  %r = scf.for %k = %i to %n step %n iter_args(%last = %i) -> index {
    // expected-remark @+1 {{something made of this buffer outlives it: it is not freed}}
    %a = memref.alloc() : memref<8xf64>
    %p = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
    scf.yield %p : index
  }
  // expected-note @+1 {{goes on here}}
  memref.store %r, %places[] : memref<index>
  return
}

// Memory of its own goes with it; what it stands for is found there by any name.
// CHECK-LABEL: func.func @stored_here
// CHECK:         call @other
// CHECK-NEXT:    bufferization.dealloc
// CHECK:         return
func.func @stored_here(%i: index) {
  %places = memref.alloc() : memref<2xindex>
  // expected-remark @+1 {{given away}}
  %a = memref.alloc() : memref<8xf64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
  // expected-note @+1 {{given away here}}
  memref.store %p, %places[%i] : memref<2xindex>
  call @read(%places) : (memref<2xindex>) -> ()
  call @other() : () -> ()
  return
}

// To store where an address says, is not to store it.
// CHECK-LABEL: func.func @index
// CHECK:         memref.store
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    call @other
func.func @index(%places: memref<?xf32>, %x: f32) {
  %a = memref.alloc() : memref<8xf64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
  memref.store %x, %places[%p] : memref<?xf32>
  call @other() : () -> ()
  return
}

// The end of the block is that of the one who holds the buffer then.
// CHECK-LABEL: func.func @handed_on
// CHECK:         scf.if
// CHECK-NOT:     dealloc
// CHECK:         call @other
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    return
func.func @handed_on(%c: i1) {
  %r = scf.if %c -> (memref<8xf64>) {
    // expected-remark @+1 {{given away}}
    %a = memref.alloc() : memref<8xf64>
    %p = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
    // expected-note @+1 {{given away here}}
    func.call @keep(%p) : (index) -> ()
    scf.yield %a : memref<8xf64>
  } else {
    %b = memref.alloc() : memref<8xf64>
    scf.yield %b : memref<8xf64>
  }
  call @other() : () -> ()
  return
}

// With several blocks it is freed wherever control leaves those that have it.
// CHECK-LABEL: func.func @blocks
// CHECK:       ^bb2:
// CHECK-NEXT:    call @other
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    cf.br ^bb3
// CHECK:       ^bb3:
// CHECK-NEXT:    return
func.func @blocks(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb3
^bb1:
  // expected-remark @+1 {{given away}}
  %a = memref.alloc() : memref<8xf64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
  // expected-note @+1 {{given away here}}
  call @keep(%p) : (index) -> ()
  cf.br ^bb2
^bb2:
  call @other() : () -> ()
  cf.br ^bb3
^bb3:
  return
}

// The program itself may know better.
// CHECK-LABEL: func.func @freed
// CHECK:         memref.dealloc
// CHECK-NEXT:    call @other
// CHECK-NEXT:    return
func.func @freed() {
  %a = memref.alloc() : memref<8xf64>
  %p = memref.extract_aligned_pointer_as_index %a : memref<8xf64> -> index
  call @keep(%p) : (index) -> ()
  memref.dealloc %a : memref<8xf64>
  call @other() : () -> ()
  return
}
