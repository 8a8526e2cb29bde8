// RUN: freehold opt %s --reuse-loop-buffers | FileCheck %s
// RUN: freehold opt %s --reuse-loop-buffers=always | FileCheck %s --check-prefix=ALWAYS

func.func private @step(memref<64xf32>, memref<64xf32>)

// What is freed before the allocation is used again at once.
// CHECK-LABEL: func.func @in_place
// CHECK:         scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}})
// CHECK-NEXT:      memref.load %[[OLD]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[OLD]]
// CHECK-NEXT:      scf.yield %[[OLD]]
func.func @in_place(%first: memref<64xf32>, %c0: index, %c1: index, %n: index) -> memref<64xf32> {
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.dealloc %old : memref<64xf32>
    %new = memref.alloc() : memref<64xf32>
    memref.store %x, %new[%c1] : memref<64xf32>
    scf.yield %new : memref<64xf32>
  }
  return %last : memref<64xf32>
}

// Two buffers in turns, if the loop is certain to run: else there would be one more than before.
// CHECK-LABEL: func.func @in_turns
// CHECK:         %[[SPARE:.*]] = memref.alloc() : memref<64xf32>
// CHECK:         %[[LAST:.*]]:2 = scf.for {{.*}} iter_args(%[[OLD:.*]] = %arg0, %[[NEW:.*]] = %[[SPARE]])
// CHECK-NOT:       memref.alloc
// CHECK-NOT:       memref.dealloc
// CHECK:           scf.yield %[[NEW]], %[[OLD]]
// CHECK:         memref.dealloc %[[LAST]]#1
// CHECK-NEXT:    return %[[LAST]]#0
func.func @in_turns(%first: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %last = scf.for %i = %c0 to %c9 step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %new = memref.alloc() : memref<64xf32>
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.store %x, %new[%c1] : memref<64xf32>
    memref.dealloc %old : memref<64xf32>
    scf.yield %new : memref<64xf32>
  }
  return %last : memref<64xf32>
}

// CHECK-LABEL: func.func @may_not_run
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc
// ALWAYS-LABEL: func.func @may_not_run
// ALWAYS:         memref.alloc
// ALWAYS-NEXT:    scf.for
// ALWAYS-NOT:       memref.alloc
// ALWAYS:         return
func.func @may_not_run(%first: memref<64xf32>, %c0: index, %c1: index, %n: index) -> memref<64xf32> {
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %new = memref.alloc() : memref<64xf32>
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.store %x, %new[%c1] : memref<64xf32>
    memref.dealloc %old : memref<64xf32>
    scf.yield %new : memref<64xf32>
  }
  return %last : memref<64xf32>
}

// The spare buffer would be there while the large one is, which is the peak. The call may allocate.
// CHECK-LABEL: func.func @higher_peak
// CHECK:         scf.for
// CHECK:           memref.alloc() : memref<64xf32>
// CHECK-LABEL: func.func @call
// CHECK:         scf.for
// CHECK:           memref.alloc() : memref<64xf32>
// ALWAYS-LABEL: func.func @higher_peak
// ALWAYS:         scf.for
// ALWAYS-NOT:       memref.alloc() : memref<64xf32>
// ALWAYS:         return
func.func @higher_peak(%first: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %last = scf.for %i = %c0 to %c9 step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %large = memref.alloc() : memref<999xf32>
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.store %x, %large[%c1] : memref<999xf32>
    %y = memref.load %large[%c0] : memref<999xf32>
    memref.dealloc %large : memref<999xf32>
    %new = memref.alloc() : memref<64xf32>
    memref.copy %old, %new : memref<64xf32> to memref<64xf32>
    memref.store %y, %new[%c1] : memref<64xf32>
    memref.dealloc %old : memref<64xf32>
    scf.yield %new : memref<64xf32>
  }
  return %last : memref<64xf32>
}

func.func @call(%first: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %last = scf.for %i = %c0 to %c9 step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %new = memref.alloc() : memref<64xf32>
    func.call @step(%old, %new) : (memref<64xf32>, memref<64xf32>) -> ()
    memref.dealloc %old : memref<64xf32>
    scf.yield %new : memref<64xf32>
  }
  return %last : memref<64xf32>
}

