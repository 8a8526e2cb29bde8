// Folds and patterns of memref operations. Most agree with mlir-opt's
// (canonicalize-peer.mlir compares); a sentence says where ours does more.

// RUN: freehold opt %s --canonicalize --split-input-file | FileCheck %s

// Known sizes go into the type. Attributes of other dialects stay.
// CHECK-LABEL: func.func @constant_sizes
// CHECK-SAME:  (%[[N:.*]]: index)
// CHECK-NEXT:    %[[A:.*]] = memref.alloc(%[[N]]) {alignment = 8 : i64, bufferization.manual_deallocation} : memref<?x3xf32>
// CHECK-NEXT:    %[[C:.*]] = memref.cast %[[A]] : memref<?x3xf32> to memref<?x?xf32>
// CHECK-NEXT:    return %[[C]]
func.func @constant_sizes(%n: index) -> memref<?x?xf32> {
  %three = arith.constant 3 : index
  %a = memref.alloc(%n, %three) {alignment = 8 : i64, bufferization.manual_deallocation} : memref<?x?xf32>
  return %a : memref<?x?xf32>
}

// -----

// Nobody reads the buffer.
// CHECK-LABEL: func.func @dead
// CHECK-NEXT:    return
func.func @dead(%x: f32) {
  %a = memref.alloc() : memref<f32>
  memref.store %x, %a[] : memref<f32>
  memref.dealloc %a : memref<f32>
  %b = memref.alloca() : memref<f32>
  memref.store %x, %b[] : memref<f32>
  return
}

// -----

// Nobody reads what was moved, but the source must still be freed; mlir-opt
// forgets that.
// CHECK-LABEL: func.func @dead_realloc
// CHECK-SAME:  (%[[A:.*]]: memref<?xf32>, %{{.*}}: index)
// CHECK-NEXT:    memref.dealloc %[[A]] : memref<?xf32>
// CHECK-NEXT:    return
func.func @dead_realloc(%a: memref<?xf32>, %n: index) {
  %b = memref.realloc %a(%n) : memref<?xf32> to memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// -----

// Users look through casts, also through those to unranked memrefs.
// CHECK-LABEL: func.func @uses_of_cast
// CHECK-SAME:  (%[[A:.*]]: memref<4xf32>, %[[N:.*]]: index, %[[B:.*]]: memref<?xf32>)
// CHECK-NEXT:    %[[X:.*]] = memref.load %[[A]][%[[N]]] : memref<4xf32>
// CHECK-NEXT:    memref.store %[[X]], %[[A]][%[[N]]] : memref<4xf32>
// CHECK-NEXT:    memref.assume_alignment %[[A]], 16 : memref<4xf32>
// CHECK-NEXT:    memref.copy %[[A]], %[[B]] : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:    memref.dealloc %[[A]] : memref<4xf32>
// CHECK-NEXT:    return
func.func @uses_of_cast(%a: memref<4xf32>, %n: index, %b: memref<?xf32>) {
  %c = memref.cast %a : memref<4xf32> to memref<?xf32>
  %u = memref.cast %a : memref<4xf32> to memref<*xf32>
  %v = memref.cast %b : memref<?xf32> to memref<*xf32>
  %x = memref.load %c[%n] : memref<?xf32>
  memref.store %x, %c[%n] : memref<?xf32>
  memref.assume_alignment %c, 16 : memref<?xf32>
  memref.copy %u, %v : memref<*xf32> to memref<*xf32>
  memref.dealloc %u : memref<*xf32>
  return
}

// -----

// Casts that contradict each other stay: the program never gets past them.
// CHECK-LABEL: func.func @contradiction
// CHECK:         memref.cast %{{.*}} : memref<4xf32> to memref<?xf32>
// CHECK:         memref.cast %{{.*}} : memref<?xf32> to memref<5xf32>
func.func @contradiction(%a: memref<4xf32>) -> memref<5xf32> {
  %b = memref.cast %a : memref<4xf32> to memref<?xf32>
  %c = memref.cast %b : memref<?xf32> to memref<5xf32>
  return %c : memref<5xf32>
}

// -----

// Sizes come from where they are known; mlir-opt stops at expand_shape,
// collapse_shape and unranked casts.
// CHECK-LABEL: func.func @sizes
// CHECK-SAME:  (%[[A:.*]]: memref<?x4xf32>, %[[B:.*]]: memref<?xi8>, %[[N:.*]]: index, %[[M:.*]]: index)
// CHECK-DAG:     %[[C4:.*]] = arith.constant 4 : index
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK:         %[[D:.*]] = memref.dim %[[A]], %[[C0]] : memref<?x4xf32>
// CHECK-NEXT:    return %[[C4]], %[[N]], %[[M]], %[[M]], %[[N]], %[[N]], %[[D]], %[[M]]
func.func @sizes(%a: memref<?x4xf32>, %b: memref<?xi8>, %n: index, %m: index) -> (index, index, index, index, index, index, index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = memref.dim %a, %c1 : memref<?x4xf32>
  %alloc = memref.alloc(%n, %m) : memref<?x?xf32>
  %1 = memref.dim %alloc, %c0 : memref<?x?xf32>
  %view = memref.view %b[%n][%n, %m] : memref<?xi8> to memref<?x?xf32>
  %2 = memref.dim %view, %c1 : memref<?x?xf32>
  // The first dimension is dropped.
  %subview = memref.subview %a[%n, 0] [1, %m] [1, 1] : memref<?x4xf32> to memref<?xf32, strided<[1], offset: ?>>
  %3 = memref.dim %subview, %c0 : memref<?xf32, strided<[1], offset: ?>>
  %reinterpreted = memref.reinterpret_cast %a to offset: [0], sizes: [%n], strides: [1] : memref<?x4xf32> to memref<?xf32>
  %4 = memref.dim %reinterpreted, %c0 : memref<?xf32>
  %expanded = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, 2, 4] : memref<?x4xf32> into memref<?x2x4xf32>
  %5 = memref.dim %expanded, %c0 : memref<?x2x4xf32>
  %one = memref.cast %a : memref<?x4xf32> to memref<?x4xf32>
  %thick = memref.reinterpret_cast %a to offset: [0], sizes: [1, %n, 1], strides: [4, 4, 1] : memref<?x4xf32> to memref<1x?x1xf32, strided<[4, 4, 1]>>
  %unranked = memref.cast %a : memref<?x4xf32> to memref<*xf32>
  %6 = memref.dim %unranked, %c0 : memref<*xf32>
  %wide = memref.alloc(%m) : memref<1x?x1xf32>
  %collapsed = memref.collapse_shape %wide [[0, 1, 2]] : memref<1x?x1xf32> into memref<?xf32>
  %7 = memref.dim %collapsed, %c0 : memref<?xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : index, index, index, index, index, index, index, index
}

