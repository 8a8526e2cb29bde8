// RUN: freehold opt %s --mark-allocation-free-calls --merge-alloc="never-grow" --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --mark-allocation-free-calls --merge-alloc="never-grow" --merge-alloc="never-grow" --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --mark-allocation-free-calls --merge-alloc="never-grow" --buffer-deallocation-pipeline --verify-ownership --allow-unregistered-dialect
// RUN: freehold opt %s --buffer-deallocation-pipeline --merge-alloc="never-grow" --verify-ownership --allow-unregistered-dialect
// RUN: freehold opt %s --buffer-deallocation-pipeline --mark-allocation-free-calls --merge-alloc="never-grow" --allow-unregistered-dialect | FileCheck %s --check-prefix=AFTER

// Merging only where the peak of the whole program cannot become higher.

// CHECK-NOT: __mergealloc

func.func private @unknown()
func.func private @printNewline()

func.func private @quiet(%m: memref<16xf32>) {
  call @printNewline() : () -> ()
  return
}

// Both buffers live at once, and nothing else is allocated meanwhile.
// CHECK-LABEL: func.func @alone
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
// CHECK-NOT:     memref.alloc
func.func @alone(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %a, %y : memref<16xf32> to memref<16xf32>
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  return
}

// When the call allocates, only the third is left without merging. The first two may share.
// CHECK-LABEL: func.func @call_later
// CHECK:         %[[AB:.*]] = memref.alloc() {{.*}} : memref<128xi8>
// CHECK:         memref.view %[[AB]]
// CHECK:         memref.view %[[AB]]
// CHECK:         memref.alloc() : memref<16xf32>
// CHECK:         call @unknown
func.func @call_later(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  %c = memref.alloc() : memref<16xf32>
  memref.copy %x, %c : memref<16xf32> to memref<16xf32>
  call @unknown() : () -> ()
  memref.copy %c, %x : memref<16xf32> to memref<16xf32>
  return
}

// In between there is nothing without merging.
// CHECK-LABEL: func.func @call_between
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @call_between(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  call @unknown() : () -> ()
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// A callee that is known to allocate nothing is no reason not to.
// CHECK-LABEL: func.func @quiet_call_between
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @quiet_call_between(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  call @quiet(%x) : (memref<16xf32>) -> ()
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// Both live when the call allocates.
// CHECK-LABEL: func.func @across_a_call
// CHECK:         memref.alloc() {{.*}} : memref<96xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @across_a_call(%x: memref<16xf32>, %y: memref<4xi64>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<4xi64>
  memref.copy %y, %b : memref<4xi64> to memref<4xi64>
  call @unknown() : () -> ()
  memref.copy %b, %y : memref<4xi64> to memref<4xi64>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
}

// One of the two lives at each call, and they take over from each other.
// CHECK-LABEL: func.func @in_turn
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @in_turn(%x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  call @unknown() : () -> ()
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  call @unknown() : () -> ()
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// The returned buffer comes in between, when merging would already need the larger arena; but one of the two can be in it.
// CHECK-LABEL: func.func @something_else
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<256xi8>
// CHECK-COUNT-2: memref.view
// CHECK:         memref.alloc() : memref<4xf32>
// CHECK:         return
func.func @something_else(%x: memref<16xf32>, %y: memref<4xf32>) -> memref<64xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  %r = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<64xf32>)
  %b = memref.alloc() : memref<4xf32>
  memref.copy %y, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %y : memref<4xf32> to memref<4xf32>
  return %r : memref<64xf32>
}

// The other way round, the peak comes later in any case.
// CHECK-LABEL: func.func @something_else_before_more
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK:         return
func.func @something_else_before_more(%x: memref<16xf32>, %y: memref<4xf32>) -> memref<64xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<4xf32>
  memref.copy %y, %a : memref<4xf32> to memref<4xf32>
  memref.copy %a, %y : memref<4xf32> to memref<4xf32>
  %r = memref.alloc() : memref<64xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<64xf32>)
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return %r : memref<64xf32>
}

// Nothing may be needed at all.
// CHECK-LABEL: func.func @branch
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @branch(%c: i1, %x: memref<16xf32>) {
  scf.if %c {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  }
  return
}

// In a branch, what is needed there.
// CHECK-LABEL: func.func @in_branch
// CHECK:         scf.if
// CHECK-NEXT:      memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @in_branch(%c: i1, %x: memref<16xf32>) {
  scf.if %c {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
    %b = memref.alloc() : memref<16xf32>
    memref.copy %x, %b : memref<16xf32> to memref<16xf32>
    memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  }
  return
}

