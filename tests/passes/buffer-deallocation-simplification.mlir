// RUN: freehold opt %s --buffer-deallocation-simplification | FileCheck %s

// Distinct allocations are freed apart; an argument is neither.
// CHECK-LABEL: func.func @distinct
// CHECK-DAG:     bufferization.dealloc (%[[A:alloc[_0-9]*]] : memref<2xf32>) if (%arg1)
// CHECK-DAG:     bufferization.dealloc (%[[B:alloc[_0-9]*]] : memref<2xf32>) if (%arg2)
// CHECK:         return %false
func.func @distinct(%m: memref<2xf32>, %c: i1, %d: i1, %i: index, %v: f32) -> i1 {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  memref.store %v, %a[%i] : memref<2xf32>
  memref.store %v, %b[%i] : memref<2xf32>
  %0 = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d) retain (%m : memref<2xf32>)
  return %0 : i1
}

// A buffer that is retained as a view of itself is not freed.
// CHECK-LABEL: func.func @retained_view
// CHECK-NOT:     bufferization.dealloc
// CHECK:         return %{{.*}}, %arg0
func.func @retained_view(%c: i1) -> (memref<?xf32>, i1) {
  %a = memref.alloc() : memref<2xf32>
  %v = memref.cast %a : memref<2xf32> to memref<?xf32>
  %0 = bufferization.dealloc (%a : memref<2xf32>) if (%c) retain (%v : memref<?xf32>)
  return %v, %0 : memref<?xf32>, i1
}

// Entries that are no other entry are freed apart, though one retained value may be either.
// CHECK-LABEL: func.func @select
// CHECK:         %[[A:.*]] = bufferization.dealloc (%{{.*}} : memref<2xf32>) if (%true) retain
// CHECK:         %[[B:.*]] = bufferization.dealloc (%{{.*}} : memref<2xf32>) if (%true) retain
// CHECK:         %[[AB:.*]] = arith.ori %[[A]], %[[B]] : i1
// CHECK:         return %{{.*}}, %[[AB]]
func.func @select(%c: i1) -> (memref<2xf32>, i1) {
  %true = arith.constant true
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  %s = arith.select %c, %a, %b : memref<2xf32>
  %0 = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%true, %true) retain (%s : memref<2xf32>)
  return %s, %0 : memref<2xf32>, i1
}

// A view in another memory space is a view like any other.
// CHECK-LABEL: func.func @memory_space
// CHECK-SAME:      (%[[C:.*]]: i1, %[[D:.*]]: i1, %{{.*}}: index
// CHECK:         bufferization.dealloc (%{{.*}} : memref<2xf32>) if (%[[D]])
// CHECK-NOT:     bufferization.dealloc
// CHECK:         return %{{.*}}, %[[C]]
func.func @memory_space(%c: i1, %d: i1, %i: index, %x: f32) -> (memref<2xf32, 1>, i1) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  memref.store %x, %b[%i] : memref<2xf32>
  %v = memref.memory_space_cast %a : memref<2xf32> to memref<2xf32, 1>
  %0 = bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d) retain (%v : memref<2xf32, 1>)
  return %v, %0 : memref<2xf32, 1>, i1
}

// So are those that a loop exchanges.
// CHECK-LABEL: func.func @exchanged
// CHECK:         %[[A:.*]]:2 = bufferization.dealloc (%{{.*}} : memref<2xi32>) if (%{{.*}}) retain (%[[X:.*]]#0, %[[X]]#1 :
// CHECK:         %[[B:.*]]:2 = bufferization.dealloc (%{{.*}} : memref<2xi32>) if (%{{.*}}) retain (%[[X]]#0, %[[X]]#1 :
// CHECK-DAG:     arith.ori %[[A]]#0, %[[B]]#0 : i1
// CHECK-DAG:     arith.ori %[[A]]#1, %[[B]]#1 : i1
func.func @exchanged(%n: index, %d: i1) -> (memref<2xi32>, i1, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  %s:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (memref<2xi32>, memref<2xi32>) {
    scf.yield %y, %x : memref<2xi32>, memref<2xi32>
  }
  %r:2 = bufferization.dealloc (%a, %b : memref<2xi32>, memref<2xi32>) if (%d, %d) retain (%s#0, %s#1 : memref<2xi32>, memref<2xi32>)
  return %s#0, %r#0, %r#1 : memref<2xi32>, i1, i1
}

// Three, of which one retained value may be any.
// CHECK-LABEL: func.func @three
// CHECK-COUNT-3: bufferization.dealloc (%{{[a-z0-9_]*}} : memref<2xi32>) if (%{{.*}}) retain
// CHECK-NOT:     bufferization.dealloc
func.func @three(%c: i1, %d: i1) -> (memref<2xi32>, i1) {
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  %e = memref.alloc() : memref<2xi32>
  %s = arith.select %c, %a, %b : memref<2xi32>
  %s2 = arith.select %d, %s, %e : memref<2xi32>
  %r = bufferization.dealloc (%a, %b, %e : memref<2xi32>, memref<2xi32>, memref<2xi32>) if (%d, %d, %c) retain (%s2 : memref<2xi32>)
  return %s2, %r : memref<2xi32>, i1
}

// An entry that certainly is retained is never freed; the other one may be it all the same.
// CHECK-LABEL: func.func @certainly_retained
// CHECK-SAME:      (%[[A:.*]]: memref<2xi32>, %[[B:.*]]: memref<2xi32>, %[[C:.*]]: i1, %[[D:.*]]: i1)
// CHECK:         %[[R:.*]] = bufferization.dealloc (%[[A]] : memref<2xi32>) if (%[[C]]) retain (%[[B]] : memref<2xi32>)
// CHECK:         %[[OR:.*]] = arith.ori
// CHECK:         return %[[OR]]
func.func @certainly_retained(%a: memref<2xi32>, %b: memref<2xi32>, %c: i1, %d: i1) -> i1 {
  %r = bufferization.dealloc (%a, %b : memref<2xi32>, memref<2xi32>) if (%c, %d) retain (%b : memref<2xi32>)
  return %r : i1
}

// Not if another retained value may be it: that one would learn nothing.
// CHECK-LABEL: func.func @two_retained
// CHECK:         bufferization.dealloc (%{{.*}}, %{{.*}} : memref<2xi32>, memref<2xi32>)
func.func @two_retained(%a: memref<2xi32>, %b: memref<2xi32>, %e: memref<2xi32>, %c: i1, %d: i1) -> (i1, i1) {
  %r:2 = bufferization.dealloc (%a, %b : memref<2xi32>, memref<2xi32>) if (%c, %d) retain (%b, %e : memref<2xi32>, memref<2xi32>)
  return %r#0, %r#1 : i1, i1
}
