// Together with deallocation, before or after; and again.

// RUN: freehold opt %s --merge-alloc --buffer-deallocation-pipeline | FileCheck %s --check-prefix=BEFORE
// RUN: freehold opt %s --buffer-deallocation-pipeline --merge-alloc --canonicalize | FileCheck %s --check-prefix=AFTER
// RUN: freehold opt %s --buffer-deallocation-pipeline --merge-alloc --merge-alloc --canonicalize | FileCheck %s --check-prefix=AFTER
// RUN: freehold opt %s --merge-alloc --buffer-deallocation-pipeline --verify-ownership
// RUN: freehold opt %s --buffer-deallocation-pipeline --merge-alloc --verify-ownership

// BEFORE-LABEL: func.func @straight
// BEFORE:         %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<128xi8>
// BEFORE-NOT:     memref.alloc
// BEFORE:         memref.dealloc %[[ARENA]]
// BEFORE-NOT:     memref.dealloc
// AFTER-LABEL: func.func @straight
// AFTER:         %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<128xi8>
// AFTER-NOT:     memref.alloc
// AFTER:         memref.copy
// AFTER:         memref.copy
// AFTER:         memref.copy
// AFTER-NEXT:    memref.dealloc %[[ARENA]]
// AFTER-NOT:     memref.dealloc
func.func @straight(%x: memref<16xf32>, %y: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  linalg.add ins(%a, %b : memref<16xf32>, memref<16xf32>) outs(%y : memref<16xf32>)
  memref.copy %a, %y : memref<16xf32> to memref<16xf32>
  return
}

// Every exit frees the arena.
// BEFORE-LABEL: func.func @two_exits
// AFTER-LABEL: func.func @two_exits
// AFTER:         %[[ARENA:.*]] = memref.alloc() {{.*}} : memref<128xi8>
// AFTER-COUNT-2: memref.dealloc %[[ARENA]]
func.func @two_exits(%c: i1, %x: memref<16xf32>) {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  memref.copy %x, %a : memref<16xf32> to memref<16xf32>
  memref.copy %x, %b : memref<16xf32> to memref<16xf32>
  cf.cond_br %c, ^one, ^two
^one:
  memref.copy %a, %x : memref<16xf32> to memref<16xf32>
  return
^two:
  memref.copy %b, %x : memref<16xf32> to memref<16xf32>
  return
}

// One of two buffers is returned; which one is freed is decided at run time. Neither is merged.
// AFTER-LABEL: func.func @returned
// AFTER-NOT:     memref.view
// AFTER:         return
func.func @returned(%c: i1) -> memref<16xf32> {
  %a = memref.alloc() : memref<16xf32>
  %b = memref.alloc() : memref<16xf32>
  %r = arith.select %c, %a, %b : memref<16xf32>
  return %r : memref<16xf32>
}
