// RUN: freehold opt %s --buffer-results-to-out-params=hoist-static-allocs=true --verify-each | FileCheck %s
// RUN: freehold opt %s --buffer-results-to-out-params=hoist-static-allocs=true | freehold run - -e main --entry-point-result=f32 --check

// The function writes to what the caller allocated.
// CHECK-LABEL: func.func @written
// CHECK-SAME:      (%[[V:.*]]: f32, %[[OUT:.*]]: memref<1xf32>) {
// CHECK-NOT:     memref.alloc
// CHECK:         memref.store %[[V]], %[[OUT]]
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @written(%v: f32) -> memref<1xf32> {
  %i = arith.constant 0 : index
  %a = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
  memref.store %v, %a[%i] : memref<1xf32>
  return %a : memref<1xf32>
}

// One allocation, two results: the second is a copy.
// CHECK-LABEL: func.func @twice
// CHECK-SAME:      (%[[A:.*]]: memref<1xf32>, %[[B:.*]]: memref<1xf32>)
// CHECK-NEXT:    memref.copy %[[A]], %[[B]]
// CHECK-NEXT:    return
func.func @twice() -> (memref<1xf32>, memref<1xf32>) {
  %a = memref.alloc() : memref<1xf32>
  return %a, %a : memref<1xf32>, memref<1xf32>
}

// Both allocations are alive at once: they cannot both be the argument.
// CHECK-LABEL: func.func @one_of_two
// CHECK-SAME:      (%{{.*}}: i1, %{{[^,]*}}: f32, %{{[^,]*}}: f32, %[[OUT:[^,:]*]]: memref<1xf32>) {
// CHECK:         %[[B:.*]] = memref.alloc
// CHECK:         memref.store %{{.*}}, %[[OUT]]
// CHECK:         memref.store %{{.*}}, %[[B]]
// CHECK:         cf.cond_br
// CHECK:         return
// CHECK:         memref.copy %[[B]], %[[OUT]]
// CHECK:         return
func.func @one_of_two(%c: i1, %v: f32, %w: f32) -> memref<1xf32> {
  %i = arith.constant 0 : index
  %a = memref.alloc() : memref<1xf32>
  %b = memref.alloc() : memref<1xf32>
  memref.store %v, %a[%i] : memref<1xf32>
  memref.store %w, %b[%i] : memref<1xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : memref<1xf32>
^bb2:
  return %b : memref<1xf32>
}

// Two returns of one allocation; one of an argument.
// CHECK-LABEL: func.func @two_returns
// CHECK-NOT:     memref.alloc
// CHECK:         return
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @two_returns(%c: i1) -> memref<1xf32> {
  %a = memref.alloc() : memref<1xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  return %a : memref<1xf32>
^bb2:
  return %a : memref<1xf32>
}

// CHECK-LABEL: func.func @argument
// CHECK:         memref.copy
func.func @argument(%m: memref<1xf32>) -> memref<1xf32> {
  return %m : memref<1xf32>
}

// Not from a block that runs several times, not with a dynamic size.
// CHECK-LABEL: func.func @other_block
// CHECK:         memref.alloc
// CHECK:         memref.copy
func.func @other_block() -> memref<1xf32> {
  cf.br ^bb1
^bb1:
  %a = memref.alloc() : memref<1xf32>
  return %a : memref<1xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK:         memref.alloc
// CHECK:         memref.copy
func.func @dynamic(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}

// The alignment goes along.
// CHECK-LABEL: func.func @main
// CHECK:         %[[A:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
// CHECK-NEXT:    call @written(%{{.*}}, %[[A]])
func.func @main() -> f32 {
  %v = arith.constant 1.0 : f32
  %w = arith.constant 2.0 : f32
  %c = arith.constant true
  %i = arith.constant 0 : index
  %a = call @written(%v) : (f32) -> memref<1xf32>
  %b = call @one_of_two(%c, %v, %w) : (i1, f32, f32) -> memref<1xf32>
  %x = memref.load %b[%i] : memref<1xf32>
  return %x : f32
}