// The buffer of a loop that runs can be allocated before it.
// CHECK-LABEL: func.func @out_of_loop
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @out_of_loop(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  }
  return
}

// Of one that may not run, only if as much is needed anyway,
// CHECK-LABEL: func.func @maybe_a_loop
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @maybe_a_loop(%n: index, %x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  }
  return
}

// CHECK-LABEL: func.func @maybe_a_loop_with_something_before
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @maybe_a_loop_with_something_before(%n: index, %x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  }
  return
}

// but not if that cannot share: without an iteration there would be an allocation more,
// CHECK-LABEL: func.func @maybe_a_loop_before_a_call
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @maybe_a_loop_before_a_call(%n: index, %x: memref<16xf32>, %f: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<4xf32>
    memref.store %f, %a[%c0] : memref<4xf32>
    %v = memref.load %a[%c1] : memref<4xf32>
    memref.store %v, %x[%c0] : memref<16xf32>
  }
  call @unknown() : () -> ()
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// and not if the loop calls something.
// CHECK-LABEL: func.func @loop_with_call
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @loop_with_call(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %a = memref.alloc() : memref<16xf32>
    memref.copy %x, %a : memref<16xf32> to memref<16xf32>
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
    func.call @unknown() : () -> ()
  }
  return
}

// What a loop hands from one iteration to the next may be freed before anything is allocated; then the
// buffer of the loop would come too early outside of it.
// CHECK-LABEL: func.func @loop_that_frees
// CHECK:         scf.for
// CHECK:         scf.for
// CHECK:           memref.alloc() : memref<16xf32>
func.func @loop_that_frees(%x: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %k = memref.alloc() : memref<1xf32>
    %s = memref.alloc() : memref<16xf32>
    memref.copy %x, %s : memref<16xf32> to memref<16xf32>
    %v = memref.load %s[%c0] : memref<16xf32>
    memref.store %v, %k[%c0] : memref<1xf32>
    %r = scf.for %j = %c0 to %c9 step %c1 iter_args(%y = %s) -> (memref<16xf32>) {
      %n = memref.alloc() : memref<16xf32>
      memref.copy %x, %n : memref<16xf32> to memref<16xf32>
      memref.copy %n, %x : memref<16xf32> to memref<16xf32>
      scf.yield %x : memref<16xf32>
    }
    %w = memref.load %r[%c0] : memref<16xf32>
    %u = memref.load %k[%c0] : memref<1xf32>
    %sum = arith.addf %u, %w : f32
    memref.store %sum, %x[%c0] : memref<16xf32>
  }
  return
}

// Neither is a buffer there for sure that an operation before may have freed.
// CHECK-LABEL: func.func @freed_early
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @freed_early(%c: i1, %x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  scf.if %c {
    memref.dealloc %a : memref<16xf32>
  }
  call @unknown() : () -> ()
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  %true = arith.constant true
  %not = arith.xori %c, %true : i1
  scf.if %not {
    memref.copy %a, %x : memref<16xf32> to memref<16xf32>
    memref.dealloc %a : memref<16xf32>
  }
  memref.dealloc %b : memref<16xf32>
  return
}

// No byte is lost between tiny buffers.
// CHECK-LABEL: func.func @tiny
// CHECK:         memref.alloc() {alignment = 8 : i64} : memref<15xi8>
// CHECK:         return
func.func @tiny(%x: memref<3xi8>, %y: memref<1xi64>, %z: memref<1xi32>) {
  %a = memref.alloc() : memref<3xi8>
  %b = memref.alloc() : memref<1xi64>
  %c = memref.alloc() : memref<1xi32>
  memref.copy %x, %a : memref<3xi8> to memref<3xi8>
  memref.copy %y, %b : memref<1xi64> to memref<1xi64>
  memref.copy %z, %c : memref<1xi32> to memref<1xi32>
  memref.copy %a, %x : memref<3xi8> to memref<3xi8>
  memref.copy %b, %y : memref<1xi64> to memref<1xi64>
  memref.copy %c, %z : memref<1xi32> to memref<1xi32>
  return
}

