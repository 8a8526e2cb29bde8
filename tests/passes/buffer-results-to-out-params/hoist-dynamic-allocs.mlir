// Callers allocate with the sizes that they know: arguments, dimensions of arguments, constants.

// RUN: freehold opt %s --buffer-results-to-out-params="hoist-dynamic-allocs modify-public-functions=false" --verify-each | FileCheck %s
// RUN: freehold opt %s --buffer-results-to-out-params="hoist-dynamic-allocs" --ownership-based-buffer-deallocation --bufferization-lower-deallocations | freehold run - --check | FileCheck %s --check-prefix=PRINTED

// PRINTED: 2
// PRINTED: 3
// PRINTED: 5

// CHECK-LABEL: func.func private @sizes
// CHECK-SAME:      (%{{.*}}: index, %{{.*}}: index, %[[X:.*]]: f32, %[[OUT:.*]]: memref<?x?xf32>) {
// CHECK-NEXT:    linalg.fill ins(%[[X]] : f32) outs(%[[OUT]] : memref<?x?xf32>)
// CHECK-NEXT:    return
func.func private @sizes(%n: index, %m: index, %x: f32) -> memref<?x?xf32> {
  %a = memref.alloc(%n, %m) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  return %a : memref<?x?xf32>
}

// The same size at both returns, in blocks that do not both run.
// CHECK-LABEL: func.func private @two
// CHECK-SAME:      (%{{.*}}: i1, %{{.*}}: index, %[[OUT:.*]]: memref<?xf32>) -> i32
// CHECK:         memref.copy %{{.*}}, %[[OUT]]
// CHECK-NEXT:    return %{{.*}} : i32
// CHECK:         memref.copy %{{.*}}, %[[OUT]]
// CHECK-NEXT:    return %{{.*}} : i32
func.func private @two(%c: i1, %n: index) -> (memref<?xf32>, i32) {
  %c1 = arith.constant 1 : i32
  %x = arith.constant 3.0 : f32
  cf.cond_br %c, ^a, ^b
^a:
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  return %a, %c1 : memref<?xf32>, i32
^b:
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  return %b, %c1 : memref<?xf32>, i32
}

// CHECK-LABEL: func.func private @like
// CHECK-SAME:      (%[[M:.*]]: memref<?x2xf32>, %[[OUT:.*]]: memref<?x?xf32>) {
func.func private @like(%m: memref<?x2xf32>) -> memref<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c5 = arith.constant 5 : index
  %x = arith.constant 5.0 : f32
  %d = memref.dim %m, %c0 : memref<?x2xf32>
  %a = memref.alloc(%d, %c5) : memref<?x?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?x?xf32>)
  return %a : memref<?x?xf32>
}

// A public function keeps its type if that is asked for.
// CHECK-LABEL: func.func @public
// CHECK-SAME:      -> memref<?xf32>
func.func @public(%n: index) -> memref<?xf32> {
  %a = memref.alloc(%n) : memref<?xf32>
  return %a : memref<?xf32>
}

// CHECK-LABEL: func.func @main
// CHECK:         %[[A:.*]] = memref.alloc(%[[N:.*]], %[[N]]) : memref<?x?xf32>
// CHECK:         call @sizes(%[[N]], %[[N]], %{{.*}}, %[[A]])
// CHECK:         %[[B:.*]] = memref.alloc(%[[N]]) : memref<?xf32>
// CHECK:         call @two(%{{.*}}, %[[N]], %[[B]])
// CHECK:         %[[D:.*]] = memref.dim %[[M:.*]], %{{.*}} : memref<?x2xf32>
// CHECK:         %[[FIVE:.*]] = arith.constant 5 : index
// CHECK:         %[[C:.*]] = memref.alloc(%[[D]], %[[FIVE]]) : memref<?x?xf32>
// CHECK:         call @like(%[[M]], %[[C]])
// CHECK:         %[[P:.*]] = call @public(%[[N]]) : (index) -> memref<?xf32>
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 2 : index
  %x = arith.constant 2.0 : f32
  %c = arith.constant false
  %r = call @sizes(%n, %n, %x) : (index, index, f32) -> memref<?x?xf32>
  %y = memref.load %r[%c1, %c1] : memref<?x?xf32>
  vector.print %y : f32
  %s:2 = call @two(%c, %n) : (i1, index) -> (memref<?xf32>, i32)
  %z = memref.load %s#0[%c1] : memref<?xf32>
  vector.print %z : f32
  %m = memref.alloc(%n) : memref<?x2xf32>
  %t = call @like(%m) : (memref<?x2xf32>) -> memref<?x?xf32>
  %w = memref.load %t[%c1, %c1] : memref<?x?xf32>
  vector.print %w : f32
  %p = call @public(%n) : (index) -> memref<?xf32>
  memref.store %x, %p[%c0] : memref<?xf32>
  return
}
