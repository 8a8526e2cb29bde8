// RUN: freehold opt %s --promote-buffers-to-stack --verify-each --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --promote-buffers-to-stack=max-alloc-size-in-bytes=64 --allow-unregistered-dialect | FileCheck %s --check-prefix=SMALL
// RUN: freehold opt %s --promote-buffers-to-stack=max-rank-of-allocated-memref=2 --allow-unregistered-dialect | FileCheck %s --check-prefix=RANK
// RUN: freehold opt %s --promote-buffers-to-stack=max-alloc-size-in-bytes=4294967292 --allow-unregistered-dialect | FileCheck %s --check-prefix=LARGE

// By size in bytes, or by rank if all sizes are ranks. Attributes stay.
// CHECK-LABEL: func.func @sizes
// CHECK:         memref.alloca() : memref<256xf32>
// CHECK:         memref.alloc() : memref<257xf32>
// CHECK:         memref.alloca(%{{.*}}) : memref<?xf32>
// CHECK:         memref.alloc(%{{.*}}, %{{.*}}) : memref<?x?xf32>
// CHECK:         memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK:         memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// CHECK:         memref.alloca() : memref<0xf32>
// CHECK:         memref.alloc() : memref<9223372036854775807x16xf32>
// SMALL-LABEL: func.func @sizes
// SMALL:         memref.alloc() : memref<256xf32>
// SMALL:         memref.alloca() {alignment = 64 : i64} : memref<16xf32>
// RANK-LABEL:  func.func @sizes
// RANK:          memref.alloca(%{{.*}}, %{{.*}}) : memref<?x?xf32>
// RANK:          memref.alloc(%{{.*}}) : memref<?xf32>
func.func @sizes(%t: memref<*xf32>, %n: index) {
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<257xf32>
  %r = memref.rank %t : memref<*xf32>
  %c = memref.alloc(%r) : memref<?xf32>
  %d = memref.alloc(%r, %r) : memref<?x?xf32>
  %e = memref.alloc(%n) : memref<?xf32>
  %f = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  %g = memref.alloc() : memref<0xf32>
  %h = memref.alloc() : memref<9223372036854775807x16xf32>
  return
}

// The largest limit, whose number of bits takes more than 32 bits, is exact too.
// LARGE-LABEL: func.func @large
// LARGE-NEXT:    memref.alloca() : memref<1073741823xf32>
// LARGE-NEXT:    memref.alloc() : memref<1073741824xf32>
func.func @large() {
  %a = memref.alloc() : memref<1073741823xf32>
  %b = memref.alloc() : memref<1073741824xf32>
  return
}

// What leaves the scope stays on the heap: returned, also by way of a callee
// or a view, or stored.
// CHECK-LABEL: func.func @leaves
// CHECK-NOT:     memref.alloca
// CHECK:         return
func.func private @id(memref<4xf32>) -> memref<4xf32>
func.func @leaves(%table: memref<2xmemref<4xf32>>, %i: index) -> (memref<4xf32>, memref<?xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %r = call @id(%a) : (memref<4xf32>) -> memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %v = memref.cast %b : memref<4xf32> to memref<?xf32>
  %c = memref.alloc() : memref<4xf32>
  memref.store %c, %table[%i] : memref<2xmemref<4xf32>>
  return %r, %v : memref<4xf32>, memref<?xf32>
}

// Other regions than scopes may be left.
// CHECK-LABEL: func.func @yielded
// CHECK:         scf.if
// CHECK-NEXT:      memref.alloca()
// CHECK:         memref.alloca_scope
// CHECK-NEXT:      memref.alloc()
func.func @yielded(%c: i1, %m: memref<4xf32>) {
  %r = scf.if %c -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  %s = memref.alloca_scope -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    memref.alloca_scope.return %a : memref<4xf32>
  }
  "use"(%r, %s) : (memref<4xf32>, memref<4xf32>) -> ()
  return
}

