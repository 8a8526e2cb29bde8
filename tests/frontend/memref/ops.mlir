// Every operation in custom form: printed as mlir-opt prints it, and the same
// after a detour through the generic form.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK:      memref.global "private" constant @table : memref<4xi32> = dense<[1, 2, 3, 4]> {alignment = 64 : i64}
memref.global "private" constant @table : memref<4xi32> = dense<[1, 2, 3, 4]> {alignment = 64 : i64}
// CHECK-NEXT: memref.global "public" @scratch : memref<4xi32> = uninitialized
memref.global "public" @scratch : memref<4xi32> = uninitialized
// CHECK-NEXT: memref.global @elsewhere : memref<4xi32>
memref.global @elsewhere : memref<4xi32>
// CHECK-NEXT: memref.global "nested" @scalar : memref<i32> = dense<3> {note}
memref.global "nested" @scalar : memref<i32> = dense<3> {note}

// CHECK-LABEL: func.func @allocation
// CHECK-SAME:  (%[[N:.*]]: index, %[[X:.*]]: f32)
func.func @allocation(%n: index, %x: f32) {
  // CHECK-NEXT: %[[A:alloc]] = memref.alloc(%[[N]]) : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  // CHECK-NEXT: memref.alloc() {alignment = 8 : i64, note} : memref<f32>
  %b = memref.alloc() {alignment = 8 : i64, note} : memref<f32>
  // CHECK-NEXT: memref.alloc(%[[N]])[%[[N]]] : memref<?xf32, #{{.*}}, 1>
  %c = memref.alloc(%n)[%n] : memref<?xf32, affine_map<(d0)[s0] -> (d0 + s0)>, 1>
  // CHECK-NEXT: %alloca = memref.alloca(%[[N]]) : memref<?xf32>
  %d = memref.alloca(%n) : memref<?xf32>
  // CHECK-NEXT: %{{.*}}:2 = memref.alloca_scope  -> (index, f32) {
  // CHECK-NEXT:   memref.alloca_scope.return %[[N]], %[[X]] : index, f32
  // CHECK-NEXT: }
  %e:2 = memref.alloca_scope -> (index, f32) {
    memref.alloca_scope.return %n, %x : index, f32
  }
  // CHECK-NEXT: memref.alloca_scope  {
  // CHECK-NEXT:   memref.alloca(%[[N]]) {alignment = 16 : i64} : memref<?xf32>
  // CHECK-NEXT: } {note = 1 : i64}
  memref.alloca_scope {
    %f = memref.alloca(%n) {alignment = 16 : i64} : memref<?xf32>
  } {note = 1}
  // CHECK-NEXT: %[[R:.*]] = memref.realloc %[[A]](%[[N]]) {alignment = 8 : i64} : memref<?xf32> to memref<?xf32>
  %r = memref.realloc %a(%n) {alignment = 8 : i64} : memref<?xf32> to memref<?xf32>
  // CHECK-NEXT: memref.realloc %[[R]] : memref<?xf32> to memref<4xf32>
  %s = memref.realloc %r : memref<?xf32> to memref<4xf32>
  // CHECK-NEXT: memref.dealloc %{{.*}} {bufferization.manual_deallocation} : memref<4xf32>
  memref.dealloc %s {bufferization.manual_deallocation} : memref<4xf32>
  return
}

// CHECK-LABEL: func.func @access
// CHECK-SAME:  (%[[M:.*]]: memref<?x4xf32>, %[[U:.*]]: memref<*xf32>, %[[I:.*]]: index)
func.func @access(%m: memref<?x4xf32>, %u: memref<*xf32>, %i: index) -> f32 {
  // CHECK-NEXT: %[[X:.*]] = memref.load %[[M]][%[[I]], %[[I]]] {nontemporal = true, note} : memref<?x4xf32>
  %x = memref.load %m[%i, %i] {nontemporal = true, note} : memref<?x4xf32>
  // The default is not written.
  // CHECK-NEXT: memref.store %[[X]], %[[M]][%[[I]], %[[I]]] : memref<?x4xf32>
  memref.store %x, %m[%i, %i] {nontemporal = false} : memref<?x4xf32>
  // CHECK-NEXT: memref.copy %[[M]], %[[U]] : memref<?x4xf32> to memref<*xf32>
  memref.copy %m, %u : memref<?x4xf32> to memref<*xf32>
  // CHECK-NEXT: memref.prefetch %[[M]][%[[I]], %[[I]]], read, locality<2>, data : memref<?x4xf32>
  memref.prefetch %m[%i, %i], read, locality<2>, data : memref<?x4xf32>
  // CHECK-NEXT: memref.prefetch %[[M]][%[[I]], %[[I]]], write, locality<0>, instr : memref<?x4xf32>
  memref.prefetch %m[%i, %i], write, locality<0>, instr : memref<?x4xf32>
  // CHECK-NEXT: memref.assume_alignment %[[M]], 16 {note} : memref<?x4xf32>
  memref.assume_alignment %m, 16 {note} : memref<?x4xf32>
  return %x : f32
}

