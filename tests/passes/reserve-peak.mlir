// A function asks malloc once for as much memory as its buffers need at one time.
//
// RUN: freehold opt --reserve-peak --split-input-file %s | FileCheck %s
// RUN: freehold opt --reserve-peak --canonicalize --cse --split-input-file %s | FileCheck %s --check-prefix=SIMPLE

// %a and %b are alive together, and so are %b and %c, which are smaller.
// CHECK-LABEL: func.func @alive_together(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[N:.*]]: index)
// CHECK: %[[TWICE:.*]] = arith.addi %[[N]], %[[N]] : index
// CHECK: %[[A:.*]] = arith.muli %{{.*}}, %[[N]] : index
// CHECK: %[[SUM:.*]] = arith.addi %{{.*}}, %[[A]] : index
// CHECK: %[[B:.*]] = arith.muli %{{.*}}, %[[TWICE]] : index
// CHECK: %[[BYTES:.*]] = arith.addi %[[SUM]], %[[B]] : index
// CHECK: %[[IS_LARGE:.*]] = arith.cmpi sge, %[[BYTES]], %c262144
// CHECK: scf.if %[[IS_LARGE]] {
// CHECK:   %[[MOST:.*]] = arith.minsi %[[BYTES]], %c33488896
// CHECK:   %[[ADDRESS:.*]] = func.call @malloc(%[[MOST]]) : (index) -> index
// CHECK:   func.call @free(%[[ADDRESS]]) : (index) -> ()
// CHECK: }
// CHECK: memref.alloc(%[[N]])
// CHECK-COUNT-1: func.func private @malloc(index) -> index
// CHECK-COUNT-1: func.func private @free(index)
func.func @alive_together(%x: memref<?xf32>, %n: index) {
  %a = memref.alloc(%n) : memref<?x100xf32>
  call @use(%x) : (memref<?xf32>) -> ()
  %twice = arith.addi %n, %n : index
  %b = memref.alloc(%twice) : memref<?x100xf32>
  memref.dealloc %a : memref<?x100xf32>
  %c = memref.alloc(%n) : memref<?x50xf32>
  memref.dealloc %b : memref<?x100xf32>
  memref.dealloc %c : memref<?x50xf32>
  return
}
func.func private @use(memref<?xf32>)

// -----

// Known sizes are a sum.
// SIMPLE-LABEL: func.func @known_sizes
// SIMPLE: %[[BYTES:.*]] = arith.constant 2400000 : index
// SIMPLE: call @malloc(%[[BYTES]])
// SIMPLE-LABEL: func.func @small_sizes
// SIMPLE-NOT: call
func.func @known_sizes() -> (memref<1000x300xf32>, memref<1000x300xf32>) {
  %a = memref.alloc() : memref<1000x300xf32>
  %b = memref.alloc() : memref<1000x300xf32>
  return %a, %b : memref<1000x300xf32>, memref<1000x300xf32>
}
func.func @small_sizes() -> (memref<10x300xf32>, memref<10x300xf32>) {
  %a = memref.alloc() : memref<10x300xf32>
  %b = memref.alloc() : memref<10x300xf32>
  return %a, %b : memref<10x300xf32>, memref<10x300xf32>
}

// -----

// Malloc learns of one buffer by itself. What is known only later, or allocated in loops, does not count.
// CHECK-LABEL: func.func @one
// CHECK-NOT: malloc
// CHECK-LABEL: func.func @one_after_the_other
// CHECK-NOT: malloc
// CHECK-LABEL: func.func @sizes_in_memory
// CHECK-NOT: malloc
// CHECK-LABEL: func.func @in_a_loop
// CHECK-NOT: malloc
// CHECK-LABEL: func.func @freed_elsewhere
// CHECK-NOT: malloc
func.func @one(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}
func.func @one_after_the_other(%n: index) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %a : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}
func.func @sizes_in_memory(%sizes: memref<2xindex>) -> (memref<?xf32>, memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.load %sizes[%c0] : memref<2xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  return %a, %b : memref<?xf32>, memref<?xf32>
}
func.func @in_a_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc(%n) : memref<?xf32>
    %b = memref.alloc(%n) : memref<?xf32>
    memref.dealloc %a : memref<?xf32>
    memref.dealloc %b : memref<?xf32>
  }
  return
}
func.func @freed_elsewhere(%n: index, %condition: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  scf.if %condition {
    memref.dealloc %a : memref<?xf32>
  } else {
    memref.dealloc %a : memref<?xf32>
  }
  %b = memref.alloc(%n) : memref<?xf32>
  memref.dealloc %b : memref<?xf32>
  return
}

// -----

// The name is another function's.
// CHECK-LABEL: func.func @taken
// CHECK-NOT: call
func.func @taken(%n: index) -> (memref<?xf32>, memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  return %a, %b : memref<?xf32>, memref<?xf32>
}
func.func @malloc(%n: index) -> index {
  return %n : index
}