// Deallocs of the buffer itself go with it; a dealloc of what may be another
// buffer keeps it on the heap.
// CHECK-LABEL: func.func @freed
// CHECK-NEXT:    %[[A:.*]] = memref.alloca()
// CHECK-NEXT:    "use"(%[[A]])
// CHECK-NEXT:    memref.alloc()
// CHECK-NEXT:    memref.alloc()
// CHECK:         memref.dealloc
// CHECK-NOT:     memref.dealloc
func.func @freed(%c: i1) {
  %a = memref.alloc() : memref<4xf32>
  "use"(%a) : (memref<4xf32>) -> ()
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %d = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1(%b : memref<4xf32>), ^bb1(%d : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  memref.dealloc %x : memref<4xf32>
  return
}

// In front of all loops, so that the stack does not grow with the iterations.
// CHECK-LABEL: func.func @loops
// CHECK-NEXT:    memref.alloca() : memref<4xf32>
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      scf.for
// CHECK-NOT:         memref.alloc
// CHECK:         memref.alloca() : memref<5xf32>
// CHECK-NEXT:    scf.while
// CHECK-NOT:       memref.alloc
// CHECK:         memref.alloca_scope
// CHECK-NEXT:      memref.alloca() : memref<6xf32>
func.func @loops(%l: index, %u: index, %s: index, %c: i1) {
  scf.for %i = %l to %u step %s {
    scf.for %j = %l to %u step %s {
      %a = memref.alloc() : memref<4xf32>
      "use"(%a) : (memref<4xf32>) -> ()
      memref.dealloc %a : memref<4xf32>
    }
  }
  scf.while : () -> () {
    %a = memref.alloc() : memref<5xf32>
    "use"(%a) : (memref<5xf32>) -> ()
    scf.condition(%c)
  } do {
    scf.yield
  }
  scf.for %i = %l to %u step %s {
    memref.alloca_scope {
      %a = memref.alloc() : memref<6xf32>
      "use"(%a) : (memref<6xf32>) -> ()
    }
  }
  return
}

// Loops made of blocks are loops.
// CHECK-LABEL: func.func @block_loop
// CHECK-NEXT:    memref.alloca()
// CHECK-NEXT:    cf.br
// CHECK-NOT:     memref.alloc
func.func @block_loop(%c: i1) {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<4xf32>
  "use"(%a) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  return
}

// What concurrent work hands to whoever waits for it leaves the stack of the work.
// CHECK-LABEL: func.func @handed_on
// CHECK:         memref.alloc()
// CHECK-NEXT:    async.yield
// CHECK:         memref.alloca()
// CHECK:         async.yield
func.func @handed_on(%i: index) {
  %token, %value = async.execute -> !async.value<memref<4xf32>> {
    %a = memref.alloc() : memref<4xf32>
    async.yield %a : memref<4xf32>
  }
  %b = async.await %value : !async.value<memref<4xf32>>
  "use"(%b) : (memref<4xf32>) -> ()
  %other, %number = async.execute -> !async.value<f32> {
    %a = memref.alloc() : memref<4xf32>
    %x = memref.load %a[%i] : memref<4xf32>
    async.yield %x : f32
  }
  return
}

// What the next iteration gets, or what runs beside it, is not shared with it.
// CHECK-LABEL: func.func @not_shared
// CHECK-NOT:     memref.alloca
// CHECK:         return
func.func @not_shared(%l: index, %u: index, %s: index, %m: memref<4xf32>, %c: i1) {
  %r = scf.for %i = %l to %u step %s iter_args(%x = %m) -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    "use"(%a, %x) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %a : memref<4xf32>
  }
  scf.parallel (%i) = (%l) to (%u) step (%s) {
    %a = memref.alloc() : memref<4xf32>
    "use"(%a) : (memref<4xf32>) -> ()
  }
  cf.br ^bb1(%m : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  %b = memref.alloc() : memref<4xf32>
  "use"(%b, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  cf.cond_br %c, ^bb1(%b : memref<4xf32>), ^bb2
^bb2:
  return
}
