// RUN: freehold opt %s --buffer-loop-hoisting --verify-each --allow-unregistered-dialect | FileCheck %s

// Both kinds of memory leave the loop, unless the size changes in it.
// CHECK-LABEL: func.func @for
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    %[[B:.*]] = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-NEXT:    %[[S:.*]] = memref.alloca() : memref<2xf32>
// CHECK-NEXT:    scf.for %[[I:.*]] =
// CHECK-NEXT:      memref.alloc(%[[I]])
func.func @for(%l: index, %u: index, %s: index, %n: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() : memref<2xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    %c = memref.alloc(%i) : memref<?xf32>
    %d = memref.alloca() : memref<2xf32>
    "use"(%a, %b, %c, %d) : (memref<2xf32>, memref<?xf32>, memref<?xf32>, memref<2xf32>) -> ()
  }
  return
}

// As far as the size lets it, through as many loops as there are.
// CHECK-LABEL: func.func @nested
// CHECK-NEXT:    %[[A:.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    scf.for %[[I:.*]] =
// CHECK-NEXT:      %[[B:.*]] = memref.alloc(%[[I]]) : memref<?xf32>
// CHECK-NEXT:      scf.for
func.func @nested(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    scf.for %j = %l to %u step %s {
      %a = memref.alloc() : memref<2xf32>
      %b = memref.alloc(%i) : memref<?xf32>
      "use"(%a, %b) : (memref<2xf32>, memref<?xf32>) -> ()
    }
  }
  return
}

// A buffer that the next iteration gets is not shared with it, be it handed
// over directly or by a result of the loop.
// CHECK-LABEL: func.func @carried
// CHECK-NEXT:    scf.for
// CHECK:           memref.alloc
// CHECK:         scf.while
// CHECK-NEXT:      memref.alloc
func.func @carried(%l: index, %u: index, %s: index, %m: memref<2xf32>, %c: i1) {
  %r = scf.for %i = %l to %u step %s iter_args(%x = %m) -> memref<2xf32> {
    "use"(%x) : (memref<2xf32>) -> ()
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  %w = scf.while : () -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    scf.condition(%c) %a : memref<2xf32>
  } do {
  ^bb0(%x: memref<2xf32>):
    "use"(%x) : (memref<2xf32>) -> ()
    scf.yield
  }
  return
}

// Iterations that run at the same time need a buffer each.
// CHECK-LABEL: func.func @parallel
// CHECK:         scf.parallel
// CHECK-NEXT:      memref.alloc
// CHECK:         scf.forall
// CHECK-NEXT:      memref.alloc
// CHECK:         affine.parallel
// CHECK-NEXT:      memref.alloc
// CHECK-NEXT:      scf.for
func.func @parallel(%l: index, %u: index, %s: index) {
  scf.parallel (%i) = (%l) to (%u) step (%s) {
    %a = memref.alloc() : memref<2xf32>
    "use"(%a) : (memref<2xf32>) -> ()
  }
  scf.forall (%i) in (%u) {
    %a = memref.alloc() : memref<2xf32>
    "use"(%a) : (memref<2xf32>) -> ()
  }
  affine.parallel (%i) = (0) to (8) {
    scf.for %j = %l to %u step %s {
      %a = memref.alloc() : memref<2xf32>
      "use"(%a) : (memref<2xf32>) -> ()
    }
  }
  return
}

// Only what is in the loop itself moves; what it frees stays.
// CHECK-LABEL: func.func @stays
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc
// CHECK-NEXT:      memref.dealloc
// CHECK-NEXT:      scf.if
// CHECK-NEXT:        memref.alloc
func.func @stays(%l: index, %u: index, %s: index, %c: i1) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() : memref<2xf32>
    memref.dealloc %a : memref<2xf32>
    scf.if %c {
      %b = memref.alloc() : memref<2xf32>
      "use"(%b) : (memref<2xf32>) -> ()
    }
  }
  return
}
