// Canonicalization of bufferization.dealloc.

// RUN: freehold opt %s --canonicalize --split-input-file | FileCheck %s

// One entry per memref, freed if either condition holds.
// CHECK-LABEL: func.func @duplicate_memref
// CHECK-SAME:  (%[[A:.*]]: memref<f32>, %[[B:.*]]: memref<f32>, %[[C:.*]]: i1, %[[D:.*]]: i1)
// CHECK-NEXT:    %[[ANY:.*]] = arith.ori %[[C]], %[[D]] : i1
// CHECK-NEXT:    bufferization.dealloc (%[[A]], %[[B]] : memref<f32>, memref<f32>) if (%[[ANY]], %[[D]])
func.func @duplicate_memref(%a: memref<f32>, %b: memref<f32>, %c: i1, %d: i1) {
  bufferization.dealloc (%a, %b, %a, %a : memref<f32>, memref<f32>, memref<f32>, memref<f32>) if (%c, %d, %d, %c)
  return
}

// -----

// CHECK-LABEL: func.func @duplicate_retained
// CHECK-SAME:  (%[[A:.*]]: memref<f32>, %[[C:.*]]: i1, %[[R:.*]]: memref<f32>, %[[S:.*]]: memref<f32>)
// CHECK-NEXT:    %[[O:.*]]:2 = bufferization.dealloc (%[[A]] : memref<f32>) if (%[[C]]) retain (%[[S]], %[[R]] : memref<f32>, memref<f32>)
// CHECK-NEXT:    return %[[O]]#0, %[[O]]#1, %[[O]]#1, %[[O]]#0 : i1, i1, i1, i1
func.func @duplicate_retained(%a: memref<f32>, %c: i1, %r: memref<f32>, %s: memref<f32>) -> (i1, i1, i1, i1) {
  %o:4 = bufferization.dealloc (%a : memref<f32>) if (%c) retain (%s, %r, %r, %s : memref<f32>, memref<f32>, memref<f32>, memref<f32>)
  return %o#0, %o#1, %o#2, %o#3 : i1, i1, i1, i1
}

// -----

// CHECK-LABEL: func.func @nothing_to_free
// CHECK-NEXT:    %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT:    return %[[FALSE]] : i1
func.func @nothing_to_free(%r: memref<f32>) -> i1 {
  bufferization.dealloc
  %o = bufferization.dealloc retain (%r : memref<f32>)
  return %o : i1
}

// -----

// CHECK-LABEL: func.func @never
// CHECK-SAME:  (%{{.*}}: memref<f32>, %[[B:.*]]: memref<f32>, %[[C:.*]]: i1)
// CHECK-NEXT:    bufferization.dealloc (%[[B]] : memref<f32>) if (%[[C]])
// CHECK-NEXT:    return
func.func @never(%a: memref<f32>, %b: memref<f32>, %c: i1) {
  %false = arith.constant false
  bufferization.dealloc (%a, %b, %a : memref<f32>, memref<f32>, memref<f32>) if (%false, %c, %false)
  return
}

// -----

// The base buffer of an allocation is the allocation; of an argument it may be
// that of a larger one.
// CHECK-LABEL: func.func @base_buffer
// CHECK-SAME:  (%[[X:.*]]: memref<4xf32>, %[[C:.*]]: i1)
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         %[[BASE:.*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[X]]
// CHECK:         bufferization.dealloc (%[[A]], %[[BASE]] : memref<4xf32>, memref<f32>) if (%[[C]], %[[C]])
func.func @base_buffer(%x: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b0, %o0, %n0, %s0 = memref.extract_strided_metadata %a : memref<4xf32> -> memref<f32>, index, index, index
  %b1, %o1, %n1, %s1 = memref.extract_strided_metadata %x : memref<4xf32> -> memref<f32>, index, index, index
  bufferization.dealloc (%b0, %b1 : memref<f32>, memref<f32>) if (%c, %c)
  return %a : memref<4xf32>
}

// -----

// Allocations and clones that are only freed are not made.
// CHECK-LABEL: func.func @unused_allocation
// CHECK-SAME:  (%[[X:.*]]: memref<f32>, %[[C:.*]]: i1)
// CHECK-NEXT:    bufferization.dealloc (%[[X]] : memref<f32>) if (%[[C]])
// CHECK-NEXT:    return
func.func @unused_allocation(%x: memref<f32>, %c: i1) {
  %a = memref.alloc() : memref<f32>
  %b = bufferization.clone %x : memref<f32> to memref<f32>
  bufferization.dealloc (%a, %x, %b : memref<f32>, memref<f32>, memref<f32>) if (%c, %c, %c)
  return
}

// -----

// CHECK-LABEL: func.func @retained_allocation
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         bufferization.dealloc (%[[A]] : memref<f32>) if (%{{.*}}) retain (%[[A]] : memref<f32>)
func.func @retained_allocation(%c: i1) -> i1 {
  %a = memref.alloc() : memref<f32>
  %o = bufferization.dealloc (%a : memref<f32>) if (%c) retain (%a : memref<f32>)
  return %o : i1
}