// -----

// The shape is read where the reshape was: later it is another.
// CHECK-LABEL: func.func @size_of_reshape
// CHECK-SAME:  (%{{.*}}: memref<*xf32>, %[[S:.*]]: memref<?xindex>, %[[I:.*]]: index)
// CHECK-NEXT:    %[[D:.*]] = memref.load %[[S]][%[[I]]] : memref<?xindex>
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    return %[[D]]
func.func @size_of_reshape(%a: memref<*xf32>, %s: memref<?xindex>, %i: index) -> index {
  %r = memref.reshape %a(%s) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  memref.store %i, %s[%i] : memref<?xindex>
  %d = memref.dim %r, %i : memref<*xf32>
  return %d : index
}

// -----

// An index that is computed later cannot be used there.
// CHECK-LABEL: func.func @late_index
// CHECK:         memref.dim
func.func @late_index(%a: memref<*xf32>, %s: memref<?xindex>, %i: index) -> index {
  %r = memref.reshape %a(%s) : (memref<*xf32>, memref<?xindex>) -> memref<*xf32>
  %j = arith.addi %i, %i : index
  %d = memref.dim %r, %j : memref<*xf32>
  return %d : index
}

// -----

// A subview of everything that drops a dimension is not a cast.
// CHECK-LABEL: func.func @subview_of_all
// CHECK-SAME:  (%[[A:.*]]: memref<1x4xf32>)
// CHECK-NEXT:    %[[C:.*]] = memref.cast %[[A]] : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1]>>
// CHECK-NEXT:    %[[S:.*]] = memref.subview %[[A]]
// CHECK-NEXT:    return %[[C]], %[[S]]
func.func @subview_of_all(%a: memref<1x4xf32>) -> (memref<1x4xf32, strided<[4, 1]>>, memref<4xf32, strided<[1]>>) {
  %0 = memref.subview %a[0, 0] [1, 4] [1, 1] : memref<1x4xf32> to memref<1x4xf32, strided<[4, 1]>>
  %1 = memref.subview %a[0, 0] [1, 4] [1, 1] : memref<1x4xf32> to memref<4xf32, strided<[1]>>
  return %0, %1 : memref<1x4xf32, strided<[4, 1]>>, memref<4xf32, strided<[1]>>
}

// -----

