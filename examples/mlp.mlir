// A network of four layers, each a matrix product and a rectifier on small
// integers, so that the result is exact. Every layer allocates its output; no
// line says where anything is freed.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s --merge-alloc --check | FileCheck %s
// RUN: freehold run %s --check --stats=json 2>&1 | FileCheck %s --check-prefix=STATS

// CHECK: sizes = [4, 4] strides = [4, 1] data =
// CHECK-NEXT: [480, 480, 480, 480]
// CHECK-COUNT-2: [480, 480, 480, 480]
// CHECK: [480, 480, 480, 480]

// STATS: "allocs": [[#ALLOCS:]],
// STATS-SAME: "frees": [[#ALLOCS]],
// STATS-SAME: "live_allocs_at_exit": 0, "live_bytes_at_exit": 0

func.func private @printMemrefF32(memref<*xf32>)

// max(x * w, 0)
func.func private @layer(%x: memref<4x?xf32>, %w: memref<?x?xf32>) -> memref<4x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = memref.dim %w, %c1 : memref<?x?xf32>
  %y = memref.alloc(%n) : memref<4x?xf32>
  linalg.fill ins(%zero : f32) outs(%y : memref<4x?xf32>)
  linalg.matmul ins(%x, %w : memref<4x?xf32>, memref<?x?xf32>) outs(%y : memref<4x?xf32>)
  %r = memref.alloc(%n) : memref<4x?xf32>
  linalg.map ins(%y : memref<4x?xf32>) outs(%r : memref<4x?xf32>)
    (%v: f32) {
      %m = arith.maximumf %v, %zero : f32
      linalg.yield %m : f32
    }
  return %r : memref<4x?xf32>
}

func.func private @weights(%rows: index, %columns: index, %value: f32) -> memref<?x?xf32> {
  %w = memref.alloc(%rows, %columns) : memref<?x?xf32>
  linalg.fill ins(%value : f32) outs(%w : memref<?x?xf32>)
  return %w : memref<?x?xf32>
}

func.func @main() {
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %x = memref.alloc(%c2) : memref<4x?xf32>
  linalg.fill ins(%one : f32) outs(%x : memref<4x?xf32>)
  %w1 = func.call @weights(%c2, %c4, %one) : (index, index, f32) -> memref<?x?xf32>
  %w2 = func.call @weights(%c4, %c5, %one) : (index, index, f32) -> memref<?x?xf32>
  %w3 = func.call @weights(%c5, %c6, %one) : (index, index, f32) -> memref<?x?xf32>
  %w4 = func.call @weights(%c6, %c4, %two) : (index, index, f32) -> memref<?x?xf32>
  %h1 = func.call @layer(%x, %w1) : (memref<4x?xf32>, memref<?x?xf32>) -> memref<4x?xf32>
  %h2 = func.call @layer(%h1, %w2) : (memref<4x?xf32>, memref<?x?xf32>) -> memref<4x?xf32>
  %h3 = func.call @layer(%h2, %w3) : (memref<4x?xf32>, memref<?x?xf32>) -> memref<4x?xf32>
  %h4 = func.call @layer(%h3, %w4) : (memref<4x?xf32>, memref<?x?xf32>) -> memref<4x?xf32>
  %u = memref.cast %h4 : memref<4x?xf32> to memref<*xf32>
  func.call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  return
}