// CHECK-LABEL: func.func @atomic
// CHECK-SAME:  (%[[M:.*]]: memref<?xf32>, %[[I:.*]]: index, %[[X:.*]]: f32)
func.func @atomic(%m: memref<?xf32>, %i: index, %x: f32) {
  // CHECK-NEXT: memref.atomic_rmw addf %[[X]], %[[M]][%[[I]]] : (f32, memref<?xf32>) -> f32
  %a = memref.atomic_rmw addf %x, %m[%i] : (f32, memref<?xf32>) -> f32
  // CHECK-NEXT: memref.atomic_rmw minnumf %[[X]], %[[M]][%[[I]]] {note} : (f32, memref<?xf32>) -> f32
  %b = memref.atomic_rmw "minnumf" %x, %m[%i] {note} : (f32, memref<?xf32>) -> f32
  // CHECK-NEXT: memref.generic_atomic_rmw %[[M]][%[[I]]] : memref<?xf32> {
  // CHECK-NEXT: ^bb0(%[[OLD:.*]]: f32):
  // CHECK-NEXT:   memref.atomic_yield %[[OLD]] : f32
  // CHECK-NEXT: } {note}
  %c = memref.generic_atomic_rmw %m[%i] : memref<?xf32> {
  ^bb0(%old: f32):
    memref.atomic_yield %old : f32
  } {note}
  return
}

// CHECK-LABEL: func.func @transfer
// CHECK-SAME:  (%[[M:.*]]: memref<?xf32>, %[[T:.*]]: memref<1xi32>, %[[I:.*]]: index)
func.func @transfer(%m: memref<?xf32>, %t: memref<1xi32>, %i: index) {
  // CHECK-NEXT: memref.dma_start %[[M]][%[[I]]], %[[M]][%[[I]]], %[[I]], %[[T]][%[[I]]] : memref<?xf32>, memref<?xf32>, memref<1xi32>
  memref.dma_start %m[%i], %m[%i], %i, %t[%i] : memref<?xf32>, memref<?xf32>, memref<1xi32>
  // CHECK-NEXT: memref.dma_start %[[M]][%[[I]]], %[[M]][%[[I]]], %[[I]], %[[T]][%[[I]]], %[[I]], %[[I]] : memref<?xf32>, memref<?xf32>, memref<1xi32>
  memref.dma_start %m[%i], %m[%i], %i, %t[%i], %i, %i : memref<?xf32>, memref<?xf32>, memref<1xi32>
  // CHECK-NEXT: memref.dma_wait %[[T]][%[[I]]], %[[I]] {note} : memref<1xi32>
  memref.dma_wait %t[%i], %i {note} : memref<1xi32>
  return
}

// CHECK-LABEL: func.func @views
// CHECK-SAME:  (%[[M:.*]]: memref<?x4xf32>, %[[U:.*]]: memref<*xf32>, %[[B:.*]]: memref<?xi8>, %[[N:.*]]: index)
func.func @views(%m: memref<?x4xf32>, %u: memref<*xf32>, %b: memref<?xi8>, %n: index) {
  // CHECK-NEXT: %cast = memref.cast %[[M]] {note} : memref<?x4xf32> to memref<*xf32>
  %0 = memref.cast %m {note} : memref<?x4xf32> to memref<*xf32>
  // CHECK-NEXT: %memspacecast = memref.memory_space_cast %[[M]] : memref<?x4xf32> to memref<?x4xf32, 1>
  %1 = memref.memory_space_cast %m : memref<?x4xf32> to memref<?x4xf32, 1>
  // CHECK-NEXT: %subview = memref.subview %[[M]][%[[N]], 0] [1, %[[N]]] [1, 2] {note} : memref<?x4xf32> to memref<1x?xf32, strided<[4, 2], offset: ?>>
  %2 = memref.subview %m[%n, 0] [1, %n] [1, 2] {note} : memref<?x4xf32> to memref<1x?xf32, strided<[4, 2], offset: ?>>
  // CHECK-NEXT: memref.subview %[[M]][%[[N]], 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  %3 = memref.subview %m[%n, 0] [1, 4] [1, 1] : memref<?x4xf32> to memref<4xf32, strided<[1], offset: ?>>
  // CHECK-NEXT: %view = memref.view %[[B]][%[[N]]][%[[N]]] : memref<?xi8> to memref<?x4xf32>
  %4 = memref.view %b[%n][%n] : memref<?xi8> to memref<?x4xf32>
  // CHECK-NEXT: memref.view %[[B]][%[[N]]][] : memref<?xi8> to memref<4xf32>
  %5 = memref.view %b[%n][] : memref<?xi8> to memref<4xf32>
  // CHECK-NEXT: %reinterpret_cast = memref.reinterpret_cast %[[M]] to offset: [%[[N]]], sizes: [10, %[[N]]], strides: [%[[N]], 1] : memref<?x4xf32> to memref<10x?xf32, strided<[?, 1], offset: ?>>
  %6 = memref.reinterpret_cast %m to offset: [%n], sizes: [10, %n], strides: [%n, 1] : memref<?x4xf32> to memref<10x?xf32, strided<[?, 1], offset: ?>>
  // CHECK-NEXT: memref.reinterpret_cast %[[U]] to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32>
  %7 = memref.reinterpret_cast %u to offset: [0], sizes: [], strides: [] : memref<*xf32> to memref<f32>
  return
}

