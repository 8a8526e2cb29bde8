// Views give the same elements as they are and in terms of their metadata.
//
// RUN: freehold run %s | FileCheck %s
// RUN: freehold opt --expand-strided-metadata --memref-expand %s | freehold run - | FileCheck %s

// CHECK: 23
// CHECK: 27
// CHECK: 41
// CHECK: 12
// CHECK: 7
func.func private @printI64(i64)
func.func private @printNewline()

func.func private @print(%v: i64) {
  call @printI64(%v) : (i64) -> ()
  call @printNewline() : () -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c48 = arith.constant 48 : index
  %m = memref.alloc(%c8) : memref<?x6xi64>
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %row = arith.muli %i, %c6 : index
      %at = arith.addi %row, %j : index
      %v = arith.index_cast %at : index to i64
      memref.store %v, %m[%i, %j] : memref<?x6xi64>
    }
  }

  // Rows 1, 3, 5 and columns 1, 3: element (1, 1) is (3, 3), hence 21; then a
  // view of that from (0, 1) on.
  %part = memref.subview %m[%c1, 1] [%c3, 2] [%c2, %c2]
    : memref<?x6xi64> to memref<?x2xi64, strided<[?, ?], offset: ?>>
  %shifted = memref.subview %m[%c3, %c1] [%c2, %c3] [1, 2]
    : memref<?x6xi64> to memref<?x?xi64, strided<[6, 2], offset: ?>>
  %column = memref.subview %shifted[0, 2] [2, 1] [1, 1]
    : memref<?x?xi64, strided<[6, 2], offset: ?>> to memref<2xi64, strided<[6], offset: ?>>
  %0 = memref.load %column[%c0] : memref<2xi64, strided<[6], offset: ?>>
  call @print(%0) : (i64) -> ()

  // 3 * 6 + 9 elements on.
  %flat = memref.collapse_shape %m [[0, 1]] : memref<?x6xi64> into memref<?xi64>
  %cube = memref.expand_shape %flat [[0, 1, 2]] output_shape [%c8, %c2, 3]
    : memref<?xi64> into memref<?x?x3xi64>
  %c4 = arith.constant 4 : index
  %1 = memref.load %cube[%c4, %c1, %c0] : memref<?x?x3xi64>
  call @print(%1) : (i64) -> ()

  %last = memref.load %part[%c2, %c1] : memref<?x2xi64, strided<[?, ?], offset: ?>>
  %8 = arith.constant 8 : i64
  %2 = arith.addi %last, %8 : i64
  call @print(%2) : (i64) -> ()

  // A shape that is data.
  %shape = memref.alloca() : memref<2xindex>
  memref.store %c8, %shape[%c0] : memref<2xindex>
  memref.store %c6, %shape[%c1] : memref<2xindex>
  %again = memref.reshape %flat(%shape) : (memref<?xi64>, memref<2xindex>) -> memref<?x6xi64>
  %3 = memref.load %again[%c2, %c0] : memref<?x6xi64>
  call @print(%3) : (i64) -> ()

  %floats = memref.alloca() : memref<1xf32>
  %7 = arith.constant 7.0 : f32
  %5 = arith.constant 5.0 : f32
  memref.store %5, %floats[%c0] : memref<1xf32>
  %old = memref.atomic_rmw maximumf %7, %floats[%c0] : (f32, memref<1xf32>) -> f32
  %f = memref.load %floats[%c0] : memref<1xf32>
  %4 = arith.fptosi %f : f32 to i64
  call @print(%4) : (i64) -> ()
  return
}
