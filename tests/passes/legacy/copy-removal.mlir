// RUN: freehold opt %s --copy-removal --verify-each --allow-unregistered-dialect | FileCheck %s

// The source lives on instead of the target.
// CHECK-LABEL: func.func @reuse_source
// CHECK-NEXT:    %[[A:.*]] = memref.alloc(%{{.*}}, %{{.*}})
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK-NOT:     memref.dealloc
// CHECK:         return %[[A]]
func.func @reuse_source(%m: index, %n: index) -> memref<?x?xf32> {
  %a = memref.alloc(%m, %n) : memref<?x?xf32>
  %c0 = arith.constant 0 : index
  %d0 = memref.dim %a, %c0 : memref<?x?xf32>
  %c1 = arith.constant 1 : index
  %d1 = memref.dim %a, %c1 : memref<?x?xf32>
  %b = memref.alloc(%d0, %d1) : memref<?x?xf32>
  memref.copy %a, %b : memref<?x?xf32> to memref<?x?xf32>
  memref.dealloc %a : memref<?x?xf32>
  return %b : memref<?x?xf32>
}

// The result is written where it is wanted: what is read was allocated here, so
// it is no part of an argument.
// CHECK-LABEL: func.func @reuse_target
// CHECK-SAME:      (%[[OUT:.*]]: memref<2xf32>)
// CHECK-NEXT:    %[[IN:.*]] = memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.generic {{.*}} ins(%[[IN]] : memref<2xf32>) outs(%[[OUT]] : memref<2xf32>)
// CHECK-NOT:     linalg.copy
// CHECK:         memref.dealloc %[[IN]]
// CHECK-NEXT:    return
#id = affine_map<(i) -> (i)>
func.func @reuse_target(%out: memref<2xf32>) {
  %in = memref.alloc() : memref<2xf32>
  call @fill(%in) : (memref<2xf32>) -> ()
  %t = memref.alloc() : memref<2xf32>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%in : memref<2xf32>) outs(%t : memref<2xf32>) {
  ^bb0(%x: f32, %y: f32):
    %e = math.exp %x : f32
    linalg.yield %e : f32
  }
  linalg.copy ins(%t : memref<2xf32>) outs(%out : memref<2xf32>)
  memref.dealloc %t : memref<2xf32>
  memref.dealloc %in : memref<2xf32>
  return
}

// Different globals are apart as well.
// CHECK-LABEL: func.func @reuse_global
// CHECK-NOT:     memref.alloc
// CHECK:         return
memref.global "private" @first : memref<2xf32> = dense<1.0>
memref.global "private" @second : memref<2xf32> = dense<2.0>
func.func @reuse_global() {
  %in = memref.get_global @first : memref<2xf32>
  %out = memref.get_global @second : memref<2xf32>
  %t = memref.alloc() : memref<2xf32>
  linalg.exp ins(%in : memref<2xf32>) outs(%t : memref<2xf32>)
  memref.copy %t, %out : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  return
}

// Two arguments may overlap in part: then the element that is read next has
// just been written, although each is read before the same one is written.
// CHECK-LABEL: func.func @arguments
// CHECK:         memref.alloc
// CHECK:         memref.copy
func.func @arguments(%in: memref<2xf32>, %out: memref<2xf32>) {
  %t = memref.alloc() : memref<2xf32>
  linalg.exp ins(%in : memref<2xf32>) outs(%t : memref<2xf32>)
  memref.copy %t, %out : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  return
}

// And so may an argument and a global.
// CHECK-LABEL: func.func @argument_and_global
// CHECK:         memref.alloc
// CHECK:         memref.copy
func.func @argument_and_global(%out: memref<2xf32>) {
  %in = memref.get_global @first : memref<2xf32>
  %t = memref.alloc() : memref<2xf32>
  memref.copy %in, %t : memref<2xf32> to memref<2xf32>
  memref.copy %t, %out : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  return
}

// What a callee returns may be an argument: the source is written by that name
// while its copy is still needed.
// CHECK-LABEL: func.func @other_name
// CHECK:         memref.alloc
// CHECK:         memref.copy
func.func private @same(%m: memref<2xf32>) -> memref<2xf32>
func.func @other_name(%m: memref<2xf32>, %i: index, %v: f32) -> memref<2xf32> {
  %a = call @same(%m) : (memref<2xf32>) -> memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  memref.copy %a, %b : memref<2xf32> to memref<2xf32>
  memref.store %v, %m[%i] : memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  return %b : memref<2xf32>
}