// The spare buffer of the inner loop is a spare buffer of the outer one; the buffer that only one iteration has is not.
// CHECK-LABEL: func.func @nested
// CHECK-DAG:     %[[SPARE:.*]] = memref.alloc() : memref<64xf32>
// CHECK-DAG:     %[[LOCAL:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:    %[[OUTER:.*]]:2 = scf.for
// CHECK:           %[[INNER:.*]]:2 = scf.for
// CHECK-NOT:         memref.alloc
// CHECK:           scf.yield %[[INNER]]#0, %[[INNER]]#1
// CHECK-NEXT:    }
// CHECK-DAG:     memref.dealloc %[[OUTER]]#1
// CHECK:         return %[[OUTER]]#0
func.func @nested(%first: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %last = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %first) -> (memref<64xf32>) {
    %local = memref.alloc() : memref<64xf32>
    memref.copy %a, %local : memref<64xf32> to memref<64xf32>
    %inner = scf.for %j = %c0 to %c9 step %c1 iter_args(%old = %a) -> (memref<64xf32>) {
      %new = memref.alloc() : memref<64xf32>
      %x = memref.load %old[%c0] : memref<64xf32>
      memref.store %x, %new[%c1] : memref<64xf32>
      memref.dealloc %old : memref<64xf32>
      scf.yield %new : memref<64xf32>
    }
    memref.copy %local, %inner : memref<64xf32> to memref<64xf32>
    memref.dealloc %local : memref<64xf32>
    scf.yield %inner : memref<64xf32>
  }
  return %last : memref<64xf32>
}

// A buffer of single iterations moves out where that costs nothing: not beside a larger one at another time.
// CHECK-LABEL: func.func @local
// CHECK:         %[[TEMP:.*]] = memref.alloc() : memref<32xf32>
// CHECK-NEXT:    scf.for {{.*}} iter_args(%[[OLD:.*]] = %arg0)
// CHECK-NOT:       memref.alloc
// CHECK-NOT:       memref.dealloc
// CHECK:           scf.yield %[[OLD]]
// CHECK:         memref.dealloc %[[TEMP]]
// CHECK-LABEL: func.func @local_at_other_times
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc() : memref<32xf32>
// ALWAYS-LABEL: func.func @local
// ALWAYS:         scf.for
// ALWAYS-NEXT:      memref.alloc() : memref<32xf32>
func.func @local(%first: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %last = scf.for %i = %c0 to %c9 step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %temp = memref.alloc() : memref<32xf32>
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.store %x, %temp[%c0] : memref<32xf32>
    memref.dealloc %old : memref<64xf32>
    %new = memref.alloc() : memref<64xf32>
    %y = memref.load %temp[%c0] : memref<32xf32>
    memref.store %y, %new[%c0] : memref<64xf32>
    memref.dealloc %temp : memref<32xf32>
    scf.yield %new : memref<64xf32>
  }
  return %last : memref<64xf32>
}

func.func @local_at_other_times(%first: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %last = scf.for %i = %c0 to %c9 step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %temp = memref.alloc() : memref<32xf32>
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.store %x, %temp[%c0] : memref<32xf32>
    %y = memref.load %temp[%c1] : memref<32xf32>
    memref.dealloc %temp : memref<32xf32>
    %large = memref.alloc() : memref<999xf32>
    memref.store %y, %large[%c0] : memref<999xf32>
    %z = memref.load %large[%c1] : memref<999xf32>
    memref.store %z, %old[%c0] : memref<64xf32>
    memref.dealloc %large : memref<999xf32>
    scf.yield %old : memref<64xf32>
  }
  return %last : memref<64xf32>
}

// Nothing is known of other sizes, and an alignment that the program relies on must be kept.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-2: memref.alloc
func.func @others(%first: memref<?xf32>, %second: memref<64xf32>, %n: index) -> (memref<?xf32>, memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %first, %b = %second) -> (memref<?xf32>, memref<64xf32>) {
    memref.dealloc %a : memref<?xf32>
    memref.dealloc %b : memref<64xf32>
    %c = memref.alloc(%i) : memref<?xf32>
    %d = memref.alloc() {alignment = 256 : i64} : memref<64xf32>
    memref.assume_alignment %d, 256 : memref<64xf32>
    scf.yield %c, %d : memref<?xf32>, memref<64xf32>
  }
  return %last#0, %last#1 : memref<?xf32>, memref<64xf32>
}

