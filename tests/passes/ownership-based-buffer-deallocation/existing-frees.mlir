// RUN: freehold opt %s --ownership-based-buffer-deallocation | FileCheck %s
// RUN: freehold opt %s --ownership-based-buffer-deallocation --ownership-based-buffer-deallocation | FileCheck %s
// RUN: freehold opt %s --ownership-based-buffer-deallocation -o /dev/null --error-format=short 2>&1 | FileCheck %s --check-prefix=SAID

// Frees of the input are kept, and completed where that is provable.

func.func private @use(memref<2xf32>)

// Freed in one branch already: freed at the beginning of the other.
// CHECK-LABEL: func.func @one_branch
// CHECK:         scf.if
// CHECK-NEXT:      memref.dealloc %[[A:.*]] :
// CHECK-NEXT:    } else {
// CHECK-NEXT:      func.call @use(%[[A]])
// CHECK-NEXT:      bufferization.dealloc (%[[A]] : memref<2xf32>) if (%true)
// CHECK-NEXT:    }
func.func @one_branch(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  scf.if %c {
    memref.dealloc %a : memref<2xf32>
  } else {
    func.call @use(%a) : (memref<2xf32>) -> ()
  }
  return
}

// Freed exactly where it is owned: nothing to add.
// CHECK-LABEL: func.func @owned_under_condition
// CHECK:         call @use
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.dealloc
// CHECK-NEXT:    }
// CHECK-NEXT:    return
func.func @owned_under_condition(%c: i1, %m: memref<2xf32>) {
  %r = scf.if %c -> (memref<2xf32>) {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  func.call @use(%r) : (memref<2xf32>) -> ()
  scf.if %c {
    memref.dealloc %r : memref<2xf32>
  }
  return
}

// Two conditions nobody can compare: all that may be this buffer is left to the
// program, which a remark says. What has nothing to do with it is not.
// SAID: existing-frees.mlir:[[@LINE+18]]:8: remark: the program frees this buffer itself, under conditions: nothing is added
// SAID-NEXT: existing-frees.mlir:[[@LINE+19]]:5: note: freed here
// SAID-NEXT: existing-frees.mlir:[[@LINE+21]]:5: note: freed here
// CHECK-LABEL: func.func @two_conditions
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.if
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[B:.*]] = memref.alloc
// CHECK-NEXT:    call @use(%[[B]])
// CHECK-NEXT:    bufferization.dealloc (%[[B]] : memref<2xf32>) if (%true)
// CHECK-NEXT:    return
func.func @two_conditions(%x: index, %y: index) {
  %less = arith.cmpi ult, %x, %y : index
  %not_less = arith.cmpi uge, %x, %y : index
  %a = memref.alloc() : memref<2xf32>
  scf.if %less {
    memref.dealloc %a : memref<2xf32>
  }
  scf.if %not_less {
    memref.dealloc %a : memref<2xf32>
  }
  %b = memref.alloc() : memref<2xf32>
  call @use(%b) : (memref<2xf32>) -> ()
  return
}

// Freed in a loop: under a condition, as far as anybody can tell.
// CHECK-LABEL: func.func @in_a_loop
// CHECK-COUNT-1: dealloc
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @in_a_loop(%n: index, %last: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xf32>
  scf.for %i = %c0 to %n step %c1 {
    %is_last = arith.cmpi eq, %i, %last : index
    scf.if %is_last {
      memref.dealloc %a : memref<2xf32>
    }
  }
  return
}

// A select that is freed: which of the two is left is for the program to know.
// CHECK-LABEL: func.func @selected
// CHECK:         memref.dealloc
// CHECK-NOT:     dealloc
// CHECK:         return
func.func @selected(%c: i1, %m: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %m : memref<2xf32>
  scf.if %c {
    memref.dealloc %s : memref<2xf32>
  }
  return
}