// Several blocks. Both buffers live through the call, and are freed on both ways.
// CHECK-LABEL: func.func @across_blocks
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         return
// AFTER-LABEL: func.func @across_blocks
// AFTER:         %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<128xi8>
// AFTER:         cf.cond_br
// AFTER:       ^bb1:
// AFTER:         memref.dealloc %[[ARENA]]
// AFTER:       ^bb2:
// AFTER:         memref.dealloc %[[ARENA]]
// AFTER-NOT:     memref.dealloc
// AFTER:         return
func.func @across_blocks(%c: i1, %x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  cf.br ^bb3
^bb2:
  call @unknown() : () -> ()
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  cf.br ^bb3
^bb3:
  call @unknown() : () -> ()
  return
}

// On one of the ways only one of the two is needed for the call.
// CHECK-LABEL: func.func @one_of_two
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @one_of_two(%c: i1, %x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  call @unknown() : () -> ()
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  cf.br ^bb3
^bb2:
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  cf.br ^bb3
^bb3:
  return
}

// One after the other, in different blocks, when as much was needed before on both ways.
// CHECK-LABEL: func.func @in_turn_across_blocks
// CHECK:         memref.alloc() {{.*}} : memref<64xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @in_turn_across_blocks(%c: i1, %x: memref<16xf32>, %y: memref<4xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  %b = memref.alloc() : memref<4xf32>
  memref.copy %y, %b : memref<4xf32> to memref<4xf32>
  memref.copy %b, %y : memref<4xf32> to memref<4xf32>
  return
}

// A loop of blocks: of what is allocated in each iteration, one does; what lives through the loop may
// share with it, as it comes before.
// CHECK-LABEL: func.func @loop_of_blocks
// CHECK:         memref.alloc() {{.*}} : memref<128xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @loop_of_blocks(%n: index, %x: memref<16xf32>, %y: memref<16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<16xf32>
  %z = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %z : memref<16xf32> to memref<16xf32>
  memref.copy %z, %x : memref<16xf32> to memref<16xf32>
  cf.br ^head(%c0 : index)
^head(%i: index):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %b = memref.alloc() : memref<16xf32>
  memref.copy %a, %b : memref<16xf32> to memref<16xf32>
  memref.copy %b, %y : memref<16xf32> to memref<16xf32>
  %next = arith.addi %i, %c1 : index
  cf.br ^head(%next : index)
^exit:
  memref.copy %a, %y : memref<16xf32> to memref<16xf32>
  return
}

// What becomes a block argument is left alone.
// CHECK-LABEL: func.func @block_argument
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @block_argument(%c: i1, %x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  cf.cond_br %c, ^bb1(%a : memref<16xf32>), ^bb1(%b : memref<16xf32>)
^bb1(%m: memref<16xf32>):
  call @unknown() : () -> ()
  memref.copy %m, %x : memref<16xf32> to memref<16xf32>
  return
}

// What is returned is there from its allocation to the end, merged or not: the arena may be there as well, since as
// much is needed at the end in any case.
// CHECK-LABEL: func.func @result
// CHECK:         memref.alloc() {alignment = 64 : i64} : memref<1024xi8>
// CHECK-COUNT-2: memref.view
// CHECK:         return
func.func @result(%x: memref<256xf32>, %y: memref<256xf32>) -> memref<256xf32> {
  %a = memref.alloc() : memref<256xf32>
  linalg.copy ins(%x : memref<256xf32>) outs(%a : memref<256xf32>)
  linalg.copy ins(%a : memref<256xf32>) outs(%y : memref<256xf32>)
  memref.dealloc %a : memref<256xf32>
  %r = memref.alloc() : memref<256xf32>
  linalg.copy ins(%x : memref<256xf32>) outs(%r : memref<256xf32>)
  %b = memref.alloc() : memref<256xf32>
  linalg.copy ins(%r : memref<256xf32>) outs(%b : memref<256xf32>)
  linalg.copy ins(%b : memref<256xf32>) outs(%y : memref<256xf32>)
  memref.dealloc %b : memref<256xf32>
  return %r : memref<256xf32>
}

// The first buffer is gone when the result comes; with an arena, both would be there.
// CHECK-LABEL: func.func @small_result
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @small_result(%x: memref<256xf32>, %y: memref<256xf32>) -> memref<16xf32> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<256xf32>
  linalg.copy ins(%x : memref<256xf32>) outs(%a : memref<256xf32>)
  linalg.copy ins(%a : memref<256xf32>) outs(%y : memref<256xf32>)
  memref.dealloc %a : memref<256xf32>
  %r = memref.alloc() : memref<16xf32>
  linalg.fill ins(%zero : f32) outs(%r : memref<16xf32>)
  %b = memref.alloc() : memref<16xf32>
  linalg.copy ins(%r : memref<16xf32>) outs(%b : memref<16xf32>)
  linalg.exp ins(%b : memref<16xf32>) outs(%r : memref<16xf32>)
  memref.dealloc %b : memref<16xf32>
  return %r : memref<16xf32>
}