// What is freed is aligned as the allocation asks, or it is left alone.
// CHECK-LABEL: func.func @less_aligned
// CHECK:         scf.for
// CHECK:           memref.dealloc
// CHECK-NEXT:      memref.alloc() {alignment = 4096 : i64}
func.func @less_aligned(%c0: index, %c1: index, %n: index) -> memref<64xf32> {
  %first = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.dealloc %old : memref<64xf32>
    %new = memref.alloc() {alignment = 4096 : i64} : memref<64xf32>
    memref.store %x, %new[%c1] : memref<64xf32>
    scf.yield %new : memref<64xf32>
  }
  return %last : memref<64xf32>
}

// CHECK-LABEL: func.func @more_aligned
// CHECK:         scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}})
// CHECK-NEXT:      memref.load %[[OLD]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[OLD]]
func.func @more_aligned(%c0: index, %c1: index, %n: index) -> memref<64xf32> {
  %first = memref.alloc() {alignment = 128 : i64} : memref<64xf32>
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.dealloc %old : memref<64xf32>
    %new = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    memref.store %x, %new[%c1] : memref<64xf32>
    scf.yield %new : memref<64xf32>
  }
  return %last : memref<64xf32>
}

// The buffer of a single iteration takes what was freed before it, and leaves it to the next iteration: no third buffer.
// CHECK-LABEL: func.func @taken_over
// CHECK:         %[[SPARE:.*]] = memref.alloc() : memref<64xf32>
// CHECK:         %[[LAST:.*]]:2 = scf.for {{.*}} iter_args(%[[OLD:.*]] = %arg0, %[[NEW:.*]] = %[[SPARE]])
// CHECK-NOT:       memref.alloc
// CHECK-NOT:       memref.dealloc
// CHECK:           memref.load %[[OLD]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[NEW]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[OLD]]
// CHECK-NEXT:      memref.load %[[OLD]]
// CHECK-NEXT:      memref.store %{{.*}}, %[[NEW]]
// CHECK-NEXT:      scf.yield %[[NEW]], %[[OLD]]
func.func @taken_over(%first: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %last = scf.for %i = %c0 to %c9 step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %new = memref.alloc() : memref<64xf32>
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.store %x, %new[%c1] : memref<64xf32>
    memref.dealloc %old : memref<64xf32>
    %temporary = memref.alloc() : memref<64xf32>
    memref.store %x, %temporary[%c1] : memref<64xf32>
    %y = memref.load %temporary[%c1] : memref<64xf32>
    memref.dealloc %temporary : memref<64xf32>
    memref.store %y, %new[%c0] : memref<64xf32>
    scf.yield %new : memref<64xf32>
  }
  return %last : memref<64xf32>
}

// Loops of conditions: the first of these is true, by a constant or as far as constants say.
// CHECK-LABEL: func.func @until
// CHECK:         %[[SPARE:.*]] = memref.alloc() : memref<64xf32>
// CHECK-NEXT:    %[[LAST:.*]]:2 = scf.while (%[[A:.*]] = %arg0, %[[GO:.*]] = %{{.*}}, %[[B:.*]] = %[[SPARE]])
// CHECK-NEXT:      scf.condition(%[[GO]]) %[[A]], %[[B]]
// CHECK:         ^bb0(%[[OLD:.*]]: memref<64xf32>, %[[NEW:.*]]: memref<64xf32>):
// CHECK-NOT:       memref.alloc
// CHECK-NOT:       memref.dealloc
// CHECK:           scf.yield %[[NEW]], %{{.*}}, %[[OLD]]
// CHECK:         memref.dealloc %[[LAST]]#1
// CHECK-NEXT:    return %[[LAST]]#0
func.func @until(%first: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %last = scf.while (%a = %first, %go = %true) : (memref<64xf32>, i1) -> memref<64xf32> {
    scf.condition(%go) %a : memref<64xf32>
  } do {
  ^bb0(%old: memref<64xf32>):
    %new = memref.alloc() : memref<64xf32>
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.store %x, %new[%c0] : memref<64xf32>
    %again = arith.cmpf ogt, %x, %zero : f32
    memref.dealloc %old : memref<64xf32>
    scf.yield %new, %again : memref<64xf32>, i1
  }
  return %last : memref<64xf32>
}