// CHECK-LABEL: func.func @same_memory
// CHECK-SAME:  (%[[A:.*]]: memref<?x4xf32>)
// CHECK-NEXT:    %[[C:.*]] = memref.cast %[[A]] : memref<?x4xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    return %[[C]]
func.func @same_memory(%a: memref<?x4xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>> {
  %base, %o, %n:2, %s:2 = memref.extract_strided_metadata %a : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  %r = memref.reinterpret_cast %base to offset: [%o], sizes: [%n#0, %n#1], strides: [%s#0, %s#1] : memref<f32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %r : memref<?x?xf32, strided<[?, ?], offset: ?>>
}

// -----

// Groups that differ, sizes that are not known: not the same memref.
// CHECK-LABEL: func.func @regrouped
// CHECK:         memref.expand_shape
// CHECK:         memref.collapse_shape
func.func @regrouped(%a: memref<?x?xf32>, %n: index, %m: index) -> memref<?x?xf32> {
  %e = memref.expand_shape %a [[0, 1], [2]] output_shape [%n, 2, %m] : memref<?x?xf32> into memref<?x2x?xf32>
  %c = memref.collapse_shape %e [[0], [1, 2]] : memref<?x2x?xf32> into memref<?x?xf32>
  return %c : memref<?x?xf32>
}

// -----

// What was split off and not merged again is computed from the source.
// CHECK-LABEL: func.func @partly_merged
// CHECK-SAME:  (%[[A:.*]]: memref<?xf32>, %{{.*}}: index)
// CHECK-DAG:     %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG:     %[[C5:.*]] = arith.constant 5 : index
// CHECK:         %[[D:.*]] = memref.dim %[[A]], %[[C0]] : memref<?xf32>
// CHECK-NEXT:    %[[N:.*]] = arith.divui %[[D]], %[[C5]] : index
// CHECK-NEXT:    memref.expand_shape %[[A]] {{\[\[}}0, 1]] output_shape [%[[N]], 5] : memref<?xf32> into memref<?x5xf32>
func.func @partly_merged(%a: memref<?xf32>, %n: index) -> memref<?x5xf32> {
  %e = memref.expand_shape %a [[0, 1, 2]] output_shape [%n, 4, 5] : memref<?xf32> into memref<?x4x5xf32>
  %c = memref.collapse_shape %e [[0, 1], [2]] : memref<?x4x5xf32> into memref<?x5xf32>
  return %c : memref<?x5xf32>
}

// -----

// A scope without stack memory is not needed.
// CHECK-LABEL: func.func @scope
// CHECK-SAME:  (%[[N:.*]]: index)
// CHECK-NEXT:    %[[X:.*]] = arith.addi %[[N]], %[[N]] : index
// CHECK-NEXT:    return %[[X]]
func.func @scope(%n: index) -> index {
  %0 = memref.alloca_scope -> (index) {
    %x = arith.addi %n, %n : index
    memref.alloca_scope.return %x : index
  }
  return %0 : index
}

// -----

// Hints are no dead code.
// CHECK-LABEL: func.func @hints
// CHECK-NEXT:    memref.prefetch
// CHECK-NEXT:    memref.assume_alignment
func.func @hints(%a: memref<f32>) {
  memref.prefetch %a[], write, locality<3>, data : memref<f32>
  memref.assume_alignment %a, 32 : memref<f32>
  return
}

// -----

// A type of MLIR 19 has no stride of zero.
// CHECK-LABEL: func.func @zero_stride
// CHECK:         memref.subview %arg0[1] [1] [%c0] : memref<10xf32> to memref<1xf32, strided<[?], offset: 1>>
func.func @zero_stride(%m: memref<10xf32>) -> memref<1xf32, strided<[?], offset: 1>> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = memref.subview %m[%c1] [1] [%c0] : memref<10xf32> to memref<1xf32, strided<[?], offset: ?>>
  %w = memref.cast %v : memref<1xf32, strided<[?], offset: ?>> to memref<1xf32, strided<[?], offset: 1>>
  return %w : memref<1xf32, strided<[?], offset: 1>>
}

// -----

// Without elements, nothing says that the size is the old one.
// CHECK-LABEL: func.func @reshaped_without_elements
// CHECK-NEXT:    memref.collapse_shape
// CHECK-NEXT:    memref.expand_shape
func.func @reshaped_without_elements(%m: memref<?x0x2xf32>, %n: index) -> memref<?x0x2xf32> {
  %c = memref.collapse_shape %m [[0, 1], [2]] : memref<?x0x2xf32> into memref<?x2xf32>
  %e = memref.expand_shape %c [[0, 1], [2]] output_shape [%n, 0, 2] : memref<?x2xf32> into memref<?x0x2xf32>
  return %e : memref<?x0x2xf32>
}

// -----

// What nothing uses of a scope is not computed; mlir-opt keeps it.
// CHECK-LABEL: func.func @unused_results_of_scope
// CHECK-NOT:     memref.alloc(
// CHECK:         %[[R:.*]] = memref.alloca_scope -> (f32) {
// CHECK:           memref.alloca_scope.return %{{.*}} : f32
// CHECK-NOT:     memref.dealloc
// CHECK:         return %[[R]]
func.func @unused_results_of_scope(%n: index, %x: f32) -> f32 {
  %b = memref.alloc(%n) : memref<?xf32>
  %r:2 = memref.alloca_scope -> (memref<?xf32>, f32) {
    %a = memref.alloca(%n) : memref<?xf32>
    %y = func.call @fill(%a) : (memref<?xf32>) -> f32
    memref.store %x, %b[%n] : memref<?xf32>
    memref.alloca_scope.return %b, %y : memref<?xf32>, f32
  }
  memref.dealloc %b : memref<?xf32>
  call @other() : () -> ()
  return %r#1 : f32
}
func.func private @fill(memref<?xf32>) -> f32
func.func private @other()
