// RUN: freehold opt %s --merge-alloc | FileCheck %s

// Buffers with the same sizes share where they do not live at once.
// CHECK-LABEL: func.func @same_sizes
// CHECK:         %[[A:.*]] = memref.alloc(%[[N:.*]]) : memref<?xf32>
// CHECK:         memref.copy %[[X:.*]], %[[A]]
// CHECK:         %[[B:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK-NEXT:    call @step(%[[A]], %[[B]])
// CHECK-NEXT:    call @step(%[[B]], %[[A]])
// CHECK-NEXT:    memref.copy %[[A]], %[[X]]
// CHECK-NOT:     memref.alloc
func.func @same_sizes(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  call @step(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  %c = memref.alloc(%n) : memref<?xf32>
  call @step(%b, %c) : (memref<?xf32>, memref<?xf32>) -> ()
  memref.copy %c, %x : memref<?xf32> to memref<?xf32>
  return
}

func.func private @step(memref<?xf32>, memref<?xf32>)

// Elementwise operations work in place.
// CHECK-LABEL: func.func @in_place
// CHECK:         %[[A:.*]] = memref.alloc(
// CHECK:         linalg.exp ins(%{{.*}} : memref<?xf32>) outs(%[[A]]
// CHECK:         linalg.add ins(%[[A]], %[[A]] : {{.*}}) outs(%[[A]]
// CHECK:         linalg.exp ins(%[[A]] : memref<?xf32>) outs(%[[X:.*]] :
func.func @in_place(%n: index, %x: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.add ins(%a, %a : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  linalg.exp ins(%b : memref<?xf32>) outs(%x : memref<?xf32>)
  return
}

// Other sizes, other types, and iterations that may run at the same time: nothing is shared.
// CHECK-LABEL: func.func @different
// CHECK-COUNT-4: memref.alloc(
func.func @different(%n: index, %m: index, %x: memref<?xf32>, %y: memref<?xf64>) {
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  memref.copy %x, %b : memref<?xf32> to memref<?xf32>
  %c = memref.alloc(%n) : memref<?xf64>
  memref.copy %y, %c : memref<?xf64> to memref<?xf64>
  scf.forall (%i) in (4) {
    %d = memref.alloc(%n) : memref<?xf32>
    memref.copy %x, %d : memref<?xf32> to memref<?xf32>
  }
  return
}
