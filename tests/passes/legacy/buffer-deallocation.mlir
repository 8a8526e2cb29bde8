// RUN: freehold opt %s --buffer-deallocation --verify-ownership --verify-each --allow-unregistered-dialect | FileCheck %s
// RUN: freehold opt %s --buffer-deallocation=introduce=copy --verify-ownership --allow-unregistered-dialect | FileCheck %s --check-prefix=COPY
// RUN: freehold opt %s --buffer-deallocation --buffer-deallocation --verify-ownership --allow-unregistered-dialect | FileCheck %s

// One buffer or the other: each edge hands over a copy, which is freed there.
// CHECK-LABEL: func.func @branch
// CHECK-SAME:      (%{{.*}}: i1, %[[M:.*]]: memref<2xf32>)
// CHECK:       ^bb1:
// CHECK-NEXT:    %[[C1:.*]] = bufferization.clone %[[M]]
// CHECK-NEXT:    cf.br ^bb3(%[[C1]]
// CHECK:       ^bb2:
// CHECK-NEXT:    %[[A:.*]] = memref.alloc
// CHECK-NEXT:    %[[C2:.*]] = bufferization.clone %[[A]]
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.br ^bb3(%[[C2]]
// CHECK:       ^bb3(%[[X:.*]]: memref<2xf32>):
// CHECK-NEXT:    "use"(%[[X]])
// CHECK-NEXT:    memref.dealloc %[[X]]
// CHECK-NEXT:    return
// COPY-LABEL:  func.func @branch
// COPY-SAME:       (%{{.*}}: i1, %[[M:.*]]: memref<2xf32>)
// COPY:        ^bb1:
// COPY-NEXT:     %[[C1:.*]] = memref.alloc() : memref<2xf32>
// COPY-NEXT:     memref.copy %[[M]], %[[C1]]
// COPY-NEXT:     cf.br ^bb3(%[[C1]]
func.func @branch(%c: i1, %m: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%m : memref<2xf32>)
^bb2:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb3(%a : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  "use"(%x) : (memref<2xf32>) -> ()
  return
}

// The copy of a buffer of dynamic size asks the source for it.
// COPY-LABEL:  func.func @dynamic
// COPY:          %[[A:.*]] = memref.alloc(%{{.*}}) : memref<?x4xf32>
// COPY-NEXT:     %[[ZERO:.*]] = arith.constant 0 : index
// COPY-NEXT:     %[[D:.*]] = memref.dim %[[A]], %[[ZERO]]
// COPY-NEXT:     %[[C:.*]] = memref.alloc(%[[D]])
// COPY-NEXT:     memref.copy %[[A]], %[[C]]
// COPY-NEXT:     memref.dealloc %[[A]]
// COPY-NEXT:     scf.yield %[[C]]
func.func @dynamic(%c: i1, %n: index, %m: memref<?x4xf32>) {
  %r = scf.if %c -> memref<?x4xf32> {
    %a = memref.alloc(%n) : memref<?x4xf32>
    scf.yield %a : memref<?x4xf32>
  } else {
    scf.yield %m : memref<?x4xf32>
  }
  "use"(%r) : (memref<?x4xf32>) -> ()
  return
}

// Both edges to one block: each gets a block and a copy of its own.
// CHECK-LABEL: func.func @both_edges
// CHECK-SAME:      (%{{.*}}: i1, %[[M:.*]]: memref<2xf32>)
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    %[[B:.*]] = memref.alloc
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb{{[0-9]}}, ^bb{{[0-9]}}
// CHECK-DAG:     bufferization.clone %[[A]] :
// CHECK-DAG:     bufferization.clone %[[B]] :
// CHECK:       ^{{.*}}(%[[X:.*]]: memref<2xf32>):
// CHECK:         memref.dealloc %[[X]]
func.func @both_edges(%c: i1, %m: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb2(%m : memref<2xf32>)
^bb1:
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb2(%a : memref<2xf32>), ^bb2(%b : memref<2xf32>)
^bb2(%x: memref<2xf32>):
  "use"(%x) : (memref<2xf32>) -> ()
  return
}

// The stack belongs to the function: no alias is critical, the heap is freed.
// CHECK-LABEL: func.func @mixed
// CHECK-NOT:     clone
// CHECK:         "use"
// CHECK:         "use"(%[[X:.*]])
// CHECK-NEXT:    memref.dealloc %alloc
// CHECK-NEXT:    return
func.func @mixed(%c: i1) {
  %s = memref.alloca() : memref<2xf32>
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "use"(%s) : (memref<2xf32>) -> ()
  cf.br ^bb3(%s : memref<2xf32>)
^bb2:
  cf.br ^bb3(%a : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  "use"(%x) : (memref<2xf32>) -> ()
  return
}

// A loop of blocks frees what the iteration before handed over.
// CHECK-LABEL: func.func @block_loop
// CHECK:       ^bb1(%[[X:.*]]: memref<2xf32>):
// CHECK-NEXT:    "use"(%[[X]])
// CHECK-NEXT:    memref.dealloc %[[X]]
// CHECK-NEXT:    %[[A:.*]] = memref.alloc
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb2, ^bb3
// CHECK:       ^bb2:
// CHECK-NEXT:    %[[C:.*]] = bufferization.clone %[[A]]
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.br ^bb1(%[[C]]
// CHECK:       ^bb3:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @block_loop(%c: i1, %m: memref<2xf32>) {
  cf.br ^bb1(%m : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  "use"(%x) : (memref<2xf32>) -> ()
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1(%a : memref<2xf32>), ^bb2
^bb2:
  return
}

// A buffer from before the loop goes round without copies.
// CHECK-LABEL: func.func @carried_unchanged
// CHECK-NOT:     clone
// CHECK:         memref.dealloc %alloc
// CHECK-NEXT:    return
func.func @carried_unchanged(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb1(%a : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  "use"(%x) : (memref<2xf32>) -> ()
  cf.cond_br %c, ^bb1(%x : memref<2xf32>), ^bb2
^bb2:
  return
}

// Callees hand over what they return, so it is freed here; and so do we: our
// own allocation as it is, everything else as a copy.
// CHECK-LABEL: func.func @calls
// CHECK-SAME:      (%[[M:.*]]: memref<2xf32>)
// CHECK-NEXT:    %[[R:.*]] = call @make
// CHECK-NEXT:    "use"(%[[R]])
// CHECK-NEXT:    memref.dealloc %[[R]]
// CHECK-NEXT:    %[[A:.*]] = memref.alloc
// CHECK-NEXT:    %[[V:.*]] = memref.cast %[[A]]
// CHECK-NEXT:    %[[C1:.*]] = bufferization.clone %[[M]]
// CHECK-NEXT:    %[[C2:.*]] = bufferization.clone %[[A]]
// CHECK-NEXT:    return %[[V]], %[[C1]], %[[C2]]
func.func private @make() -> memref<2xf32>
func.func @calls(%m: memref<2xf32>) -> (memref<?xf32>, memref<2xf32>, memref<2xf32>) {
  %r = call @make() : () -> memref<2xf32>
  "use"(%r) : (memref<2xf32>) -> ()
  %a = memref.alloc() : memref<2xf32>
  %v = memref.cast %a : memref<2xf32> to memref<?xf32>
  return %v, %m, %a : memref<?xf32>, memref<2xf32>, memref<2xf32>
}

// A value that may be one of two buffers is returned as a copy of either.
// CHECK-LABEL: func.func @returns_select
// CHECK:         %[[S:.*]] = arith.select %{{.*}}, %[[A:.*]], %[[B:.*]] : memref<2xf32>
// CHECK-NEXT:    %[[C:.*]] = bufferization.clone %[[S]]
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    return %[[C]]
func.func @returns_select(%c: i1) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %b : memref<2xf32>
  return %s : memref<2xf32>
}

// Several returns have no common post-dominator: freed on each path.
// CHECK-LABEL: func.func @returns
// CHECK:       ^bb1:
// CHECK-NEXT:    return %alloc
// CHECK:       ^bb2:
// CHECK-NEXT:    %[[C:.*]] = bufferization.clone %arg1
// CHECK-NEXT:    "use"(%alloc)
// CHECK-NEXT:    memref.dealloc %alloc
// CHECK-NEXT:    return %[[C]]
func.func @returns(%c: i1, %m: memref<2xf32>) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : memref<2xf32>
^bb2:
  %0 = bufferization.clone %m : memref<2xf32> to memref<2xf32>
  "use"(%a) : (memref<2xf32>) -> ()
  return %0 : memref<2xf32>
}

// Other values on the same edges are left alone.
// CHECK-LABEL: func.func @scalars
// CHECK-NOT:     bufferization.clone %{{.*}} : i1
// CHECK:       ^bb3(%{{.*}}: i1, %[[X:.*]]: memref<2xf32>):
// CHECK:         memref.dealloc %[[X]]
func.func @scalars(%c: i1, %m: memref<2xf32>) -> i1 {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%c, %m : i1, memref<2xf32>)
^bb2:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb3(%c, %a : i1, memref<2xf32>)
^bb3(%d: i1, %x: memref<2xf32>):
  "use"(%x) : (memref<2xf32>) -> ()
  return %d : i1
}

// A free that is there stays; the other path gets its own.
// CHECK-LABEL: func.func @completed
// CHECK:       ^bb1:
// CHECK-NEXT:    memref.dealloc %alloc
// CHECK-NEXT:    cf.br
// CHECK:       ^bb2:
// CHECK-NEXT:    memref.dealloc %alloc
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

// What the program frees by a name that may be one of several is a copy.
// CHECK-LABEL: func.func @freed_alias
// CHECK:           %[[A:.*]] = memref.alloc
// CHECK-NEXT:      %[[C1:.*]] = bufferization.clone %[[A]]
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NEXT:      scf.yield %[[C1]]
// CHECK:           %[[C2:.*]] = bufferization.clone %arg1
// CHECK-NEXT:      scf.yield %[[C2]]
// CHECK:         memref.dealloc %{{.*}}
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @freed_alias(%c: i1, %m: memref<2xf32>) {
  %r = scf.if %c -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  memref.dealloc %r : memref<2xf32>
  return
}

// What it frees under conditions is its business.
// CHECK-LABEL: func.func @left_alone
// CHECK-NOT:     clone
// CHECK:         scf.if
// CHECK:         scf.if
// CHECK-NEXT:      memref.dealloc
// CHECK-NOT:     memref.dealloc
// CHECK:         return
func.func @left_alone(%c: i1, %m: memref<2xf32>) {
  %r = scf.if %c -> memref<2xf32> {
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  } else {
    scf.yield %m : memref<2xf32>
  }
  scf.if %c {
    memref.dealloc %r : memref<2xf32>
  }
  return
}

// Results of external functions may be one buffer: then one is copied.
// CHECK-LABEL: func.func @same_result
// CHECK:         %[[R:.*]]:2 = call @pair
// CHECK:         %[[SAME:.*]]:2 = bufferization.dealloc (%[[R]]#0 : memref<2xf32>) if (%{{.*}}) retain (%[[R]]#0, %[[R]]#1
// CHECK-NEXT:    %[[D:.*]] = scf.if %[[SAME]]#1
// CHECK-NEXT:      bufferization.clone %[[R]]#1
// CHECK:           scf.yield %[[R]]#1
// CHECK:         "use"(%[[R]]#0, %[[D]])
// CHECK-DAG:     memref.dealloc %[[R]]#0
// CHECK-DAG:     memref.dealloc %[[D]]
// CHECK:         return
func.func private @pair() -> (memref<2xf32>, memref<2xf32>)
func.func @same_result() {
  %r:2 = call @pair() : () -> (memref<2xf32>, memref<2xf32>)
  "use"(%r#0, %r#1) : (memref<2xf32>, memref<2xf32>) -> ()
  return
}

// A use that ends in one branch of a diamond is freed at its end, once.
// CHECK-LABEL: func.func @diamond
// CHECK:       ^bb3:
// CHECK-NEXT:    memref.dealloc %alloc
// CHECK-NEXT:    return
func.func @diamond(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "use"(%a) : (memref<2xf32>) -> ()
  cf.br ^bb3
^bb2:
  cf.br ^bb3
^bb3:
  return
}

// In a loop of blocks the block where all paths meet may come after the next
// iteration has begun: the buffer is freed on each path of its own iteration.
// CHECK-LABEL: func.func @loop_without_use
// CHECK:       ^bb1:
// CHECK-NEXT:    %[[A:.*]] = memref.alloc
// CHECK-NEXT:    cf.cond_br
// CHECK:       ^bb2:
// CHECK-NEXT:    "use"(%[[A]])
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.cond_br
// CHECK:       ^bb3:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.br ^bb1
func.func @loop_without_use(%c: i1, %d: i1) {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  "use"(%a) : (memref<2xf32>) -> ()
  cf.cond_br %d, ^bb1, ^bb4
^bb3:
  cf.br ^bb1
^bb4:
  return
}

// And a use after that block may still be one of this iteration.
// CHECK-LABEL: func.func @used_on_the_way_back
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         cf.cond_br %{{.*}}, ^bb3, ^bb4(%[[A]]
// CHECK:       ^bb3:
// CHECK-NEXT:    %[[C:.*]] = bufferization.clone %[[A]]
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.br ^bb1(%[[C]]
// CHECK:       ^bb4(%{{.*}}: memref<2xf32>):
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @used_on_the_way_back(%c: i1, %m: memref<2xf32>) {
  cf.br ^bb1(%m : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb2
^bb2:
  cf.cond_br %c, ^bb3, ^bb4(%a : memref<2xf32>)
^bb3:
  cf.br ^bb1(%a : memref<2xf32>)
^bb4(%y: memref<2xf32>):
  return
}

// Where all paths of an iteration meet again before it ends, one free does.
// CHECK-LABEL: func.func @diamond_in_loop
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:       ^bb2:
// CHECK-NEXT:    "use"(%[[A]])
// CHECK-NEXT:    cf.br ^bb4
// CHECK:       ^bb3:
// CHECK-NEXT:    cf.br ^bb4
// CHECK:       ^bb4:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb1, ^bb5
// CHECK:       ^bb5:
// CHECK-NEXT:    return
func.func @diamond_in_loop(%c: i1, %d: i1) {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  "use"(%a) : (memref<2xf32>) -> ()
  cf.br ^bb4
^bb3:
  cf.br ^bb4
^bb4:
  cf.cond_br %d, ^bb1, ^bb5
^bb5:
  return
}

// The block that everything leads to is not the end if the way back uses the
// buffer after it.
// CHECK-LABEL: func.func @used_behind_the_way_out
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:       ^bb2:
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb3, ^bb4
// CHECK:       ^bb3:
// CHECK-NEXT:    "use"(%[[A]])
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.br ^bb1
// CHECK:       ^bb4:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @used_behind_the_way_out(%c: i1) {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb2
^bb2:
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  "use"(%a) : (memref<2xf32>) -> ()
  cf.br ^bb1
^bb4:
  return
}

// What a loop uses is freed where that is left: on its only edge out, also if
// that leads to a loop again.
// CHECK-LABEL: func.func @loop_in_loop
// CHECK:       ^bb1:
// CHECK-NEXT:    %[[A:.*]] = memref.alloc
// CHECK-NEXT:    cf.br ^bb2
// CHECK:       ^bb2:
// CHECK-NEXT:    "use"(%[[A]])
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb2, ^bb3
// CHECK:       ^bb3:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.br ^bb4
// CHECK:       ^bb4:
// CHECK-NEXT:    "other"
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb4, ^bb5
// CHECK:       ^bb5:
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb1, ^bb6
// CHECK:       ^bb6:
// CHECK-NEXT:    return
func.func @loop_in_loop(%c: i1, %d: i1) {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb2
^bb2:
  "use"(%a) : (memref<2xf32>) -> ()
  cf.cond_br %c, ^bb2, ^bb3
^bb3:
  "other"() : () -> ()
  cf.cond_br %c, ^bb3, ^bb4
^bb4:
  cf.cond_br %d, ^bb1, ^bb5
^bb5:
  return
}

// With several edges out, in the block where they meet.
// CHECK-LABEL: func.func @loop_with_two_ways_out
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:       ^bb2:
// CHECK-NEXT:    "use"(%[[A]])
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb3, ^bb4
// CHECK:       ^bb3:
// CHECK-NEXT:    "use"(%[[A]])
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb2, ^bb4
// CHECK:       ^bb4:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb1, ^bb5
func.func @loop_with_two_ways_out(%c: i1, %d: i1, %e: i1) {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb2
^bb2:
  "use"(%a) : (memref<2xf32>) -> ()
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  "use"(%a) : (memref<2xf32>) -> ()
  cf.cond_br %d, ^bb2, ^bb4
^bb4:
  cf.cond_br %e, ^bb1, ^bb5
^bb5:
  return
}

// One of the ways out of the inner loop goes on with the outer one: there are
// two ends.
// CHECK-LABEL: func.func @goes_on_with_the_outer_loop
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:       ^bb2:
// CHECK-NEXT:    "use"(%[[A]])
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb3, ^bb5
// CHECK:       ^bb3:
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb2, ^bb4
// CHECK:       ^bb4:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.br ^bb1
// CHECK:       ^bb5:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return
func.func @goes_on_with_the_outer_loop(%c: i1, %d: i1) {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.br ^bb2
^bb2:
  "use"(%a) : (memref<2xf32>) -> ()
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  cf.cond_br %d, ^bb2, ^bb1
^bb4:
  return
}

// The program frees a buffer where its alias is another one. With copies for the
// alias, each buffer is freed on the paths on which the program does not.
// CHECK-LABEL: func.func @freed_where_the_alias_is_another
// CHECK:         %[[B:.*]] = memref.alloc
// CHECK:       ^bb1:
// CHECK-NEXT:    %[[A:.*]] = memref.alloc
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb2, ^bb3
// CHECK:       ^bb2:
// CHECK-NEXT:    %[[C1:.*]] = bufferization.clone %[[A]]
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    cf.br ^bb4(%[[C1]]
// CHECK:       ^bb3:
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    %[[C2:.*]] = bufferization.clone %[[B]]
// CHECK-NEXT:    cf.br ^bb4(%[[C2]]
// CHECK:       ^bb4(%[[X:.*]]: memref<2xf32>):
// CHECK-NEXT:    memref.dealloc %[[B]]
// CHECK-NEXT:    "use"(%[[X]])
// CHECK-NEXT:    memref.dealloc %[[X]]
// CHECK-NEXT:    return
func.func @freed_where_the_alias_is_another(%c: i1) {
  %b = memref.alloc() : memref<2xf32>
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb3(%a : memref<2xf32>), ^bb2
^bb2:
  memref.dealloc %a : memref<2xf32>
  cf.br ^bb3(%b : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  "use"(%x) : (memref<2xf32>) -> ()
  return
}

// scf.while hands values from one region to the other and out.
// CHECK-LABEL: func.func @while
// CHECK:         %[[C0:.*]] = bufferization.clone %arg1
// CHECK-NEXT:    %[[W:.*]] = scf.while (%[[X:.*]] = %[[C0]])
// CHECK-NEXT:      %[[C1:.*]] = bufferization.clone %[[X]]
// CHECK-NEXT:      memref.dealloc %[[X]]
// CHECK-NEXT:      scf.condition(%{{.*}}) %[[C1]]
// CHECK:         ^bb0(%[[Y:.*]]: memref<2xf32>):
// CHECK-NEXT:      "use"(%[[Y]])
// CHECK-NEXT:      memref.dealloc %[[Y]]
// CHECK-NEXT:      %[[A:.*]] = memref.alloc
// CHECK-NEXT:      %[[C2:.*]] = bufferization.clone %[[A]]
// CHECK-NEXT:      memref.dealloc %[[A]]
// CHECK-NEXT:      scf.yield %[[C2]]
// CHECK:         memref.dealloc %[[W]]
func.func @while(%c: i1, %m: memref<2xf32>) {
  %w = scf.while (%x = %m) : (memref<2xf32>) -> memref<2xf32> {
    scf.condition(%c) %x : memref<2xf32>
  } do {
  ^bb0(%y: memref<2xf32>):
    "use"(%y) : (memref<2xf32>) -> ()
    %a = memref.alloc() : memref<2xf32>
    scf.yield %a : memref<2xf32>
  }
  return
}