// Who else may free what is returned is not known.
// CHECK-LABEL: func.func @given_away
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @given_away(%x: memref<256xf32>, %y: memref<256xf32>) -> memref<256xf32> {
  %a = memref.alloc() : memref<256xf32>
  linalg.copy ins(%x : memref<256xf32>) outs(%a : memref<256xf32>)
  linalg.copy ins(%a : memref<256xf32>) outs(%y : memref<256xf32>)
  memref.dealloc %a : memref<256xf32>
  %r = memref.alloc() : memref<256xf32>
  func.call @take(%r) : (memref<256xf32>) -> ()
  %b = memref.alloc() : memref<256xf32>
  linalg.copy ins(%r : memref<256xf32>) outs(%b : memref<256xf32>)
  linalg.copy ins(%b : memref<256xf32>) outs(%y : memref<256xf32>)
  memref.dealloc %b : memref<256xf32>
  return %r : memref<256xf32>
}
func.func private @take(memref<256xf32>)

// Between the elements of this result there are gaps, which count nowhere here: it is other memory.
// CHECK-LABEL: func.func @result_with_gaps
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @result_with_gaps(%x: memref<256xf32>, %y: memref<256xf32>) -> memref<256xf32, strided<[64]>> {
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<256xf32>
  linalg.copy ins(%x : memref<256xf32>) outs(%a : memref<256xf32>)
  linalg.copy ins(%a : memref<256xf32>) outs(%y : memref<256xf32>)
  memref.dealloc %a : memref<256xf32>
  %r = memref.alloc() : memref<256xf32, strided<[64]>>
  linalg.fill ins(%zero : f32) outs(%r : memref<256xf32, strided<[64]>>)
  %b = memref.alloc() : memref<256xf32>
  linalg.copy ins(%x : memref<256xf32>) outs(%b : memref<256xf32>)
  linalg.copy ins(%b : memref<256xf32>) outs(%y : memref<256xf32>)
  memref.dealloc %b : memref<256xf32>
  return %r : memref<256xf32, strided<[64]>>
}

// What is over before the result is used can be in there.
// CHECK-LABEL: func.func @in_result
// CHECK-NEXT:    %[[R:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1024xi8>
// CHECK:         memref.view %[[R]][%{{.*}}][] : memref<1024xi8> to memref<64xi64>
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.dealloc
// CHECK:         %[[RESULT:.*]] = memref.view %[[R]][%{{.*}}][] : memref<1024xi8> to memref<256xf32>
// CHECK:         return %[[RESULT]]
func.func @in_result(%x: memref<64xi64>, %y: memref<256xf32>) -> memref<256xf32> {
  %a = memref.alloc() : memref<64xi64>
  linalg.copy ins(%x : memref<64xi64>) outs(%a : memref<64xi64>)
  linalg.copy ins(%a : memref<64xi64>) outs(%x : memref<64xi64>)
  memref.dealloc %a : memref<64xi64>
  %r = memref.alloc() : memref<256xf32>
  linalg.copy ins(%y : memref<256xf32>) outs(%r : memref<256xf32>)
  return %r : memref<256xf32>
}

// An arena for both would not be free when the result comes; with the smaller one in the result, what is left is as
// large as what comes later.
// CHECK-LABEL: func.func @rest
// CHECK-NEXT:    %[[ARENA:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2048xi8>
// CHECK:         memref.view %[[ARENA]]
// CHECK:         %[[R:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1024xi8>
// CHECK:         memref.view %[[R]]
// CHECK:         memref.view %[[R]]
// CHECK:         memref.view %[[ARENA]]
// CHECK:         memref.dealloc %[[ARENA]]
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @rest(%x: memref<512xf32>, %y: memref<256xf32>) -> memref<256xf32> {
  %a = memref.alloc() : memref<512xf32>
  linalg.copy ins(%x : memref<512xf32>) outs(%a : memref<512xf32>)
  %b = memref.alloc() : memref<256xf32>
  linalg.copy ins(%y : memref<256xf32>) outs(%b : memref<256xf32>)
  linalg.copy ins(%a : memref<512xf32>) outs(%x : memref<512xf32>)
  linalg.copy ins(%b : memref<256xf32>) outs(%y : memref<256xf32>)
  memref.dealloc %a : memref<512xf32>
  memref.dealloc %b : memref<256xf32>
  %r = memref.alloc() : memref<256xf32>
  linalg.copy ins(%y : memref<256xf32>) outs(%r : memref<256xf32>)
  %c = memref.alloc() : memref<512xf32>
  linalg.copy ins(%x : memref<512xf32>) outs(%c : memref<512xf32>)
  linalg.copy ins(%c : memref<512xf32>) outs(%x : memref<512xf32>)
  memref.dealloc %c : memref<512xf32>
  return %r : memref<256xf32>
}

