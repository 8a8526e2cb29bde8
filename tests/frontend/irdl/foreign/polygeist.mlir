// Shapes of code that Polygeist makes of C: rows of matrices, pointers and back.
// RUN: freehold opt --irdl-file=%S/polygeist.irdl --buffer-deallocation-pipeline --verify-ownership %s | FileCheck %s
// RUN: freehold opt --irdl-file=%S/polygeist.irdl --hlo-deallocation-pipeline --verify-ownership %s -o %t

// CHECK-LABEL: func.func @rows
// CHECK:         %[[M:.*]] = memref.alloc
// CHECK:         scf.for
// CHECK:           "polygeist.subindex"(%[[M]]
// CHECK:         }
// CHECK-NEXT:    memref.dealloc %[[M]]
func.func @rows(%n: index, %x: f64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%n) : memref<?x20xf64>
  scf.for %i = %c0 to %n step %c1 {
    %row = "polygeist.subindex"(%m, %i) : (memref<?x20xf64>, index) -> memref<20xf64>
    memref.store %x, %row[%c0] : memref<20xf64>
  }
  return
}

// What comes back of the pointer may be the buffer.
// CHECK-LABEL: func.func @pointer
// CHECK:         %[[M:.*]] = memref.alloc
// CHECK:         "polygeist.pointer2memref"
// CHECK-NEXT:    memref.load
// CHECK-NEXT:    memref.dealloc %[[M]]
func.func @pointer(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xi32>
  %p = "polygeist.memref2pointer"(%m) : (memref<?xi32>) -> !llvm.ptr
  %b = "polygeist.pointer2memref"(%p) : (!llvm.ptr) -> memref<?xi32>
  %x = memref.load %b[%c0] : memref<?xi32>
  return %x : i32
}

// A row is returned: the matrix cannot be freed here, so the caller gets a copy that it owns.
// CHECK-LABEL: func.func @row
// CHECK:         %[[M:.*]] = memref.alloc
// CHECK:         %[[ROW:.*]] = "polygeist.subindex"(%[[M]]
// CHECK:         memref.dealloc
func.func @row(%n: index, %c: i1, %out: memref<20xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?x20xf64>
  %row = "polygeist.subindex"(%m, %c0) : (memref<?x20xf64>, index) -> memref<20xf64>
  %r = scf.if %c -> memref<20xf64> {
    scf.yield %row : memref<20xf64>
  } else {
    scf.yield %out : memref<20xf64>
  }
  %x = memref.load %r[%c0] : memref<20xf64>
  return %x : f64
}
