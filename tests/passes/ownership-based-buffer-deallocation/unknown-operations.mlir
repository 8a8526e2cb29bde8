// RUN: freehold opt %s --allow-unregistered-dialect --ownership-based-buffer-deallocation --split-input-file | FileCheck %s

// Operations that nobody knows may read, write and hand out what they are
// given; they do not free it.

// CHECK-LABEL: func.func @alias
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    %[[B:.*]] = "some.op"(%[[A]])
// CHECK-NEXT:    "some.other"()
// CHECK-NEXT:    "some.use"(%[[B]])
// CHECK-NEXT:    bufferization.dealloc (%[[A]] : memref<?xf32>) if (%true)
// CHECK-NEXT:    "some.last"()
func.func @alias(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = "some.op"(%a) : (memref<?xf32>) -> memref<?xf32>
  "some.other"() : () -> ()
  "some.use"(%b) : (memref<?xf32>) -> ()
  "some.last"() : () -> ()
  return
}

// -----

// What they hand out may be something else: returned, it is cloned unless it
// is the buffer of ours.
// CHECK-LABEL: func.func @returned
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    %[[B:.*]] = "some.op"(%[[A]])
// CHECK-NEXT:    %[[OWN:.*]] = bufferization.dealloc (%[[A]] : memref<?xf32>) if (%true) retain (%[[B]] : memref<?xf32>)
// CHECK-NEXT:    %[[R:.*]] = scf.if %[[OWN]]
// CHECK:           bufferization.clone %[[B]]
// CHECK:         return %[[R]]
func.func @returned(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = "some.op"(%a) : (memref<?xf32>) -> memref<?xf32>
  return %b : memref<?xf32>
}

// -----

// Regions of theirs count as uses.
// CHECK-LABEL: func.func @regions
// CHECK:         "some.region"()
// CHECK:         }) : () -> ()
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    "some.last"()
func.func @regions(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  "some.region"() ({
    "some.use"(%a) : (memref<?xf32>) -> ()
    "some.end"() : () -> ()
  }) : () -> ()
  "some.last"() : () -> ()
  return
}
