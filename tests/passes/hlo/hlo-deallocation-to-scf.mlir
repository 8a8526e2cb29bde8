// RUN: freehold opt %s --hlo-deallocation-to-scf \
// RUN:   | FileCheck %s --implicit-check-not=deallocation.retain

// One owner is freed unless it is null.
// CHECK-LABEL: func.func @free(
// CHECK-SAME:  %[[ARG0:.*]]: !deallocation.ownership)
// CHECK:         %[[V0:.*]] = deallocation.get_buffer %[[ARG0]] : !deallocation.ownership
// CHECK:         %[[V1:.*]] = arith.cmpi ne, %[[V0]], %{{[^ ,)]*}} : index
// CHECK:         scf.if %[[V1]] {
// CHECK:           deallocation.free %[[ARG0]]
// CHECK:         return
func.func @free(%o: !deallocation.ownership) {
  deallocation.retain() of(%o) : (!deallocation.ownership) -> ()
  return
}

// The owner of the buffer is returned, or freed.
// CHECK-LABEL: func.func @one(
// CHECK-SAME:  %[[ARG0:.*]]: memref<2xi32>, %[[ARG1:.*]]: !deallocation.ownership) -> !deallocation.ownership
// CHECK:         %[[V0:.*]] = deallocation.get_buffer %[[ARG1]] : !deallocation.ownership
// CHECK:         %[[V1:.*]] = deallocation.null
// CHECK:         %[[V2:.*]] = deallocation.get_buffer %[[ARG0]] : memref<2xi32>
// CHECK:         %[[V3:.*]] = arith.cmpi eq, %[[V2]], %[[V0]] : index
// CHECK:         %[[V4:.*]] = arith.select %[[V3]], %[[ARG1]], %[[V1]] : !deallocation.ownership
// CHECK:         %[[V5:.*]] = arith.select %[[V3]], %{{[^ ,)]*}}, %[[V0]] : index
// CHECK:         %[[V6:.*]] = arith.cmpi ne, %[[V5]], %{{[^ ,)]*}} : index
// CHECK:         scf.if %[[V6]] {
// CHECK:           deallocation.free %[[ARG1]]
// CHECK:         return %[[V4]] : !deallocation.ownership
func.func @one(%m: memref<2xi32>, %o: !deallocation.ownership) -> !deallocation.ownership {
  %r = deallocation.retain(%m) of(%o) : (memref<2xi32>, !deallocation.ownership) -> !deallocation.ownership
  return %r : !deallocation.ownership
}

// One of two owners.
// CHECK-LABEL: func.func @two_owners(
// CHECK-SAME:  %[[ARG0:.*]]: memref<2xi32>, %[[ARG1:.*]]: !deallocation.ownership, %[[ARG2:.*]]: !deallocation.ownership) -> !deallocation.ownership
// CHECK:         %[[V0:.*]] = deallocation.get_buffer %[[ARG1]] : !deallocation.ownership
// CHECK:         %[[V1:.*]] = deallocation.get_buffer %[[ARG2]] : !deallocation.ownership
// CHECK:         %[[V2:.*]] = deallocation.null
// CHECK:         %[[V3:.*]] = deallocation.get_buffer %[[ARG0]] : memref<2xi32>
// CHECK:         %[[V4:.*]] = arith.cmpi eq, %[[V3]], %[[V0]] : index
// CHECK:         %[[V5:.*]] = arith.select %[[V4]], %[[ARG1]], %[[V2]] : !deallocation.ownership
// CHECK:         %[[V6:.*]] = arith.select %[[V4]], %{{[^ ,)]*}}, %[[V0]] : index
// CHECK:         %[[V7:.*]] = arith.cmpi eq, %[[V3]], %[[V1]] : index
// CHECK:         %[[V8:.*]] = arith.select %[[V7]], %[[ARG2]], %[[V5]] : !deallocation.ownership
// CHECK:         %[[V9:.*]] = arith.select %[[V7]], %{{[^ ,)]*}}, %[[V1]] : index
// CHECK:         %[[V10:.*]] = arith.cmpi ne, %[[V6]], %{{[^ ,)]*}} : index
// CHECK:         scf.if %[[V10]] {
// CHECK:           deallocation.free %[[ARG1]]
// CHECK:         %[[V11:.*]] = arith.cmpi ne, %[[V9]], %{{[^ ,)]*}} : index
// CHECK:         scf.if %[[V11]] {
// CHECK:           deallocation.free %[[ARG2]]
// CHECK:         return %[[V8]] : !deallocation.ownership
func.func @two_owners(%m: memref<2xi32>, %o: !deallocation.ownership, %p: !deallocation.ownership) -> !deallocation.ownership {
  %r = deallocation.retain(%m) of(%o, %p) : (memref<2xi32>, !deallocation.ownership, !deallocation.ownership) -> !deallocation.ownership
  return %r : !deallocation.ownership
}

