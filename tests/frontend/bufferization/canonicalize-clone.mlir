// Canonicalization of bufferization.clone: a clone is its source where one of
// the two ends before anybody could tell them apart.

// RUN: freehold opt %s --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @unused
// CHECK-NEXT:    return
func.func @unused(%a: memref<4xf32>, %i: index, %x: f32) {
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.store %x, %c[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  %d = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  return
}

// -----

// The source ends: the clone takes its place.
// CHECK-LABEL: func.func @source_ends
// CHECK-SAME:  (%[[A:.*]]: memref<?xf32>)
// CHECK-NEXT:    return %[[A]] : memref<?xf32>
func.func @source_ends(%a: memref<?xf32>) -> memref<?xf32> {
  %c = bufferization.clone %a : memref<?xf32> to memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return %c : memref<?xf32>
}

// -----

// The clone ends: its source was there all the time.
// CHECK-LABEL: func.func @clone_ends
// CHECK-SAME:  (%[[A:.*]]: memref<4xf32>, %[[I:.*]]: index)
// CHECK-NEXT:    %[[X:.*]] = memref.load %[[A]][%[[I]]]
// CHECK-NEXT:    return %[[X]] : f32
func.func @clone_ends(%a: memref<4xf32>, %i: index) -> f32 {
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %x = memref.load %c[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return %x : f32
}

// -----

// Both end in one block: the first of the two deallocs goes.
// CHECK-LABEL: func.func @both_end
// CHECK-SAME:  (%[[I:.*]]: index, %[[X:.*]]: f32)
// CHECK-NEXT:    %[[A:.*]] = memref.alloc
// CHECK-NEXT:    memref.store %[[X]], %[[A]]
// CHECK-NEXT:    %[[Y:.*]] = memref.load %[[A]]
// CHECK-NEXT:    memref.store %[[X]], %[[A]]
// CHECK-NEXT:    memref.dealloc %[[A]]
// CHECK-NEXT:    return %[[Y]] : f32
func.func @both_end(%i: index, %x: f32) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %y = memref.load %c[%i] : memref<4xf32>
  memref.store %x, %c[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return %y : f32
}

// -----

// CHECK-LABEL: func.func @other_type
// CHECK-SAME:  (%[[A:.*]]: memref<?xf32>)
// CHECK-NEXT:    %[[C:.*]] = memref.cast %[[A]] : memref<?xf32> to memref<4xf32>
// CHECK-NEXT:    return %[[C]] : memref<4xf32>
func.func @other_type(%a: memref<?xf32>) -> memref<4xf32> {
  %c = bufferization.clone %a : memref<?xf32> to memref<4xf32>
  memref.dealloc %a : memref<?xf32>
  return %c : memref<4xf32>
}

// -----

// The clone has strides of its own, whatever those of the source are.
// CHECK-LABEL: func.func @other_layout
// CHECK:         bufferization.clone
// CHECK:         memref.dealloc
func.func @other_layout(%a: memref<4xf32, strided<[?]>>) -> memref<4xf32> {
  %c = bufferization.clone %a : memref<4xf32, strided<[?]>> to memref<4xf32>
  memref.dealloc %a : memref<4xf32, strided<[?]>>
  return %c : memref<4xf32>
}

// -----

// A write to the source must not show in the clone. mlir-opt does not look.
// CHECK-LABEL: func.func @write_to_source
// CHECK:         %[[C:.*]] = bufferization.clone
// CHECK:         memref.store
// CHECK:         memref.load %[[C]]
// CHECK:         memref.dealloc %[[C]]
func.func @write_to_source(%a: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %y = memref.load %c[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return %y : f32
}

// -----

// A write to the clone must not show in the source, through a view neither.
// CHECK-LABEL: func.func @write_to_clone
// CHECK:         bufferization.clone
// CHECK:         memref.store
// CHECK:         memref.dealloc
func.func @write_to_clone(%a: memref<4xf32>, %i: index, %x: f32) {
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %v = memref.subview %c[%i] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
  %zero = arith.constant 0 : index
  memref.store %x, %v[%zero] : memref<1xf32, strided<[1], offset: ?>>
  memref.dealloc %c : memref<4xf32>
  return
}

// -----

// Another argument may be the same memory.
// CHECK-LABEL: func.func @write_to_argument
// CHECK:         bufferization.clone
func.func @write_to_argument(%a: memref<4xf32>, %b: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.store %x, %b[%i] : memref<4xf32>
  %y = memref.load %c[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return %y : f32
}

// -----

// A buffer allocated here is not the argument: writing and freeing it is fine.
// CHECK-LABEL: func.func @write_elsewhere
// CHECK-NOT:     bufferization.clone
// CHECK:         return
func.func @write_elsewhere(%a: memref<4xf32>, %i: index, %x: f32) -> f32 {
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  memref.copy %c, %b : memref<4xf32> to memref<4xf32>
  memref.store %x, %b[%i] : memref<4xf32>
  %y = memref.load %b[%i] : memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return %y : f32
}

// -----

// Whoever is called may write to either.
// CHECK-LABEL: func.func @call
// CHECK:         bufferization.clone
// CHECK:         call @use
// CHECK:         memref.dealloc
func.func private @use(memref<4xf32>)
func.func @call(%a: memref<4xf32>) {
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  func.call @use(%c) : (memref<4xf32>) -> ()
  memref.dealloc %c : memref<4xf32>
  return
}

// -----

// Something unknown is freed in between: it may be the source.
// CHECK-LABEL: func.func @free_of_argument
// CHECK:         bufferization.clone
// CHECK:         memref.dealloc
// CHECK:         memref.load
// CHECK:         memref.dealloc
func.func @free_of_argument(%a: memref<4xf32>, %b: memref<4xf32>, %i: index) -> f32 {
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %b : memref<4xf32>
  %y = memref.load %c[%i] : memref<4xf32>
  memref.dealloc %c : memref<4xf32>
  return %y : f32
}

// -----

// A loop in between is looked into.
// CHECK-LABEL: func.func @loop_reads
// CHECK-NOT:     bufferization.clone
// CHECK-LABEL: func.func @loop_writes
// CHECK:         bufferization.clone
func.func @loop_reads(%a: memref<4xf32>, %n: index) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = arith.constant 0.0 : f32
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %init) -> f32 {
    %x = memref.load %c[%i] : memref<4xf32>
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  memref.dealloc %c : memref<4xf32>
  return %sum : f32
}
func.func @loop_writes(%a: memref<4xf32>, %n: index, %x: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  scf.for %i = %zero to %n step %one {
    memref.store %x, %a[%i] : memref<4xf32>
    %y = memref.load %c[%i] : memref<4xf32>
    memref.store %y, %a[%i] : memref<4xf32>
  }
  memref.dealloc %c : memref<4xf32>
  return
}

// -----

// A source freed by hand would be freed by nobody as the clone.
// CHECK-LABEL: func.func @manual_source
// CHECK:         bufferization.clone
// CHECK:         memref.dealloc
func.func @manual_source(%i: index, %x: f32) -> memref<4xf32> {
  %a = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %c = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  memref.dealloc %a {bufferization.manual_deallocation} : memref<4xf32>
  return %c : memref<4xf32>
}

// -----

// CHECK-LABEL: func.func @of_cast
// CHECK-SAME:  (%[[A:.*]]: memref<4xf32>)
// CHECK-NEXT:    bufferization.clone %[[A]] : memref<4xf32> to memref<?xf32>
func.func @of_cast(%a: memref<4xf32>) -> memref<?xf32> {
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  %c = bufferization.clone %b : memref<?xf32> to memref<?xf32>
  return %c : memref<?xf32>
}

// -----

// Calls between: what is given to them they may write, but nobody sees that
// if only one of the two is looked at from there on.

func.func private @f(memref<?xf32>)
func.func private @g()

// CHECK-LABEL: func.func @call_with_the_clone
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    call @g()
// CHECK-NEXT:    call @f(%[[A]])
// CHECK-NEXT:    return %[[A]]
func.func @call_with_the_clone(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %c = bufferization.clone %a : memref<?xf32> to memref<?xf32>
  func.call @g() : () -> ()
  func.call @f(%c) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  return %c : memref<?xf32>
}

// The source is read after the clone may have been written.
// CHECK-LABEL: func.func @read_after_the_call
// CHECK:         bufferization.clone
// CHECK:         memref.load
// CHECK-NEXT:    memref.dealloc
func.func @read_after_the_call(%n: index) -> (memref<?xf32>, f32) {
  %a = memref.alloc(%n) : memref<?xf32>
  %c = bufferization.clone %a : memref<?xf32> to memref<?xf32>
  func.call @f(%c) : (memref<?xf32>) -> ()
  %x = memref.load %a[%n] : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  return %c, %x : memref<?xf32>, f32
}

// The same in a loop, where what comes first may also come second.
// CHECK-LABEL: func.func @call_in_a_loop
// CHECK:         bufferization.clone
// CHECK:         scf.for
func.func @call_in_a_loop(%n: index) -> memref<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc(%n) : memref<?xf32>
  %c = bufferization.clone %a : memref<?xf32> to memref<?xf32>
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xf32>
    memref.store %x, %c[%i] : memref<?xf32>
    func.call @f(%c) : (memref<?xf32>) -> ()
  }
  memref.dealloc %a : memref<?xf32>
  return %c : memref<?xf32>
}

// The source may be written: the clone has to be something else.
// CHECK-LABEL: func.func @call_with_the_source
// CHECK:         bufferization.clone
// CHECK:         memref.dealloc
func.func @call_with_the_source(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %c = bufferization.clone %a : memref<?xf32> to memref<?xf32>
  func.call @f(%a) : (memref<?xf32>) -> ()
  memref.dealloc %a : memref<?xf32>
  return %c : memref<?xf32>
}

// A call may write to what an argument refers to without being given it.
// CHECK-LABEL: func.func @call_may_know_the_source
// CHECK:         bufferization.clone
// CHECK:         call @g()
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc
func.func @call_may_know_the_source(%a: memref<?xf32>, %n: index) -> f32 {
  %c = bufferization.clone %a : memref<?xf32> to memref<?xf32>
  func.call @g() : () -> ()
  %x = memref.load %c[%n] : memref<?xf32>
  memref.dealloc %c : memref<?xf32>
  return %x : f32
}

// -----

// What was lowered from deallocations compares the address of the clone with that of its source: if one were the other, nothing
// would be freed.
// CHECK-LABEL: func.func @known_by_address(
// CHECK:         %[[CLONE:.*]] = bufferization.clone
// CHECK:         deallocation.own %[[CLONE]]
// CHECK:         memref.dealloc
func.func @known_by_address(%x: f32) {
  %c0 = arith.constant 0 : index
  %source = memref.alloc() : memref<4xf32>
  memref.store %x, %source[%c0] : memref<4xf32>
  %clone = bufferization.clone %source : memref<4xf32> to memref<4xf32>
  %a = deallocation.get_buffer %clone : memref<4xf32>
  %b = deallocation.get_buffer %source : memref<4xf32>
  %owned = deallocation.own %clone : memref<4xf32>
  %null = deallocation.null
  %same = arith.cmpi eq, %a, %b : index
  %freed = arith.select %same, %null, %owned : !deallocation.ownership
  memref.dealloc %source : memref<4xf32>
  deallocation.free %freed
  return
}

// -----

// The same by way of a view and a choice.
// CHECK-LABEL: func.func @view_known_by_address(
// CHECK:         bufferization.clone
// CHECK:         memref.extract_aligned_pointer_as_index
// CHECK:         memref.dealloc
func.func @view_known_by_address(%x: f32, %c: i1, %other: memref<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %source = memref.alloc() : memref<4xf32>
  memref.store %x, %source[%c0] : memref<4xf32>
  %clone = bufferization.clone %source : memref<4xf32> to memref<4xf32>
  %chosen = arith.select %c, %clone, %other : memref<4xf32>
  %view = memref.subview %chosen[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  %address = memref.extract_aligned_pointer_as_index %view : memref<2xf32, strided<[1], offset: 1>> -> index
  memref.dealloc %source : memref<4xf32>
  memref.dealloc %clone : memref<4xf32>
  return %address : index
}

// -----

// The same by way of what a loop carries and a branch hands on (a choice in the end).
// CHECK-LABEL: func.func @carried_known_by_address(
// CHECK:         bufferization.clone
// CHECK:         scf.for
// CHECK:         arith.select
// CHECK:         memref.extract_aligned_pointer_as_index
func.func @carried_known_by_address(%x: f32, %n: index, %c: i1, %other: memref<4xf32>) -> index {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %source = memref.alloc() : memref<4xf32>
  memref.store %x, %source[%c0] : memref<4xf32>
  %clone = bufferization.clone %source : memref<4xf32> to memref<4xf32>
  %carried:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %clone, %b = %other) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  memref.dealloc %source : memref<4xf32>
  cf.cond_br %c, ^end(%carried#0 : memref<4xf32>), ^end(%other : memref<4xf32>)
^end(%known: memref<4xf32>):
  %address = memref.extract_aligned_pointer_as_index %known : memref<4xf32> -> index
  memref.dealloc %clone : memref<4xf32>
  return %address : index
}
