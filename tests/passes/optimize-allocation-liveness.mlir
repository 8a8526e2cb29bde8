// RUN: freehold opt %s --optimize-allocation-liveness | FileCheck %s

func.func private @other()
func.func private @use(memref<2xf32>)

// The free moves up to the last use.
// CHECK-LABEL: func.func @up
// CHECK:         call @use(%[[A:[^)]*]])
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    call @other
func.func @up() {
  %a = memref.alloc() : memref<2xf32>
  call @use(%a) : (memref<2xf32>) -> ()
  call @other() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// Each to its own.
// CHECK-LABEL: func.func @two
// CHECK:         call @use(%[[A:[^)]*]])
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    call @use(%[[B:[^)]*]])
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    return
func.func @two() {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  call @use(%a) : (memref<2xf32>) -> ()
  call @use(%b) : (memref<2xf32>) -> ()
  memref.dealloc %a : memref<2xf32>
  memref.dealloc %b : memref<2xf32>
  return
}

// Views, selects, and results of operations with regions count as uses.
// CHECK-LABEL: func.func @aliases
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         scf.if
// CHECK:         call @use
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    call @other
func.func @aliases(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %v = memref.cast %a : memref<2xf32> to memref<?xf32>
  %w = memref.cast %v : memref<?xf32> to memref<2xf32>
  %s = arith.select %c, %w, %m : memref<2xf32>
  %r = scf.if %c -> (memref<2xf32>) {
    scf.yield %s : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  call @use(%r) : (memref<2xf32>) -> ()
  call @other() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// A buffer nobody uses is freed at once.
// CHECK-LABEL: func.func @unused
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    call @other
func.func @unused() {
  %a = memref.alloc() : memref<2xf32>
  call @other() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// Inside of a region as well.
// CHECK-LABEL: func.func @loop
// CHECK:         scf.for
// CHECK:           func.call @use(%[[A:[^)]*]])
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NEXT:      func.call @other
func.func @loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<2xf32>
    func.call @use(%a) : (memref<2xf32>) -> ()
    func.call @other() : () -> ()
    memref.dealloc %a : memref<2xf32>
  }
  return
}

// Used in other blocks in between: left alone.
// CHECK-LABEL: func.func @other_block
// CHECK:       ^bb1:
// CHECK-NEXT:    call @use
// CHECK-NEXT:    cf.br
// CHECK:         call @other
// CHECK-NEXT:    memref.dealloc
func.func @other_block(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb1
^bb1:
  call @use(%a) : (memref<2xf32>) -> ()
  cf.br ^bb2
^bb2:
  call @other() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// A call may return what it is given.
// CHECK-LABEL: func.func @returned
// CHECK:         call @use(%{{.*}})
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    call @other
func.func private @same(memref<2xf32>) -> memref<2xf32>
func.func @returned() {
  %a = memref.alloc() : memref<2xf32>
  %b = call @same(%a) : (memref<2xf32>) -> memref<2xf32>
  call @use(%b) : (memref<2xf32>) -> ()
  call @other() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}

// Freed in several places: left alone.
// CHECK-LABEL: func.func @freed_twice
// CHECK:         call @other
// CHECK:         memref.dealloc
func.func @freed_twice(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  call @other() : () -> ()
  scf.if %c {
    memref.dealloc %a : memref<2xf32>
  } else {
    memref.dealloc %a : memref<2xf32>
  }
  return
}

// A pointer may become the buffer again; one that is given away may be used anywhere.
// CHECK-LABEL: func.func @pointer
// CHECK:         memref.load
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    call @other
// CHECK-LABEL: func.func @address
// CHECK:         call @other
// CHECK-NEXT:    memref.dealloc
func.func @pointer(%i: index) -> f32 {
  %a = memref.alloc() : memref<2xf32>
  %p = builtin.unrealized_conversion_cast %a : memref<2xf32> to !llvm.ptr
  %b = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<?xf32>
  %x = memref.load %b[%i] : memref<?xf32>
  call @other() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return %x : f32
}
func.func private @keep(index)
func.func @address() {
  %a = memref.alloc() : memref<2xf32>
  %p = memref.extract_aligned_pointer_as_index %a : memref<2xf32> -> index
  call @keep(%p) : (index) -> ()
  call @other() : () -> ()
  memref.dealloc %a : memref<2xf32>
  return
}
