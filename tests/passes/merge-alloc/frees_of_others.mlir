// A free of what may be one of two buffers stays if one of them gets no arena: there is no place for one
// that would be no additional allocation.
//
// RUN: freehold opt %s "--merge-alloc=never-more=true" | FileCheck %s
// RUN: freehold run %s --merge-alloc=always --dealloc=none --check

// CHECK-LABEL: func.func private @either(
// CHECK:         memref.alloc(%{{.*}}) : memref<?xi64>
// CHECK:         memref.alloc() : memref<5xi64>
// CHECK:         memref.dealloc %{{.*}} : memref<?xi64>
func.func private @either(%fixed: i1, %size: index) -> i64 {
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7 : i64
  %first = memref.alloc(%size) : memref<?xi64>
  memref.store %seven, %first[%c0] : memref<?xi64>
  %chosen = scf.if %fixed -> memref<?xi64> {
    %five = memref.alloc() : memref<5xi64>
    memref.store %seven, %five[%c0] : memref<5xi64>
    %cast = memref.cast %five : memref<5xi64> to memref<?xi64>
    memref.dealloc %first : memref<?xi64>
    scf.yield %cast : memref<?xi64>
  } else {
    scf.yield %first : memref<?xi64>
  }
  %result = memref.load %chosen[%c0] : memref<?xi64>
  memref.dealloc %chosen : memref<?xi64>
  %more = memref.alloc(%size) : memref<?xi64>
  memref.store %result, %more[%c0] : memref<?xi64>
  %loaded = memref.load %more[%c0] : memref<?xi64>
  memref.dealloc %more : memref<?xi64>
  return %loaded : i64
}

func.func @main() {
  %true = arith.constant true
  %size = arith.constant 3 : index
  %r = call @either(%true, %size) : (i1, index) -> i64
  return
}
