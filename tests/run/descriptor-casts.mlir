// A struct of two pointers, an offset, sizes and strides is the descriptor of a memref, and a memref is such a struct: what
// programs do that stand between memrefs and upstream's lowerings of them.

// RUN: freehold run %s | FileCheck %s
// RUN: freehold run -O0 %s | FileCheck %s
// RUN: freehold opt %s --convert-to-llvm --reconcile-unrealized-casts | freehold run - | FileCheck %s
// RUN: freehold opt %s --ownership-based-buffer-deallocation --lower-deallocations | FileCheck %s --check-prefix=FREES

!one = !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
!two = !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>

// The second half of a buffer of eight numbers, which only the struct knows.
func.func @half(%m: memref<8xi32>) -> memref<?xi32, strided<[?], offset: ?>> {
  %s = builtin.unrealized_conversion_cast %m : memref<8xi32> to !one
  %four = llvm.mlir.constant(4 : i64) : i64
  %offset = llvm.insertvalue %four, %s[2] : !one
  %size = llvm.insertvalue %four, %offset[3, 0] : !one
  %h = builtin.unrealized_conversion_cast %size : !one to memref<?xi32, strided<[?], offset: ?>>
  return %h : memref<?xi32, strided<[?], offset: ?>>
}

// A memref that is made of a struct is borrowed: who returns it returns a copy, and the buffer lives while it is used.
// FREES-LABEL: func.func @half
// FREES:         bufferization.clone
// FREES-LABEL: func.func @main
// FREES:         %[[M:.*]] = memref.alloc()
// FREES:         %[[H:.*]] = call @half
// FREES:         memref.dealloc %[[H]]
// FREES:         memref.load
// FREES-NEXT:    memref.dealloc %[[M]]
// FREES-NOT:     memref.dealloc
// CHECK:      ( 40, 50, 60, 70 )
// CHECK-NEXT: 4
// CHECK-NEXT: 1
// CHECK-NEXT: 70
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<8xi32>
  %v = arith.constant dense<[0, 10, 20, 30, 40, 50, 60, 70]> : vector<8xi32>
  vector.store %v, %m[%c0] : memref<8xi32>, vector<8xi32>
  %h = func.call @half(%m) : (memref<8xi32>) -> memref<?xi32, strided<[?], offset: ?>>
  %pad = arith.constant 0 : i32
  %r = vector.transfer_read %h[%c0], %pad : memref<?xi32, strided<[?], offset: ?>>, vector<4xi32>
  vector.print %r : vector<4xi32>
  %n = memref.dim %h, %c0 : memref<?xi32, strided<[?], offset: ?>>
  vector.print %n : index
  // Sizes and strides of a type are known without the struct.
  %w = memref.expand_shape %m [[0, 1]] output_shape [2, 4] : memref<8xi32> into memref<2x4xi32>
  %s = builtin.unrealized_conversion_cast %w : memref<2x4xi32> to !two
  %stride = llvm.extractvalue %s[4, 1] : !two
  vector.print %stride : i64
  %back = builtin.unrealized_conversion_cast %s : !two to memref<2x4xi32>
  %x = memref.load %back[%c1, %c3] : memref<2x4xi32>
  vector.print %x : i32
  return
}
