// RUN: freehold opt %s --bufferization-lower-deallocations | FileCheck %s
// RUN: freehold opt %s --lower-deallocations="lowering=generic" | FileCheck %s --check-prefix=GENERIC
// RUN: freehold opt %s --lower-deallocations="lowering=specialized" | FileCheck %s --check-prefix=NONE
// RUN: freehold opt %s --lower-deallocations="lowering=runtime" | FileCheck %s --check-prefix=RUNTIME
// RUN: freehold opt %s --lower-deallocations="use-runtime" | FileCheck %s --check-prefix=NONE

// CHECK-LABEL: func.func @one
// CHECK-NEXT:    scf.if %arg1 {
// CHECK-NEXT:      memref.dealloc %arg0
func.func @one(%m: memref<2xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<2xf32>) if (%c)
  return
}

// CHECK-LABEL: func.func @always
// CHECK-NOT:     scf.if
// CHECK:         memref.dealloc %arg0
func.func @always(%m: memref<2xf32>) {
  %true = arith.constant true
  bufferization.dealloc (%m : memref<2xf32>) if (%true)
  return
}

// Buffers are told apart by their allocated pointers.
// CHECK-LABEL: func.func @retained
// CHECK:         %[[M:.*]] = memref.extract_aligned_pointer_as_index %arg0 : {{.*}} {freehold.allocated}
// CHECK:         %[[R:.*]] = memref.extract_aligned_pointer_as_index %arg2 : {{.*}} {freehold.allocated}
// CHECK:         %[[NE:.*]] = arith.cmpi ne, %[[M]], %[[R]]
// CHECK:         %[[FREE:.*]] = arith.andi %arg1, %[[NE]]
// CHECK:         scf.if %[[FREE]]
// CHECK:         return
// GENERIC-LABEL: func.func @retained
// GENERIC:         call @dealloc_helper
func.func @retained(%m: memref<2xf32>, %c: i1, %r: memref<?xf32>) -> i1 {
  %0 = bufferization.dealloc (%m : memref<2xf32>) if (%c) retain (%r : memref<?xf32>)
  return %0 : i1
}

// An earlier entry keeps a later one back only if it is freed itself.
// CHECK-LABEL: func.func @two
// CHECK:         %[[SAME:.*]] = arith.cmpi eq
// CHECK:         %[[REPEATS:.*]] = arith.andi %[[SAME]], %arg2
// CHECK:         %[[NOT:.*]] = arith.xori %[[REPEATS]]
// CHECK:         %[[SECOND:.*]] = arith.andi %arg3, %[[NOT]]
// CHECK:         scf.if %arg2 {
// CHECK-NEXT:      memref.dealloc %arg0
// CHECK:         scf.if %[[SECOND]] {
// CHECK-NEXT:      memref.dealloc %arg1
func.func @two(%a: memref<2xf32>, %b: memref<2xf32>, %c: i1, %d: i1) {
  bufferization.dealloc (%a, %b : memref<2xf32>, memref<2xf32>) if (%c, %d)
  return
}

// Nothing to free: nothing retained is owned.
// CHECK-LABEL: func.func @empty
// CHECK:         %[[F:.*]] = arith.constant false
// CHECK-NEXT:    return %[[F]]
func.func @empty(%r: memref<2xf32>) -> i1 {
  %0 = bufferization.dealloc retain (%r : memref<2xf32>)
  return %0 : i1
}

// GENERIC: func.func private @dealloc_helper(

// The library form works on arrays on the stack, taken at the start of the function. An entry is
// written behind those before, and overwritten by the next one unless its condition holds.
// RUNTIME-LABEL: func.func @retained
// RUNTIME:         %[[OWNED:.*]] = memref.alloca() : memref<1xi1>
// RUNTIME:         %[[POINTERS:.*]] = memref.alloca() : memref<2xindex>
// RUNTIME:         %[[R:.*]] = memref.extract_aligned_pointer_as_index %arg2 : {{.*}} {freehold.allocated}
// RUNTIME:         memref.store %[[R]], %[[POINTERS]][%c0
// RUNTIME:         %[[END:.*]] = arith.constant 1
// RUNTIME:         %[[P:.*]] = memref.extract_aligned_pointer_as_index %arg0 : {{.*}} {freehold.allocated}
// RUNTIME:         memref.store %[[P]], %[[POINTERS]][%[[END]]]
// RUNTIME:         %[[MORE:.*]] = arith.index_castui %arg1 : i1 to index
// RUNTIME:         %[[NEXT:.*]] = arith.addi %[[END]], %[[MORE]]
// RUNTIME:         %[[LEFT:.*]] = call @freehold_dealloc_helper(%{{.*}}, %[[M:.*]], %[[NEXT]], %{{.*}})
// RUNTIME:         scf.for %[[I:.*]] = %[[M]] to %[[LEFT]]
// RUNTIME:           %[[ADDRESS:.*]] = memref.load %[[POINTERS]][%[[I]]]
// RUNTIME:           %[[OWNER:.*]] = deallocation.from_buffer %[[ADDRESS]] : index
// RUNTIME:           deallocation.free %[[OWNER]]
// RUNTIME:         memref.load %[[OWNED]]
// RUNTIME-NOT:     malloc
// RUNTIME-NOT:     memref.alloc(
// RUNTIME: func.func private @freehold_dealloc_helper(index, index, index, index) -> index

// NONE-NOT: dealloc_helper