// Not what is still there when the result is used for the first time, in an operation or in a loop,
// CHECK-LABEL: func.func @still_there
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @still_there(%x: memref<16xf32>, %n: index) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = memref.alloc() : memref<64xf32>
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<16xf32>
    linalg.copy ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    linalg.copy ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
    memref.dealloc %a : memref<16xf32>
    linalg.fill ins(%zero : f32) outs(%r : memref<64xf32>)
  }
  return %r : memref<64xf32>
}

// what asks for more alignment than the result has,
// CHECK-LABEL: func.func @aligned
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @aligned(%x: memref<16xf32>, %y: memref<64xf32>) -> memref<64xf32> {
  %a = memref.alloc() {alignment = 128 : i64} : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.copy ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  %r = memref.alloc() : memref<64xf32>
  linalg.copy ins(%y : memref<64xf32>) outs(%r : memref<64xf32>)
  return %r : memref<64xf32>
}

// or where the result would be there while something else needs memory.
// CHECK-LABEL: func.func @before_call
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @before_call(%x: memref<16xf32>, %y: memref<64xf32>) -> memref<64xf32> {
  %a = memref.alloc() : memref<16xf32>
  linalg.copy ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
  linalg.copy ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
  memref.dealloc %a : memref<16xf32>
  func.call @unknown() : () -> ()
  %r = memref.alloc() : memref<64xf32>
  linalg.copy ins(%y : memref<64xf32>) outs(%r : memref<64xf32>)
  return %r : memref<64xf32>
}

