// Owners of allocations in custom form, and the same after a detour through
// the generic form. Attributes come before the operand.

// RUN: freehold opt %s | freehold opt | FileCheck %s
// RUN: freehold opt %s --mlir-print-op-generic | freehold opt | FileCheck %s

// CHECK-LABEL: func.func @owners
// CHECK-SAME:  (%[[M:.*]]: memref<?xf32>, %[[U:.*]]: memref<*xf32>)
func.func @owners(%m: memref<?xf32>, %u: memref<*xf32>) -> !deallocation.ownership {
  // CHECK-NEXT: %[[NULL:.*]] = deallocation.null{{$}}
  %null = deallocation.null
  // CHECK-NEXT: deallocation.null {note}
  %noted = deallocation.null {note}
  // CHECK-NEXT: %[[OWN:.*]] = deallocation.own %[[M]] : memref<?xf32>
  %own = deallocation.own %m : memref<?xf32>
  // CHECK-NEXT: deallocation.own {note} %[[U]] : memref<*xf32>
  %own_unranked = deallocation.own {note} %u : memref<*xf32>
  // CHECK-NEXT: deallocation.get_buffer %[[M]] : memref<?xf32>
  %b0 = deallocation.get_buffer %m : memref<?xf32>
  // CHECK-NEXT: deallocation.get_buffer {note} %[[OWN]] : !deallocation.ownership
  %b1 = deallocation.get_buffer {note} %own : !deallocation.ownership
  // CHECK-NEXT: deallocation.from_buffer {note} %{{.*}} : index
  %from = deallocation.from_buffer {note} %b1 : index
  // CHECK-NEXT: deallocation.free %[[NULL]]{{$}}
  deallocation.free %null
  // CHECK-NEXT: %[[KEPT:.*]] = deallocation.retain(%[[M]]) of(%[[OWN]], %[[NULL]]) {note} : (memref<?xf32>, !deallocation.ownership, !deallocation.ownership) -> !deallocation.ownership
  %kept = deallocation.retain(%m) of(%own, %null) {note} : (memref<?xf32>, !deallocation.ownership, !deallocation.ownership) -> (!deallocation.ownership)
  // CHECK-NEXT: deallocation.retain() of(%[[NULL]]) : (!deallocation.ownership) -> ()
  deallocation.retain() of(%null) : (!deallocation.ownership) -> ()
  // CHECK-NEXT: %{{.*}}:2 = deallocation.retain(%[[M]], %[[U]]) of() : (memref<?xf32>, memref<*xf32>) -> (!deallocation.ownership, !deallocation.ownership)
  %none:2 = deallocation.retain(%m, %u) of() : (memref<?xf32>, memref<*xf32>) -> (!deallocation.ownership, !deallocation.ownership)
  return %kept : !deallocation.ownership
}