// Elements of the target that share a place lose what was computed from the
// elements of the source.
// CHECK-LABEL: func.func @shared_places
// CHECK:         memref.alloc
// CHECK:         memref.copy
#strided = strided<[?], offset: ?>
func.func @shared_places(%out: memref<2xf32, #strided>, %n: index, %o: index, %i: index, %j: index, %v: f32) {
  %t = memref.alloc()[%n, %o] : memref<2xf32, #strided>
  memref.store %v, %t[%i] : memref<2xf32, #strided>
  %x = memref.load %t[%j] : memref<2xf32, #strided>
  %y = arith.addf %x, %v : f32
  memref.store %y, %t[%i] : memref<2xf32, #strided>
  memref.copy %t, %out : memref<2xf32, #strided> to memref<2xf32, #strided>
  memref.dealloc %t : memref<2xf32, #strided>
  return
}

// An argument is read after the first write to what may be the same buffer.
// CHECK-LABEL: func.func @read_after_write
// CHECK:         memref.copy
// CHECK:         memref.copy
func.func @read_after_write(%in: memref<2xf32>, %out: memref<2xf32>, %i: index, %v: f32) -> f32 {
  %t = memref.alloc() : memref<2xf32>
  memref.copy %in, %t : memref<2xf32> to memref<2xf32>
  memref.store %v, %t[%i] : memref<2xf32>
  %x = memref.load %in[%i] : memref<2xf32>
  memref.copy %t, %out : memref<2xf32> to memref<2xf32>
  memref.dealloc %t : memref<2xf32>
  return %x : f32
}

// A target of our own cannot be seen by anybody else.
// CHECK-LABEL: func.func @own_target
// CHECK:         %[[B:.*]] = memref.alloc
// CHECK-NEXT:    call @fill(%[[B]])
// CHECK-NEXT:    return %[[B]]
func.func private @fill(memref<2xf32>)
func.func @own_target() -> memref<2xf32> {
  %b = memref.alloc() : memref<2xf32>
  %a = memref.alloc() : memref<2xf32>
  call @fill(%a) : (memref<2xf32>) -> ()
  memref.copy %a, %b : memref<2xf32> to memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  return %b : memref<2xf32>
}

// Any operation with the copy interface is a copy.
// CHECK-LABEL: func.func @interface
// CHECK-NOT:     test.copy
// CHECK:         return
func.func @interface() -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  call @fill(%a) : (memref<2xf32>) -> ()
  %b = memref.alloc() : memref<2xf32>
  test.copy(%a, %b) : (memref<2xf32>, memref<2xf32>)
  memref.dealloc %a : memref<2xf32>
  return %b : memref<2xf32>
}

// The source is used once more, by another name.
// CHECK-LABEL: func.func @source_used
// CHECK:         memref.copy
func.func @source_used(%i: index, %v: f32) -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  %view = memref.cast %a : memref<2xf32> to memref<?xf32>
  %b = memref.alloc() : memref<2xf32>
  memref.copy %a, %b : memref<2xf32> to memref<2xf32>
  memref.store %v, %view[%i] : memref<?xf32>
  memref.dealloc %a : memref<2xf32>
  return %b : memref<2xf32>
}

// The target is used before the copy.
// CHECK-LABEL: func.func @target_used
// CHECK:         memref.copy
func.func @target_used(%i: index, %v: f32) -> (memref<2xf32>, f32) {
  %b = memref.alloc() : memref<2xf32>
  memref.store %v, %b[%i] : memref<2xf32>
  %a = memref.alloc() : memref<2xf32>
  call @fill(%a) : (memref<2xf32>) -> ()
  %x = memref.load %b[%i] : memref<2xf32>
  memref.copy %a, %b : memref<2xf32> to memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  return %b, %x : memref<2xf32>, f32
}

// Allocation, copy and dealloc must be in one block.
// CHECK-LABEL: func.func @other_block
// CHECK:         memref.copy
func.func @other_block(%c: i1) {
  %a = memref.alloc() : memref<2xf32>
  %b = memref.alloc() : memref<2xf32>
  scf.if %c {
    memref.copy %a, %b : memref<2xf32> to memref<2xf32>
  }
  memref.dealloc %a : memref<2xf32>
  "use"(%b) : (memref<2xf32>) -> ()
  memref.dealloc %b : memref<2xf32>
  return
}

// The stack is not freed; and what was not allocated for the target's
// alignment does not have it.
// CHECK-LABEL: func.func @other_memory
// CHECK:         memref.copy
// CHECK:         memref.copy
func.func @other_memory() -> memref<2xf32> {
  %a = memref.alloc() : memref<2xf32>
  call @fill(%a) : (memref<2xf32>) -> ()
  %s = memref.alloca() : memref<2xf32>
  memref.copy %a, %s : memref<2xf32> to memref<2xf32>
  memref.dealloc %a : memref<2xf32>
  "use"(%s) : (memref<2xf32>) -> ()
  %d = memref.alloc() : memref<2xf32>
  call @fill(%d) : (memref<2xf32>) -> ()
  %b = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
  memref.copy %d, %b : memref<2xf32> to memref<2xf32>
  memref.dealloc %d : memref<2xf32>
  return %b : memref<2xf32>
}
