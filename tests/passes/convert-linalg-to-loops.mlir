// RUN: freehold opt %s --convert-linalg-to-loops | FileCheck %s
// RUN: freehold run %s | FileCheck %s --check-prefix=OUT

// CHECK-LABEL: func.func @matmul
// CHECK-COUNT-3: scf.for
// CHECK:         memref.load %arg0[%[[I:.*]], %[[K:.*]]]
// CHECK:         memref.load %arg1[%[[K]], %[[J:.*]]]
// CHECK:         memref.load %arg2[%[[I]], %[[J]]]
// CHECK:         arith.mulf
// CHECK:         arith.addf
// CHECK:         memref.store %{{.*}}, %arg2[%[[I]], %[[J]]]
func.func @matmul(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}

func.func private @printMemrefF32(memref<*xf32>)

// A generic with indices, a transposition, a row sum and a window.
// OUT:      [0,  3,  6],
// OUT-NEXT: [1,  4,  7],
// OUT-NEXT: [2,  5,  8]
// OUT:      [9,  12,  15]
// OUT:      [5,  8,  11,  14]
func.func @main() {
  %zero = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<3x3xf32>
  linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } outs(%m : memref<3x3xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c3 = arith.constant 3 : index
    %row = arith.muli %i, %c3 : index
    %n = arith.addi %row, %j : index
    %n64 = arith.index_cast %n : index to i64
    %f = arith.sitofp %n64 : i64 to f32
    linalg.yield %f : f32
  }
  %t = memref.alloc() : memref<3x3xf32>
  linalg.transpose ins(%m : memref<3x3xf32>) outs(%t : memref<3x3xf32>) permutation = [1, 0]
  %u = memref.cast %t : memref<3x3xf32> to memref<*xf32>
  call @printMemrefF32(%u) : (memref<*xf32>) -> ()
  %sum = memref.alloc() : memref<3xf32>
  linalg.fill ins(%zero : f32) outs(%sum : memref<3xf32>)
  linalg.reduce { arith.addf } ins(%t : memref<3x3xf32>) outs(%sum : memref<3xf32>) dimensions = [1]
  %v = memref.cast %sum : memref<3xf32> to memref<*xf32>
  call @printMemrefF32(%v) : (memref<*xf32>) -> ()
  %line = memref.alloc() : memref<6xf32>
  linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } outs(%line : memref<6xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %n64 = arith.index_cast %i : index to i64
    %f = arith.sitofp %n64 : i64 to f32
    linalg.yield %f : f32
  }
  %filter = memref.alloc() : memref<3xf32>
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  linalg.fill ins(%zero : f32) outs(%filter : memref<3xf32>)
  memref.store %one, %filter[%c0] : memref<3xf32>
  memref.store %two, %filter[%c2] : memref<3xf32>
  %window = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%window : memref<4xf32>)
  linalg.conv_1d ins(%line, %filter : memref<6xf32>, memref<3xf32>) outs(%window : memref<4xf32>)
  %w = memref.cast %window : memref<4xf32> to memref<*xf32>
  call @printMemrefF32(%w) : (memref<*xf32>) -> ()
  return
}
