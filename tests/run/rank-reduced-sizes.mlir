// RUN: freehold run %s | FileCheck %s
// RUN: freehold run %s -O0 | FileCheck %s
// RUN: freehold opt %s --canonicalize | FileCheck %s --check-prefix=FOLD

// Strides that are not known do not tell which of two dimensions of size 1 is left out: sizes do.

func.func private @printI64(i64)

// FOLD-LABEL: func.func private @size
// FOLD-SAME:    , %[[N:.*]]: index)
// FOLD-NEXT:    return %[[N]]
func.func private @size(%a: memref<1x3x1xi32, strided<[?, ?, ?], offset: ?>>, %n: index) -> index attributes {passthrough = ["noinline"]} {
  %c1 = arith.constant 1 : index
  %s = memref.subview %a[0, 0, 0] [1, %n, 1] [1, 1, 1] : memref<1x3x1xi32, strided<[?, ?, ?], offset: ?>> to memref<1x?xi32, strided<[?, ?], offset: ?>>
  %d = memref.dim %s, %c1 : memref<1x?xi32, strided<[?, ?], offset: ?>>
  return %d : index
}

// CHECK: 2
func.func @main() {
  %c2 = arith.constant 2 : index
  %a = memref.alloc() : memref<1x3x1xi32>
  %any = memref.cast %a : memref<1x3x1xi32> to memref<1x3x1xi32, strided<[?, ?, ?], offset: ?>>
  %d = call @size(%any, %c2) : (memref<1x3x1xi32, strided<[?, ?, ?], offset: ?>>, index) -> index
  %x = arith.index_cast %d : index to i64
  call @printI64(%x) : (i64) -> ()
  return
}