// Each of two results has room for one.
// CHECK-LABEL: func.func @two_results
// CHECK-COUNT-2: memref.alloc() {alignment = 64 : i64} : memref<256xi8>
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @two_results(%x: memref<64xf32>) -> (memref<64xf32>, memref<64xf32>) {
  %a = memref.alloc() : memref<64xf32>
  linalg.copy ins(%x : memref<64xf32>) outs(%a : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.copy ins(%a : memref<64xf32>) outs(%b : memref<64xf32>)
  linalg.copy ins(%a : memref<64xf32>) outs(%x : memref<64xf32>)
  memref.dealloc %a : memref<64xf32>
  linalg.copy ins(%b : memref<64xf32>) outs(%x : memref<64xf32>)
  memref.dealloc %b : memref<64xf32>
  %r = memref.alloc() : memref<64xf32>
  linalg.copy ins(%x : memref<64xf32>) outs(%r : memref<64xf32>)
  %s = memref.alloc() : memref<64xf32>
  linalg.copy ins(%x : memref<64xf32>) outs(%s : memref<64xf32>)
  return %r, %s : memref<64xf32>, memref<64xf32>
}

// Buffers that a loop exchanges are one, whichever of them is freed first.
// CHECK-LABEL: func.func @exchanged
// CHECK-NOT:     freehold.no_arena
// CHECK:         %[[ALL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1536xi8>
// CHECK-COUNT-2: memref.view {{.*}} to memref<128xf32>
// CHECK:         memref.view %[[ALL]]{{.*}} to memref<128xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.dealloc %[[ALL]]
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @exchanged(%x: memref<128xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<128xf32>
  linalg.copy ins(%x : memref<128xf32>) outs(%a : memref<128xf32>)
  %b = memref.alloc() : memref<128xf32>
  %c = memref.alloc() : memref<128xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<128xf32>, memref<128xf32>) {
    linalg.exp ins(%p : memref<128xf32>) outs(%c : memref<128xf32>)
    linalg.exp ins(%c : memref<128xf32>) outs(%q : memref<128xf32>)
    scf.yield %q, %p : memref<128xf32>, memref<128xf32>
  }
  linalg.copy ins(%r#0 : memref<128xf32>) outs(%x : memref<128xf32>)
  memref.dealloc %c : memref<128xf32>
  memref.dealloc %r#0 : memref<128xf32>
  memref.dealloc %r#1 : memref<128xf32>
  return
}

// Not if something else needs memory between their deallocations,
// CHECK-LABEL: func.func @freed_apart
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @freed_apart(%x: memref<128xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<128xf32>
  linalg.copy ins(%x : memref<128xf32>) outs(%a : memref<128xf32>)
  %b = memref.alloc() : memref<128xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<128xf32>, memref<128xf32>) {
    linalg.exp ins(%p : memref<128xf32>) outs(%q : memref<128xf32>)
    scf.yield %q, %p : memref<128xf32>, memref<128xf32>
  }
  memref.dealloc %r#1 : memref<128xf32>
  func.call @unknown() : () -> ()
  linalg.copy ins(%r#0 : memref<128xf32>) outs(%x : memref<128xf32>)
  memref.dealloc %r#0 : memref<128xf32>
  return
}

// or their allocations, or where they are freed in several places.
// CHECK-LABEL: func.func @made_apart
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @made_apart(%x: memref<128xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<128xf32>
  linalg.copy ins(%x : memref<128xf32>) outs(%a : memref<128xf32>)
  func.call @unknown() : () -> ()
  %b = memref.alloc() : memref<128xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<128xf32>, memref<128xf32>) {
    linalg.exp ins(%p : memref<128xf32>) outs(%q : memref<128xf32>)
    scf.yield %q, %p : memref<128xf32>, memref<128xf32>
  }
  linalg.copy ins(%r#0 : memref<128xf32>) outs(%x : memref<128xf32>)
  memref.dealloc %r#0 : memref<128xf32>
  memref.dealloc %r#1 : memref<128xf32>
  return
}

// CHECK-LABEL: func.func @freed_in_branches
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @freed_in_branches(%x: memref<128xf32>, %n: index, %first: i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<128xf32>
  linalg.copy ins(%x : memref<128xf32>) outs(%a : memref<128xf32>)
  %b = memref.alloc() : memref<128xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (memref<128xf32>, memref<128xf32>) {
    linalg.exp ins(%p : memref<128xf32>) outs(%q : memref<128xf32>)
    scf.yield %q, %p : memref<128xf32>, memref<128xf32>
  }
  linalg.copy ins(%r#0 : memref<128xf32>) outs(%x : memref<128xf32>)
  memref.dealloc %r#0 : memref<128xf32>
  scf.if %first {
    memref.dealloc %r#1 : memref<128xf32>
  } else {
    linalg.copy ins(%r#1 : memref<128xf32>) outs(%x : memref<128xf32>)
    memref.dealloc %r#1 : memref<128xf32>
  }
  return
}

// A tensor that a loop hands on may get a buffer that an iteration frees: what is in the loop stays there.
// CHECK-LABEL: func.func @carries_tensor
// CHECK-NOT:     memref.view
// CHECK:         return
func.func @carries_tensor(%x: memref<16xf32>, %t: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%p = %t) -> tensor<4xf32> {
    %a = memref.alloc() : memref<16xf32>
    linalg.copy ins(%x : memref<16xf32>) outs(%a : memref<16xf32>)
    linalg.copy ins(%a : memref<16xf32>) outs(%x : memref<16xf32>)
    memref.dealloc %a : memref<16xf32>
    %q = arith.addf %p, %p : tensor<4xf32>
    scf.yield %q : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// Buffers of 40 bytes that ask for an alignment of 64 take 64 by themselves, too: all are one arena in front of the loop.
// CHECK-LABEL: func.func @aligned_in_loop
// CHECK-COUNT-1: memref.alloc()
// CHECK-NOT:     memref.alloc()
// CHECK:         return
func.func @aligned_in_loop(%x: f32, %out: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.for %i = %c0 to %c9 step %c1 {
    %a = memref.alloc() {alignment = 64 : i64} : memref<10xf32>
    memref.store %x, %a[%i] : memref<10xf32>
    %b = memref.alloc() {alignment = 64 : i64} : memref<10xf32>
    memref.copy %a, %b : memref<10xf32> to memref<10xf32>
    %y = memref.load %a[%c1] : memref<10xf32>
    %c = memref.alloc() {alignment = 64 : i64} : memref<10xf32>
    memref.store %y, %c[%i] : memref<10xf32>
    memref.copy %b, %out : memref<10xf32> to memref<10xf32>
    memref.copy %c, %out : memref<10xf32> to memref<10xf32>
    memref.dealloc %a : memref<10xf32>
    memref.dealloc %b : memref<10xf32>
    memref.dealloc %c : memref<10xf32>
  }
  return
}
