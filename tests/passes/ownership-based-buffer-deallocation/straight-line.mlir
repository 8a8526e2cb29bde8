// RUN: freehold opt %s --ownership-based-buffer-deallocation --verify-each | FileCheck %s

// Freed right after the last use, not at the end of the block.
// CHECK-LABEL: func.func @last_use
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    memref.store %{{.*}}, %[[A]]
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<4xf32>) if (%true)
// CHECK-NEXT:    call @g
func.func private @g()
func.func @last_use(%v: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %v, %a[%i] : memref<4xf32>
  call @g() : () -> ()
  return
}

// A buffer nobody uses is freed at once.
// CHECK-LABEL: func.func @unused
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    bufferization.dealloc (%[[A]]
// CHECK-NEXT:    return
func.func @unused() {
  %a = memref.alloc() : memref<4xf32>
  return
}

// Views keep the buffer they view; the buffer itself is freed, without metadata.
// CHECK-LABEL: func.func @view
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    %[[V:.*]] = memref.subview
// CHECK-NEXT:    %[[X:.*]] = memref.load %[[V]]
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<8xf32>)
// CHECK-NEXT:    return %[[X]]
func.func @view(%i: index) -> f32 {
  %a = memref.alloc() : memref<8xf32>
  %v = memref.subview %a[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %x = memref.load %v[%i] : memref<4xf32, strided<[1], offset: 4>>
  return %x : f32
}

// Arguments, stack memory and globals belong to others.
// CHECK-LABEL: func.func @not_owned
// CHECK-NOT:     bufferization
// CHECK:         return
memref.global "private" constant @c : memref<2xf32> = dense<1.0>
func.func @not_owned(%m: memref<2xf32>) {
  %s = memref.alloca() : memref<2xf32>
  %g = memref.get_global @c : memref<2xf32>
  memref.copy %g, %s : memref<2xf32> to memref<2xf32>
  memref.copy %s, %m : memref<2xf32> to memref<2xf32>
  return
}

// Whatever is returned belongs to the caller: arguments and globals are cloned,
// allocations handed over, also as views of them.
// CHECK-LABEL: func.func @returns
// CHECK-SAME:      (%[[M:.*]]: memref<2xf32>)
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         %[[V:.*]] = memref.cast %[[A]]
// CHECK:         %[[C:.*]] = bufferization.clone %[[M]]
// CHECK:         return %[[C]], %[[V]]
func.func @returns(%m: memref<2xf32>) -> (memref<2xf32>, memref<?xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %v = memref.cast %a : memref<2xf32> to memref<?xf32>
  return %m, %v : memref<2xf32>, memref<?xf32>
}

// What a call returns belongs to the caller.
// CHECK-LABEL: func.func @call
// CHECK:         %[[R:.*]] = call @f
// CHECK-NEXT:    %[[X:.*]] = memref.load %[[R]]
// CHECK-NEXT:    bufferization.dealloc (%[[R]]
func.func private @f() -> memref<2xf32>
func.func @call(%i: index) -> f32 {
  %r = call @f() : () -> memref<2xf32>
  %x = memref.load %r[%i] : memref<2xf32>
  return %x : f32
}

// Two results of one call may be one buffer: the second is freed only if it is not.
// CHECK-LABEL: func.func @call_two
// CHECK:         %[[R:.*]]:2 = call @ff
// CHECK-NEXT:    %[[D:.*]]:2 = bufferization.dealloc (%[[R]]#0 : memref<2xf32>) if (%true) retain (%[[R]]#0, %[[R]]#1
// CHECK-NEXT:    %[[OWN:.*]] = arith.xori %[[D]]#1, %true
// CHECK:         memref.copy
// CHECK-NEXT:    bufferization.dealloc (%[[R]]#0 : memref<2xf32>) if (%true)
// CHECK-NEXT:    bufferization.dealloc (%[[R]]#1 : memref<2xf32>) if (%[[OWN]])
func.func private @ff() -> (memref<2xf32>, memref<2xf32>)
func.func @call_two() {
  %r:2 = call @ff() : () -> (memref<2xf32>, memref<2xf32>)
  memref.copy %r#0, %r#1 : memref<2xf32> to memref<2xf32>
  return
}

// Deallocs of the input stay; other paths get theirs.
// CHECK-LABEL: func.func @completed
// CHECK:         cf.cond_br
// CHECK:       ^bb1:
// CHECK-NEXT:    memref.dealloc
// CHECK-NEXT:    cf.br
// CHECK:       ^bb2:
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    cf.br
// CHECK:       ^bb3:
// CHECK-NEXT:    return
func.func @completed(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %a : memref<2xf32>
  cf.br ^bb3
^bb2:
  cf.br ^bb3
^bb3:
  return
}

// Allocations marked as manual are left alone.
// CHECK-LABEL: func.func @manual
// CHECK-NOT:     bufferization.dealloc
// CHECK:         return
func.func @manual() {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<2xf32>
  return
}

// The loser of a select is found out at run time when both go out of scope.
// CHECK-LABEL: func.func @select_returned
// CHECK:         %[[S:.*]] = arith.select %{{.*}}, %[[A:.*]], %[[B:[^ ]*]] :
// CHECK-NEXT:    bufferization.dealloc (%[[A]], %[[B]] : memref<2xf32>, memref<2xf32>) if (%true, %true) retain (%[[S]] : memref<2xf32>)
// CHECK-NEXT:    return %[[S]]
func.func @select_returned(%c: i1) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %b : memref<2xf32>
  return %s : memref<2xf32>
}
