// RUN: freehold opt %s --ownership-based-buffer-deallocation | FileCheck %s

// A selected buffer is needed after a branch both edges of which lead to one
// block, with different buffers: the example of the documentation of the
// original. There, both buffers and the selected one travel with flags, and
// three deallocs compare them at run time. Here nothing is compared and no flag
// is needed but for the argument of the block: the allocation stays with the
// function until neither the argument nor the selected buffer is used any
// more, so nobody else ever owns it.
// CHECK-LABEL: func.func @example
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         %[[S:.*]] = arith.select
// CHECK-NEXT:    cf.cond_br %{{.*}}, ^bb1(%[[A]] : memref<?xi8>), ^bb1(%{{.*}} : memref<?xi8>)
// CHECK-NEXT:  ^bb1(%[[P:.*]]: memref<?xi8>):
// CHECK-NEXT:    test.copy(%[[P]], %[[S]])
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<?xi8>) if (%true)
// CHECK-NEXT:    return
func.func @example(%memref: memref<?xi8>, %n: index, %select_cond: i1, %br_cond: i1) {
  %alloc = memref.alloc(%n) : memref<?xi8>
  %alloca = memref.alloca(%n) : memref<?xi8>
  %select = arith.select %select_cond, %alloc, %alloca : memref<?xi8>
  cf.cond_br %br_cond, ^bb1(%alloc : memref<?xi8>), ^bb1(%memref : memref<?xi8>)
^bb1(%bbarg: memref<?xi8>):
  test.copy(%bbarg, %select) : (memref<?xi8>, memref<?xi8>)
  return
}

// An operation with regions that is known by its interface only: one region
// hands on the buffer it is given, the other a new one. Each frees what it does
// not hand on, so the result is owned on every path (the original copies both).
// CHECK-LABEL: func.func @region_if
// CHECK:         %[[R:.*]] = test.region_if
// CHECK:           test.region_if_yield %{{[^,]*}} : memref<2xf32>
// CHECK:           %[[NEW:.*]] = memref.alloc
// CHECK:           test.region_if_yield %[[NEW]] : memref<2xf32>
// CHECK:           test.region_if_yield %{{[^,]*}} : memref<2xf32>
// CHECK:         test.copy(%[[R]], %{{.*}})
// CHECK-NEXT:    bufferization.dealloc (%[[R]] : memref<2xf32>) if (%true)
// CHECK-NEXT:    return
func.func @region_if(%out: memref<2xf32>) {
  %a = memref.alloc() : memref<2xf32>
  %r = test.region_if %a : memref<2xf32> -> (memref<2xf32>) then {
  ^bb0(%x: memref<2xf32>):
    test.region_if_yield %x : memref<2xf32>
  } else {
  ^bb0(%x: memref<2xf32>):
    %new = memref.alloc() : memref<2xf32>
    test.region_if_yield %new : memref<2xf32>
  } join {
  ^bb0(%x: memref<2xf32>):
    test.region_if_yield %x : memref<2xf32>
  }
  test.copy(%r, %out) : (memref<2xf32>, memref<2xf32>)
  return
}