// CHECK-LABEL: func.func @at_most
// CHECK:         memref.alloc() : memref<64xf32>
// CHECK-NEXT:    scf.while
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @at_most(%first: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c50 = arith.constant 50 : index
  %large = arith.constant 0x7F800000 : f32
  %small = arith.constant 1.0e-3 : f32
  %last:3 = scf.while (%a = %first, %i = %c0, %error = %large) : (memref<64xf32>, index, f32) -> (memref<64xf32>, index, f32) {
    %is_early = arith.cmpi slt, %i, %c50 : index
    %is_rough = arith.cmpf ogt, %error, %small : f32
    %go = arith.andi %is_early, %is_rough : i1
    scf.condition(%go) %a, %i, %error : memref<64xf32>, index, f32
  } do {
  ^bb0(%old: memref<64xf32>, %i: index, %error: f32):
    %new = memref.alloc() : memref<64xf32>
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.store %x, %new[%c0] : memref<64xf32>
    memref.dealloc %old : memref<64xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %new, %next, %x : memref<64xf32>, index, f32
  }
  return %last#0 : memref<64xf32>
}

// The first condition is unknown, or memory changes before it.
// CHECK-LABEL: func.func @may_not_begin
// CHECK-NOT:     memref.alloc
// CHECK:         scf.while
// CHECK:           memref.alloc
// CHECK-LABEL: func.func @allocates_before
// CHECK:         scf.while
// CHECK:         } do {
// CHECK:           memref.alloc
// ALWAYS-LABEL: func.func @may_not_begin
// ALWAYS:         memref.alloc
// ALWAYS-NEXT:    scf.while
// ALWAYS-NOT:     memref.alloc
// ALWAYS:         return
func.func @may_not_begin(%first: memref<64xf32>, %begins: i1) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %last = scf.while (%a = %first, %go = %begins) : (memref<64xf32>, i1) -> memref<64xf32> {
    scf.condition(%go) %a : memref<64xf32>
  } do {
  ^bb0(%old: memref<64xf32>):
    %new = memref.alloc() : memref<64xf32>
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.store %x, %new[%c0] : memref<64xf32>
    %again = arith.cmpf ogt, %x, %zero : f32
    memref.dealloc %old : memref<64xf32>
    scf.yield %new, %again : memref<64xf32>, i1
  }
  return %last : memref<64xf32>
}

func.func @allocates_before(%first: memref<64xf32>) -> memref<64xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %last = scf.while (%a = %first, %go = %true) : (memref<64xf32>, i1) -> memref<64xf32> {
    %local = memref.alloc() : memref<64xf32>
    memref.store %zero, %local[%c0] : memref<64xf32>
    memref.dealloc %local : memref<64xf32>
    scf.condition(%go) %a : memref<64xf32>
  } do {
  ^bb0(%old: memref<64xf32>):
    %new = memref.alloc() : memref<64xf32>
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.store %x, %new[%c0] : memref<64xf32>
    %again = arith.cmpf ogt, %x, %zero : f32
    memref.dealloc %old : memref<64xf32>
    scf.yield %new, %again : memref<64xf32>, i1
  }
  return %last : memref<64xf32>
}

// The buffer is there while the large one is, and takes less even so than what is allocated behind the loop; not if a call
// may take memory meanwhile.
// CHECK-LABEL: func.func @peak_behind
// CHECK:         scf.for {{.*}} iter_args(%[[OLD:.*]] = %arg0)
// CHECK-NOT:       memref.dealloc %[[OLD]]
// CHECK:           scf.yield %[[OLD]]
// CHECK-LABEL: func.func @peak_behind_call
// CHECK:         scf.for {{.*}} iter_args(%[[OLD:.*]] = %arg0)
// CHECK:           memref.dealloc %[[OLD]]
func.func @peak_behind(%first: memref<64xf32>) -> (memref<64xf32>, memref<300xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %last = scf.for %i = %c0 to %c9 step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.dealloc %old : memref<64xf32>
    %large = memref.alloc() : memref<256xf32>
    memref.store %x, %large[%i] : memref<256xf32>
    %y = memref.load %large[%c1] : memref<256xf32>
    memref.dealloc %large : memref<256xf32>
    %new = memref.alloc() : memref<64xf32>
    memref.store %y, %new[%c0] : memref<64xf32>
    scf.yield %new : memref<64xf32>
  }
  scf.for %i = %c0 to %c9 step %c1 {
    %inner = memref.alloc() : memref<8xf32>
    %x = memref.load %last[%i] : memref<64xf32>
    memref.store %x, %inner[%c0] : memref<8xf32>
    memref.dealloc %inner : memref<8xf32>
  }
  %behind = memref.alloc() : memref<300xf32>
  return %last, %behind : memref<64xf32>, memref<300xf32>
}