// CHECK-LABEL: func.func @shapes
// CHECK-SAME:  (%[[M:.*]]: memref<?x4xf32>, %[[S:.*]]: memref<?xi32>, %[[N:.*]]: index)
func.func @shapes(%m: memref<?x4xf32>, %s: memref<?xi32>, %n: index) {
  // CHECK-NEXT: %reshape = memref.reshape %[[M]](%[[S]]) {note} : (memref<?x4xf32>, memref<?xi32>) -> memref<*xf32>
  %0 = memref.reshape %m(%s) {note} : (memref<?x4xf32>, memref<?xi32>) -> memref<*xf32>
  // CHECK-NEXT: %[[E:expand_shape]] = memref.expand_shape %[[M]] {{\[\[}}0, 1], [2, 3]] output_shape [%[[N]], 2, 2, 2] : memref<?x4xf32> into memref<?x2x2x2xf32>
  %1 = memref.expand_shape %m [[0, 1], [2, 3]] output_shape [%n, 2, 2, 2] : memref<?x4xf32> into memref<?x2x2x2xf32>
  // CHECK-NEXT: %collapse_shape = memref.collapse_shape %[[E]] {{\[\[}}0, 1], [2, 3]] : memref<?x2x2x2xf32> into memref<?x4xf32>
  %2 = memref.collapse_shape %1 [[0, 1], [2, 3]] : memref<?x2x2x2xf32> into memref<?x4xf32>
  // CHECK-NEXT: %transpose = memref.transpose %[[M]] (d0, d1) -> (d1, d0) : memref<?x4xf32> to memref<4x?xf32, strided<[1, 4]>>
  %3 = memref.transpose %m (row, column) -> (column, row) : memref<?x4xf32> to memref<4x?xf32, strided<[1, 4]>>
  return
}

// CHECK-LABEL: func.func @metadata
// CHECK-SAME:  (%[[M:.*]]: memref<?x4xf32>, %[[Z:.*]]: memref<f32>, %[[N:.*]]: index)
func.func @metadata(%m: memref<?x4xf32>, %z: memref<f32>, %n: index) -> (index, index) {
  // CHECK-NEXT: %dim = memref.dim {note} %[[M]], %[[N]] : memref<?x4xf32>
  %0 = memref.dim {note} %m, %n : memref<?x4xf32>
  // CHECK-NEXT: memref.rank %[[M]] : memref<?x4xf32>
  %1 = memref.rank %m : memref<?x4xf32>
  // CHECK-NEXT: %base_buffer, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %[[M]] : memref<?x4xf32> -> memref<f32>, index, index, index, index, index {note}
  %base, %off, %sizes:2, %strides:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, index, index, index {note}
  // CHECK-NEXT: %base_buffer_0, %offset_1 = memref.extract_strided_metadata %[[Z]] : memref<f32> -> memref<f32>, index
  %base0, %off0 = memref.extract_strided_metadata %z : memref<f32> -> memref<f32>, index
  // CHECK-NEXT: %intptr = memref.extract_aligned_pointer_as_index %[[M]] : memref<?x4xf32> -> index {note}
  %2 = memref.extract_aligned_pointer_as_index %m : memref<?x4xf32> -> index {note}
  // CHECK-NEXT: memref.get_global @table : memref<4xi32>
  %3 = memref.get_global @table : memref<4xi32>
  // CHECK-NEXT: return %sizes#1, %strides#0 : index, index
  return %sizes#1, %strides#0 : index, index
}