// Of two buffers that may be one, the first gets the owner.
// CHECK-LABEL: func.func @two_buffers(
// CHECK-SAME:  %[[ARG0:.*]]: memref<2xi32>, %[[ARG1:.*]]: memref<*xi32>, %[[ARG2:.*]]: !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
// CHECK:         %[[V0:.*]] = deallocation.get_buffer %[[ARG2]] : !deallocation.ownership
// CHECK:         %[[V1:.*]] = deallocation.null
// CHECK:         %[[V2:.*]] = deallocation.get_buffer %[[ARG0]] : memref<2xi32>
// CHECK:         %[[V3:.*]] = arith.cmpi eq, %[[V2]], %[[V0]] : index
// CHECK:         %[[V4:.*]] = arith.select %[[V3]], %[[ARG2]], %[[V1]] : !deallocation.ownership
// CHECK:         %[[V5:.*]] = arith.select %[[V3]], %{{[^ ,)]*}}, %[[V0]] : index
// CHECK:         %[[V6:.*]] = arith.select %[[V3]], %[[V1]], %[[ARG2]] : !deallocation.ownership
// CHECK:         %[[V8:.*]] = deallocation.get_buffer %[[ARG1]] : memref<*xi32>
// CHECK:         %[[V9:.*]] = arith.cmpi eq, %[[V8]], %[[V5]] : index
// CHECK:         %[[V10:.*]] = arith.select %[[V9]], %[[V6]], %[[V1]] : !deallocation.ownership
// CHECK:         %[[V11:.*]] = arith.select %[[V9]], %{{[^ ,)]*}}, %[[V5]] : index
// CHECK:         %[[V12:.*]] = arith.select %[[V9]], %[[V1]], %[[V6]] : !deallocation.ownership
// CHECK:         %[[V13:.*]] = arith.cmpi ne, %[[V11]], %{{[^ ,)]*}} : index
// CHECK:         scf.if %[[V13]] {
// CHECK:           deallocation.free %[[ARG2]]
// CHECK:         return %[[V4]], %[[V10]] : !deallocation.ownership, !deallocation.ownership
func.func @two_buffers(%m: memref<2xi32>, %n: memref<*xi32>, %o: !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership) {
  %r:2 = deallocation.retain(%m, %n) of(%o) : (memref<2xi32>, memref<*xi32>, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
  return %r#0, %r#1 : !deallocation.ownership, !deallocation.ownership
}

// Without owners everything is null; the original crashes.
// CHECK-LABEL: func.func @none(
// CHECK-SAME:  %[[ARG0:.*]]: memref<2xi32>) -> !deallocation.ownership
// CHECK:         %[[V0:.*]] = deallocation.null
// CHECK:         return %[[V0]] : !deallocation.ownership
func.func @none(%m: memref<2xi32>) -> !deallocation.ownership {
  %r = deallocation.retain(%m) of() : (memref<2xi32>) -> !deallocation.ownership
  return %r : !deallocation.ownership
}

// Larger ones are left for the library.
// CHECK-LABEL: func.func @left(
// CHECK-SAME:  %[[ARG0:.*]]: memref<2xi32>, %[[ARG1:.*]]: memref<2xi32>, %[[ARG2:.*]]: !deallocation.ownership, %[[ARG3:.*]]: !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
// CHECK:         %[[V0:.*]]:2 = deallocation.retain(%[[ARG0]], %[[ARG1]]) of(%[[ARG2]], %[[ARG3]]) : (memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
// CHECK:         return %[[V0]]#0, %[[V0]]#1 : !deallocation.ownership, !deallocation.ownership
func.func @left(%m: memref<2xi32>, %n: memref<2xi32>, %o: !deallocation.ownership, %p: !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership) {
  %r:2 = deallocation.retain(%m, %n) of(%o, %p) : (memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
  return %r#0, %r#1 : !deallocation.ownership, !deallocation.ownership
}