func.func @peak_behind_call(%first: memref<64xf32>) -> (memref<64xf32>, memref<300xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %last = scf.for %i = %c0 to %c9 step %c1 iter_args(%old = %first) -> (memref<64xf32>) {
    %x = memref.load %old[%c0] : memref<64xf32>
    memref.dealloc %old : memref<64xf32>
    %large = memref.alloc() : memref<256xf32>
    memref.store %x, %large[%i] : memref<256xf32>
    %y = memref.load %large[%c1] : memref<256xf32>
    memref.dealloc %large : memref<256xf32>
    %new = memref.alloc() : memref<64xf32>
    memref.store %y, %new[%c0] : memref<64xf32>
    scf.yield %new : memref<64xf32>
  }
  %other = memref.alloc() : memref<64xf32>
  call @step(%last, %other) : (memref<64xf32>, memref<64xf32>) -> ()
  memref.dealloc %other : memref<64xf32>
  %behind = memref.alloc() : memref<300xf32>
  return %last, %behind : memref<64xf32>, memref<300xf32>
}

// What the loop begins with is aligned as its allocation, of which it is all elements.
// CHECK-LABEL: func.func @reshaped
// CHECK:         %[[SPARE:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8x8xf32>
// CHECK:         scf.while
// CHECK-NOT:     memref.alloc
func.func @reshaped() -> memref<8x8xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %true = arith.constant true
  %alloc = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
  memref.store %zero, %alloc[%c0] : memref<64xf32>
  %first = memref.expand_shape %alloc [[0, 1]] output_shape [8, 8] : memref<64xf32> into memref<8x8xf32>
  %last = scf.while (%a = %first, %go = %true) : (memref<8x8xf32>, i1) -> memref<8x8xf32> {
    scf.condition(%go) %a : memref<8x8xf32>
  } do {
  ^bb0(%old: memref<8x8xf32>):
    %new = memref.alloc() {alignment = 64 : i64} : memref<8x8xf32>
    %x = memref.load %old[%c0, %c0] : memref<8x8xf32>
    memref.store %x, %new[%c0, %c0] : memref<8x8xf32>
    %again = arith.cmpf ogt, %x, %zero : f32
    memref.dealloc %old : memref<8x8xf32>
    scf.yield %new, %again : memref<8x8xf32>, i1
  }
  return %last : memref<8x8xf32>
}

// Both spare buffers cost memory while the large buffer is there; the one that is allocated then anyway costs none.
// CHECK-LABEL: func.func @one_of_two
// CHECK:         %[[SPARE:.*]] = memref.alloc() : memref<64xf32>
// CHECK:         scf.for {{.*}} iter_args(%{{.*}} = %arg0, %{{.*}} = %arg1, %[[NEW:.*]] = %[[SPARE]])
// CHECK:           memref.alloc() : memref<256xf32>
// CHECK-NOT:       memref.alloc() : memref<64xf32>
// CHECK:           memref.store %{{.*}}, %[[NEW]]
// CHECK:           memref.dealloc %{{.*}} : memref<256xf32>
// CHECK:           memref.alloc() : memref<64xf32>
func.func @one_of_two(%first: memref<64xf32>, %second: memref<64xf32>) -> (memref<64xf32>, memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %last:2 = scf.for %i = %c0 to %c9 step %c1 iter_args(%a = %first, %b = %second) -> (memref<64xf32>, memref<64xf32>) {
    %x = memref.load %a[%c0] : memref<64xf32>
    %large = memref.alloc() : memref<256xf32>
    memref.store %x, %large[%i] : memref<256xf32>
    %new = memref.alloc() : memref<64xf32>
    memref.store %x, %new[%i] : memref<64xf32>
    %y = memref.load %large[%c1] : memref<256xf32>
    memref.dealloc %large : memref<256xf32>
    %other = memref.alloc() : memref<64xf32>
    memref.store %y, %other[%i] : memref<64xf32>
    memref.dealloc %a : memref<64xf32>
    memref.dealloc %b : memref<64xf32>
    scf.yield %other, %new : memref<64xf32>, memref<64xf32>
  }
  return %last#0, %last#1 : memref<64xf32>, memref<64xf32>
}
