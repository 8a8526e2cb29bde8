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

// What a select may be stays together.
// CHECK-LABEL: func.func @select
// CHECK:         bufferization.dealloc (%{{.*}}, %{{.*}} : memref<2xf32>, memref<2xf32>) if (%true, %true) retain
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
