// Buffers whose type does not say that elements of a row are next to each other: a comparison of the stride says
// whether the loop with vectors runs, and it works on the buffer as one of which that is known.
//
// RUN: freehold opt %s --vectorize-loops --canonicalize --cse | FileCheck %s
// RUN: freehold run -O3 %s | FileCheck %s --check-prefix=SUM
// RUN: freehold run -O0 %s | FileCheck %s --check-prefix=SUM

// CHECK-LABEL: func.func private @scale
// CHECK:         %{{.*}}, %{{.*}}, %{{.*}}, %[[STRIDE:.*]] = memref.extract_strided_metadata %arg0
// CHECK:         %[[IS_ROW:.*]] = arith.cmpi eq, %[[STRIDE]], %c1
// CHECK:         %[[ROW:.*]] = memref.cast %arg0 : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
// CHECK:         %[[LENGTH:.*]] = arith.select %[[IS_ROW]], %{{.*}}, %c0
// CHECK:         vector.load %[[ROW]][%{{.*}}] : memref<?xf32, strided<[1], offset: ?>>, vector<4xf32>
// CHECK:         vector.store %{{.*}}, %[[ROW]]
func.func private @scale(%a: memref<?xf32, strided<[?], offset: ?>>) attributes {passthrough = ["noinline"]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %two = arith.constant 2.0 : f32
  %n = memref.dim %a, %c0 : memref<?xf32, strided<[?], offset: ?>>
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32, strided<[?], offset: ?>>
    %y = arith.mulf %x, %two : f32
    memref.store %y, %a[%i] : memref<?xf32, strided<[?], offset: ?>>
  }
  return
}

// Every second element of a row of which nothing is known stays.
// CHECK-LABEL: func.func private @every_second
// CHECK-NOT:     vector.load
func.func private @every_second(%a: memref<?xf32, strided<[?]>>, %b: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %b, %c0 : memref<?xf32>
  scf.for %i = %c0 to %n step %c1 {
    %j = arith.muli %i, %c2 : index
    %x = memref.load %a[%j] : memref<?xf32, strided<[?]>>
    memref.store %x, %b[%i] : memref<?xf32>
  }
  return
}

func.func private @printF32(f32)
func.func private @printNewline()

// CHECK-LABEL: func.func @main
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %all = memref.alloc() : memref<64x64xf32>
  linalg.fill ins(%one : f32) outs(%all : memref<64x64xf32>)
  // A row, a column, and again and again the same element.
  %row = memref.reinterpret_cast %all to offset: [128], sizes: [%c64], strides: [%c1] : memref<64x64xf32> to memref<?xf32, strided<[?], offset: ?>>
  %column = memref.reinterpret_cast %all to offset: [5], sizes: [%c64], strides: [%c64] : memref<64x64xf32> to memref<?xf32, strided<[?], offset: ?>>
  %c20 = arith.constant 20 : index
  %element = memref.reinterpret_cast %all to offset: [0], sizes: [%c20], strides: [%c0] : memref<64x64xf32> to memref<?xf32, strided<[?], offset: ?>>
  call @scale(%row) : (memref<?xf32, strided<[?], offset: ?>>) -> ()
  call @scale(%column) : (memref<?xf32, strided<[?], offset: ?>>) -> ()
  call @scale(%element) : (memref<?xf32, strided<[?], offset: ?>>) -> ()
  %sum = scf.for %i = %c0 to %c64 step %c1 iter_args(%before = %zero) -> (f32) {
    %inner = scf.for %j = %c0 to %c64 step %c1 iter_args(%total = %before) -> (f32) {
      %x = memref.load %all[%i, %j] : memref<64x64xf32>
      %next = arith.addf %total, %x : f32
      scf.yield %next : f32
    }
    scf.yield %inner : f32
  }
  // 4096 and 64 for the row, 64 and one more where both meet for the column, and 2^20 - 1.
  // SUM: 1.0528e+06
  call @printF32(%sum) : (f32) -> ()
  call @printNewline() : () -> ()
  memref.dealloc %all : memref<64x64xf32>
  return
}
